// [[launch]] and [check.NAME] of workload.toml, without a look at the PTX.
#include <array>
#include <limits>

#include "kernels/launch/parse.h"
#include "kernels/launch/quantity.h"

namespace flagstone {
namespace {

constexpr int64_t kMaxThreadsPerTb = 1024;

Dim3 ParseDim3(const TomlReader& table, std::string_view key, const std::array<int64_t, 3>& most,
               const Inputs& inputs) {
  const toml::array& array = table.Array(key);
  if (array.empty() || array.size() > 3) {
    table.Fail(array.source().begin, "key '{}' has {} elements: expected 1 to 3 (x, y, z)", key,
               array.size());
  }
  std::array<uint32_t, 3> dims = {1, 1, 1};
  for (size_t i = 0; i < array.size(); ++i) {
    const std::string what = fmt::format("{}.{}", key, "xyz"[i]);
    dims[i] =
        static_cast<uint32_t>(IntegerOrQuantity(table, *array.get(i), what, 1, most[i], inputs));
  }
  return {dims[0], dims[1], dims[2]};
}

// write = [{ to = "A", offset = 16, file = "a.bin" }]
std::vector<HostWrite> ParseWrites(const TomlReader& table, const ParseContext& context) {
  std::vector<HostWrite> writes;
  if (!table.Has("write")) return writes;
  for (const toml::node& node : table.Array("write")) {
    const TomlReader write = table.TableOf(node, "an element of 'write'");
    write.AllowOnly({"to", "offset", "file"});
    writes.push_back(
        {.region = write.Line("to"),
         .offset = static_cast<uint64_t>(write.Integer("offset", 0, int64_t{1} << 40, 0)),
         .file = context.folder / write.Line("file"),
         .location = LocationOf(write.position())});
  }
  return writes;
}

std::map<std::string, std::string> ParseTextureNames(const TomlReader& launch) {
  std::map<std::string, std::string> names;
  if (!launch.Has("textures")) return names;
  const TomlReader table = launch.Table("textures", "key 'textures'");
  for (const auto& [variable, node] : table.table()) {
    names[std::string(variable.str())] = table.Line(variable.str());
  }
  return names;
}

}  // namespace

ptx::Location LocationOf(const toml::source_position& position) {
  return {static_cast<int>(position.line), static_cast<int>(position.column)};
}

LaunchSpec ParseLaunch(const TomlReader& table, const ParseContext& context) {
  table.AllowOnly({"ptx", "entry", "grid", "block", "shared", "args", "registers", "repeat",
                   "until_zero", "loop", "write", "textures", "cluster", "stack"});
  LaunchSpec launch;
  launch.location = LocationOf(table.position());
  launch.ptx = context.folder / table.Line("ptx");
  launch.entry = table.Line("entry");
  launch.grid =
      ParseDim3(table, "grid", {std::numeric_limits<int32_t>::max(), 65535, 65535}, context.inputs);
  launch.block =
      ParseDim3(table, "block", {kMaxThreadsPerTb, kMaxThreadsPerTb, 64}, context.inputs);
  if (launch.block.Count() > kMaxThreadsPerTb) {
    table.Fail(table.Require("block").source().begin,
               "key 'block' has {} threads: expected at most {}", launch.block.Count(),
               kMaxThreadsPerTb);
  }
  if (table.Has("cluster")) {
    constexpr int64_t kMostTbs = 16;
    launch.cluster = ParseDim3(table, "cluster", {kMostTbs, kMostTbs, kMostTbs}, context.inputs);
    if (launch.cluster->Count() > kMostTbs) {
      table.Fail(table.Require("cluster").source().begin,
                 "key 'cluster' has {} thread blocks: expected at most {}", launch.cluster->Count(),
                 kMostTbs);
    }
  }
  launch.shared = static_cast<uint32_t>(table.Integer("shared", 0, 1 << 30, 0));
  constexpr int64_t kMostStack = 512 << 10;  // local memory of a thread (CUDA's guide, 17.1)
  launch.stack =
      static_cast<uint32_t>(table.Integer("stack", 1, kMostStack, kDefaultStackBytes) + 15) / 16 *
      16;
  for (const toml::node& node : table.Array("args")) {
    launch.arguments.push_back(ParseArgument(table, node, context.inputs));
  }
  if (table.Has("registers")) {
    launch.registers = static_cast<uint32_t>(table.Integer("registers", 1, 255));
  }
  if (table.Has("repeat")) {
    launch.repeat = static_cast<uint32_t>(table.Integer("repeat", 1, 100000));
  }
  if (table.Has("until_zero")) launch.until_zero = table.Line("until_zero");
  if (table.Has("loop")) launch.loop = table.Line("loop");
  launch.writes = ParseWrites(table, context);
  launch.textures = ParseTextureNames(table);
  return launch;
}

CheckSpec ParseCheck(const std::string& buffer, const TomlReader& table,
                     const std::filesystem::path& folder) {
  table.AllowOnly({"file", "reference", "rtol", "atol"});
  CheckSpec check;
  check.buffer = buffer;
  check.location = LocationOf(table.position());
  if (table.Has("file") == table.Has("reference")) {
    table.Fail(table.position(), "{} has {}: expected exactly one of file, reference", table.name(),
               table.Has("file") ? "both file and reference" : "neither file nor reference");
  }
  if (table.Has("file")) {
    check.file = folder / table.Line("file");
  } else {
    check.reference = table.Line("reference");
  }
  check.rtol = table.Number("rtol", 0, std::numeric_limits<double>::max(), 0);
  check.atol = table.Number("atol", 0, std::numeric_limits<double>::max(), 0);
  return check;
}

}  // namespace flagstone
