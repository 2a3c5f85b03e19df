// The parts of workload.toml, each a table: used by Workload::Parse only.
#ifndef FLAGSTONE_LAUNCH_PARSE_H_
#define FLAGSTONE_LAUNCH_PARSE_H_

#include <filesystem>
#include <string>

#include "base/toml_reader.h"
#include "launch/workload.h"

namespace flagstone {

// Paths in the file start at `folder`. All throw kBadInput with file:line:column.
BufferSpec ParseBuffer(const std::string& name, const TomlReader& table,
                       const std::filesystem::path& folder);
BufferSpec ParseSymbol(const std::string& name, const TomlReader& table,
                       const std::filesystem::path& folder);
LaunchSpec ParseLaunch(const TomlReader& table, const std::filesystem::path& folder);
CheckSpec ParseCheck(const std::string& buffer, const TomlReader& table,
                     const std::filesystem::path& folder);

ptx::Location LocationOf(const toml::source_position& position);

}  // namespace flagstone

#endif  // FLAGSTONE_LAUNCH_PARSE_H_
