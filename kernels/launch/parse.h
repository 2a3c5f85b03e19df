// The parts of workload.toml, each a table: used by Workload::Parse only.
#ifndef FLAGSTONE_KERNELS_LAUNCH_PARSE_H_
#define FLAGSTONE_KERNELS_LAUNCH_PARSE_H_

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/toml_reader.h"
#include "kernels/launch/workload.h"

namespace flagstone {

// What the tables need to know of the rest of the file.
struct ParseContext {
  std::filesystem::path folder;  // where paths start
  FileReader read;               // for graph and matrix files
  Inputs inputs;                 // that values may name
};

// All throw kBadInput with file:line:column.
std::shared_ptr<const Input> ParseInput(const std::string& name, const TomlReader& table,
                                        const ParseContext& context);
BufferSpec ParseBuffer(const std::string& name, const TomlReader& table,
                       const ParseContext& context);
BufferSpec ParseSymbol(const std::string& name, const TomlReader& table,
                       const ParseContext& context);
TextureSpec ParseTexture(const std::string& name, const TomlReader& table);
// { tensor_map = { buffer = "A", ... } } as an argument.
void ParseTensorMap(const TomlReader& table, ArgumentSpec& argument);
ArgumentSpec ParseArgument(const TomlReader& table, const toml::node& node, const Inputs& inputs);
LaunchSpec ParseLaunch(const TomlReader& table, const ParseContext& context);
CheckSpec ParseCheck(const std::string& buffer, const TomlReader& table,
                     const std::filesystem::path& folder);

// The keys that a table with this `fill` may have.
std::vector<std::string_view> KeysOfFill(const TomlReader& table);

// Reads `fill` with its keys, and `count` where the fill does not set it, into `buffer`, whose type
// is known. Filling cannot fail later.
void ParseFill(const TomlReader& table, const ParseContext& context, BufferSpec& buffer);

// The part of it for the fills that take an input. A count that follows only from the jagged
// diagonals stays 0: see CountJagged.
void ParseInputFill(const TomlReader& table, const ParseContext& context, BufferSpec& buffer);

// The part of it for the fills sphere, btree, suffix-tree and reads; the count is known.
void ParseStructureFill(const TomlReader& table, BufferSpec& buffer);

// `min` and `max` of a random fill.
void ParseUniformRange(const TomlReader& table, BufferSpec& buffer);

bool IsFloat(ElementType type);

struct ElementRange {
  double min = 0;
  double max = 0;
};
// The finite values of a type that a TOML number gives exactly: 64-bit integers only up to 2^53.
ElementRange RangeOf(ElementType type);

// Letters, digits and '_', no digit first. `what` is "buffer" or "input".
void RequireName(const std::string& name, std::string_view what, const TomlReader& table);

ptx::Location LocationOf(const toml::source_position& position);

}  // namespace flagstone

#endif  // FLAGSTONE_KERNELS_LAUNCH_PARSE_H_
