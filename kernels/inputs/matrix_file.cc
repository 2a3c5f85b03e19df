#include "kernels/inputs/matrix_file.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/toml_reader.h"
#include "kernels/inputs/line_reader.h"

namespace flagstone {
namespace {

// What is known of a matrix while its lines are read.
struct Elements {
  uint64_t rows = 0;
  uint64_t columns = 0;
  std::vector<MatrixElement> list;
  bool with_values = false;
};

uint32_t Index(LineReader* lines, std::string_view what, uint64_t first, uint64_t count) {
  const uint64_t index = lines->Integer(what, first, first + count - 1);
  return static_cast<uint32_t>(index - first);
}

enum class Symmetry : uint8_t { kGeneral, kSymmetric, kSkew };

struct MatrixHeader {
  bool pattern = false;
  Symmetry symmetry = Symmetry::kGeneral;
};

MatrixHeader ParseHeader(LineReader* lines) {
  static constexpr std::string_view kExpected =
      "expected '%%MatrixMarket matrix coordinate', then real, double, integer or pattern, then "
      "general, symmetric or skew-symmetric";
  if (!lines->Next()) lines->Fail("the file is empty: {}", kExpected);
  std::array<std::string, 5> words;
  for (std::string& word : words) {
    word = lines->Word();
    std::ranges::transform(word, word.begin(), [](char c) {
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
  }
  MatrixHeader header;
  const bool starts = words[0] == "%%matrixmarket" && words[1] == "matrix";
  const bool numbers = words[3] == "real" || words[3] == "double" || words[3] == "integer";
  header.pattern = words[3] == "pattern";
  if (words[4] == "symmetric") header.symmetry = Symmetry::kSymmetric;
  if (words[4] == "skew-symmetric") header.symmetry = Symmetry::kSkew;
  const bool known = header.symmetry != Symmetry::kGeneral || words[4] == "general";
  if (!starts || words[2] != "coordinate" || !(numbers || header.pattern) || !known) {
    lines->Fail("the first line is another: {}", kExpected);
  }
  lines->EndOfLine();
  return header;
}

Elements ParseMatrixMarket(LineReader* lines, MatrixFileOptions* options) {
  const MatrixHeader header = ParseHeader(lines);
  Elements elements;
  elements.with_values = !header.pattern;
  if (!lines->NextUncommented("%")) lines->Fail("there is no line 'ROWS COLUMNS ELEMENTS'");
  elements.rows = lines->Integer("the number of rows", 1, options->most_rows);
  elements.columns = lines->Integer("the number of columns", 1, options->most_rows);
  const uint64_t announced = lines->Integer("the number of elements", 0, kMostMatrixElements);
  lines->EndOfLine();
  const bool mirrored = header.symmetry != Symmetry::kGeneral;
  if ((mirrored || options->symmetric) && elements.rows != elements.columns) {
    lines->Fail("{} rows and {} columns: expected as many of both in a symmetric matrix",
                elements.rows, elements.columns);
  }
  uint64_t count = 0;
  for (; lines->NextUncommented("%"); ++count) {
    if (count == announced) {
      lines->Fail("there are more elements than the {} of the size line", announced);
    }
    MatrixElement element;
    element.row = Index(lines, "the row", 1, elements.rows);
    element.column = Index(lines, "the column", 1, elements.columns);
    if (elements.with_values) element.value = lines->Number("the value");
    lines->EndOfLine();
    elements.list.push_back(element);
    if (!mirrored || element.row == element.column) continue;
    std::swap(element.row, element.column);
    if (header.symmetry == Symmetry::kSkew) element.value = -element.value;
    elements.list.push_back(element);
  }
  if (count != announced) lines->Fail("the file ends after {} of {} elements", count, announced);
  if (mirrored) options->symmetric = false;  // it is already
  return elements;
}

Elements ParseDimacs(LineReader* lines, const MatrixFileOptions& options) {
  Elements elements;
  elements.with_values = true;
  uint64_t announced = 0;
  while (lines->Next()) {
    const std::string kind = lines->Word();
    if (kind.empty() || kind == "c") continue;
    if (kind == "p" && elements.rows == 0) {
      const std::string problem = lines->Word();
      if (problem != "sp") {
        lines->Fail("the problem is {}: expected 'p sp NODES ARCS'", Quoted(problem));
      }
      elements.rows = elements.columns =
          lines->Integer("the number of nodes", 1, options.most_rows);
      announced = lines->Integer("the number of arcs", 0, kMostMatrixElements);
    } else if (kind == "a" && elements.rows != 0) {
      if (elements.list.size() == announced) {
        lines->Fail("there are more arcs than the {} of the line 'p'", announced);
      }
      MatrixElement element;
      element.row = Index(lines, "the source", 1, elements.rows);
      element.column = Index(lines, "the target", 1, elements.rows);
      element.value = lines->Number("the weight");
      elements.list.push_back(element);
    } else {
      lines->Fail("the line starts with {}: expected {}", Quoted(kind.substr(0, 40)),
                  elements.rows == 0 ? "c or 'p sp NODES ARCS'" : "c or 'a FROM TO WEIGHT'");
    }
    lines->EndOfLine();
  }
  if (elements.rows == 0) lines->Fail("there is no line 'p sp NODES ARCS'");
  if (elements.list.size() != announced) {
    lines->Fail("the file ends after {} of {} arcs", elements.list.size(), announced);
  }
  return elements;
}

Elements ParseEdgeList(LineReader* lines, const MatrixFileOptions& options) {
  Elements elements;
  while (lines->NextUncommented("#%")) {
    MatrixElement element;
    element.row = Index(lines, "the source", 0, options.most_rows);
    element.column = Index(lines, "the target", 0, options.most_rows);
    const bool has_value = !lines->AtEndOfLine();
    if (elements.list.empty()) elements.with_values = has_value;
    if (has_value != elements.with_values) {
      lines->Fail("the line has {} weight: expected it as the first edge has it",
                  has_value ? "a" : "no");
    }
    if (has_value) element.value = lines->Number("the weight");
    lines->EndOfLine();
    elements.rows = std::max<uint64_t>(elements.rows, std::max(element.row, element.column) + 1);
    elements.list.push_back(element);
  }
  if (elements.list.empty()) lines->Fail("there is no edge: expected lines 'FROM TO'");
  elements.columns = elements.rows;
  return elements;
}

Elements Parse(LineReader* lines, MatrixFormat format, MatrixFileOptions* options) {
  switch (format) {
    case MatrixFormat::kMatrixMarket:
      return ParseMatrixMarket(lines, options);
    case MatrixFormat::kDimacs:
      return ParseDimacs(lines, *options);
    case MatrixFormat::kEdgeList:
      return ParseEdgeList(lines, *options);
  }
  ThrowInternal("matrix format {} is unknown", static_cast<int>(format));
}

}  // namespace

std::optional<MatrixFormat> FormatOf(const std::filesystem::path& file) {
  const std::string extension = file.extension().string();
  if (extension == ".mtx") return MatrixFormat::kMatrixMarket;
  if (extension == ".gr") return MatrixFormat::kDimacs;
  if (extension == ".el" || extension == ".edges" || extension == ".txt") {
    return MatrixFormat::kEdgeList;
  }
  return std::nullopt;
}

SparseMatrix ParseMatrix(std::string_view text, MatrixFormat format, const std::string& file,
                         const MatrixFileOptions& given) {
  MatrixFileOptions options = given;
  LineReader lines(text, file);
  Elements elements = Parse(&lines, format, &options);
  if (options.symmetric) {
    const size_t count = elements.list.size();
    for (size_t i = 0; i < count; ++i) {
      const MatrixElement element = elements.list[i];
      if (element.row == element.column) continue;
      elements.list.push_back({element.column, element.row, element.value});
    }
  }
  return FromElements(elements.rows, elements.columns, elements.list, elements.with_values);
}

}  // namespace flagstone
