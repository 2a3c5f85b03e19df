#include "app/flow/reproduce/grid_parts.h"

#include <filesystem>

#include "app/flow/run/run_request.h"
#include "app/policy/policies.h"

namespace flagstone {

GridVariant GridVariant::Parse(const TomlReader& reader) {
  reader.AllowOnly({"name", "policy", "warp_scheduler", "prefetcher", "set"});
  GridVariant variant;
  variant.name = reader.Line("name");
  variant.policy = PolicyBeside(reader.String("policy", "lrr"),
                                std::filesystem::path(reader.file()).parent_path());
  variant.warp_scheduler = reader.String("warp_scheduler", "");
  variant.prefetcher = reader.String("prefetcher", "none");
  variant.settings = ReadStrings(reader, "set");
  return variant;
}

GridWorkload GridWorkload::Parse(const TomlReader& set, const toml::node& node,
                                 const std::string& size) {
  if (node.is_string()) {
    const std::string name = node.as_string()->get();
    return {name, PathBeside(set, name), size};
  }
  if (!node.is_table()) set.FailType(node, "an element of 'workloads'", "a name or a table");
  const TomlReader reader = set.TableOf(node, "an element of 'workloads'");
  reader.AllowOnly({"workload", "label", "size"});
  const std::string name = reader.Line("workload");
  return {reader.String("label", name), PathBeside(reader, name), reader.String("size", size)};
}

bool ReadKnownData(const TomlReader& root) {
  const std::string data = root.String("data", "static");
  if (data != "static" && data != "known") {
    root.Fail(root.Require("data").source().begin, "key 'data' is {}: expected static or known",
              Quoted(data));
  }
  return data == "known";
}

}  // namespace flagstone
