// [input.NAME] of workload.toml: which generator, or which file.
#include <limits>
#include <optional>
#include <utility>

#include "kernels/inputs/matrix_file.h"
#include "kernels/launch/parse.h"

namespace flagstone {
namespace {

constexpr auto kMostNodes = static_cast<int64_t>(kMostMatrixRows);
constexpr uint64_t kMostElements = kMostMatrixElements;

struct Kind {
  std::string_view name;
  std::vector<std::string_view> keys;  // beside `kind`
  Input::Source (*parse)(const TomlReader& table, const ParseContext& context);
};

uint64_t Seed(const TomlReader& table) {
  return static_cast<uint64_t>(table.Integer("seed", 0, std::numeric_limits<int64_t>::max(), 1));
}

bool Symmetric(const TomlReader& table) {
  return table.Has("symmetric") && table.Boolean("symmetric");
}

uint64_t Size(const TomlReader& table, std::string_view key, int64_t min, int64_t max) {
  return static_cast<uint64_t>(table.Integer(key, min, max));
}

void RequireElements(const TomlReader& table, uint64_t elements) {
  if (elements <= kMostElements) return;
  table.Fail(table.position(), "{} has {} edges: expected at most {}", table.name(), elements,
             kMostElements);
}

Input::Source ParseRmat(const TomlReader& table, const ParseContext& /*context*/) {
  RmatShape shape;
  shape.nodes = Size(table, "nodes", 2, kMostNodes);
  shape.edge_factor = Size(table, "edge_factor", 1, 1 << 20);
  // A smaller probability could leave next to no edge between two nodes in range.
  constexpr double kLeast = 0.01;
  shape.a = table.Number("a", kLeast, 1, shape.a);
  shape.b = table.Number("b", kLeast, 1, shape.b);
  shape.c = table.Number("c", kLeast, 1, shape.c);
  if (shape.a + shape.b + shape.c > 1 - kLeast + 1e-9) {
    table.Fail(table.position(), "a + b + c is {} in {}: expected at most {}",
               shape.a + shape.b + shape.c, table.name(), 1 - kLeast);
  }
  shape.seed = Seed(table);
  shape.symmetric = Symmetric(table);
  RequireElements(table, shape.nodes * shape.edge_factor * (shape.symmetric ? 2 : 1));
  return shape;
}

Input::Source ParseUniform(const TomlReader& table, const ParseContext& /*context*/) {
  UniformGraphShape shape;
  shape.nodes = Size(table, "nodes", 2, kMostNodes);
  shape.degree = Size(table, "degree", 1, 1 << 20);
  shape.seed = Seed(table);
  shape.symmetric = Symmetric(table);
  RequireElements(table, shape.nodes * shape.degree * (shape.symmetric ? 2 : 1));
  return shape;
}

Input::Source ParseMesh2d(const TomlReader& table, const ParseContext& /*context*/) {
  Mesh2dShape shape;
  shape.width = Size(table, "width", 1, 1 << 14);
  shape.height = Size(table, "height", 1, 1 << 14);
  return shape;
}

Input::Source ParseBanded(const TomlReader& table, const ParseContext& /*context*/) {
  BandedMatrixShape shape;
  shape.rows = Size(table, "rows", 1, kMostNodes);
  shape.columns = Size(table, "columns", 1, kMostNodes);
  shape.per_row = Size(table, "per_row", 1, 1 << 20);
  shape.seed = Seed(table);
  const uint64_t longest = shape.per_row + shape.per_row / 2;
  if (longest > shape.columns) {
    table.Fail(table.Require("per_row").source().begin,
               "key 'per_row' is {}: rows get up to {} elements, expected at most {} (columns)",
               shape.per_row, longest, shape.columns);
  }
  RequireElements(table, shape.rows * shape.per_row);
  return shape;
}

std::filesystem::path File(const TomlReader& table, const ParseContext& context) {
  return table.Has("file") ? context.folder / table.Line("file") : std::filesystem::path();
}

Input::Source ParseFile(const TomlReader& table, const ParseContext& context) {
  table.Require("file");
  const std::filesystem::path file = File(table, context);
  const std::optional<MatrixFormat> format = FormatOf(file);
  if (!format) {
    table.Fail(
        table.Require("file").source().begin,
        "cannot tell the format of {}: expected a name that ends in .mtx (Matrix Market), .gr "
        "(DIMACS), .el, .edges or .txt (edge list)",
        Quoted(file.string()));
  }
  MatrixFileOptions options;
  options.symmetric = Symmetric(table);
  return ParseMatrix(context.read(file), *format, file.string(), options);
}

const std::vector<Kind>& Kinds() {
  static const std::vector<Kind> table = {
      {"rmat", {"nodes", "edge_factor", "a", "b", "c", "seed", "symmetric"}, ParseRmat},
      {"uniform", {"nodes", "degree", "seed", "symmetric"}, ParseUniform},
      {"mesh2d", {"width", "height"}, ParseMesh2d},
      {"banded", {"rows", "columns", "per_row", "seed"}, ParseBanded},
      {"file", {"file", "symmetric"}, ParseFile},
  };
  return table;
}

const Kind& FindKind(const TomlReader& table) {
  const std::string name = table.String("kind");
  std::vector<std::string_view> names;
  for (const Kind& kind : Kinds()) {
    if (kind.name == name) return kind;
    names.push_back(kind.name);
  }
  table.Fail(table.Require("kind").source().begin, "unknown kind {}: expected one of {}",
             Quoted(name), CommaSeparated(names));
}

}  // namespace

std::shared_ptr<const Input> ParseInput(const std::string& name, const TomlReader& table,
                                        const ParseContext& context) {
  RequireName(name, "input", table);
  const Kind& kind = FindKind(table);
  std::vector<std::string_view> keys = {"kind"};
  keys.insert(keys.end(), kind.keys.begin(), kind.keys.end());
  table.AllowOnly(keys);
  return std::make_shared<const Input>(name, kind.parse(table, context), File(table, context));
}

}  // namespace flagstone
