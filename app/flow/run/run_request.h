// What both kinds of experiment files say about a run.
#ifndef FLAGSTONE_APP_FLOW_RUN_RUN_REQUEST_H_
#define FLAGSTONE_APP_FLOW_RUN_RUN_REQUEST_H_

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/toml_reader.h"
#include "gpu_model/machines/machine.h"

namespace flagstone {

// The strings of an array; none where the key is absent.
inline std::vector<std::string> ReadStrings(const TomlReader& reader, std::string_view key) {
  std::vector<std::string> strings;
  if (!reader.Has(key)) return strings;
  for (const toml::node& node : reader.Array(key)) {
    if (!node.is_string())
      reader.FailType(node, fmt::format("an element of '{}'", key), "a string");
    strings.push_back(node.as_string()->get());
  }
  return strings;
}

// A name as it is; a path from the folder of the file.
inline std::string PathBeside(const TomlReader& reader, const std::string& name) {
  if (name.find('/') == std::string::npos) return name;
  return (std::filesystem::path(reader.file()).parent_path() / name).string();
}

// The machine with the experiment's own settings, and on top of them those that its user wants.
inline MachineConfig LoadMachine(const std::string& name, std::vector<std::string> own,
                                 const std::vector<std::string>& wanted) {
  own.insert(own.end(), wanted.begin(), wanted.end());
  return MachineConfig::Load(name, own);
}

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_RUN_RUN_REQUEST_H_
