// Graphs and sparse matrices from files that users have: Matrix Market, DIMACS, edge lists.
#ifndef FLAGSTONE_KERNELS_INPUTS_MATRIX_FILE_H_
#define FLAGSTONE_KERNELS_INPUTS_MATRIX_FILE_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "kernels/inputs/sparse_matrix.h"

namespace flagstone {

enum class MatrixFormat : uint8_t {
  // .mtx, "%%MatrixMarket matrix coordinate FIELD SYMMETRY": real, double, integer or pattern;
  // general, symmetric or skew-symmetric, of which elements off the diagonal stand for two.
  // (https://math.nist.gov/MatrixMarket/formats.html)
  kMatrixMarket,
  // .gr of the 9th DIMACS challenge: "p sp NODES ARCS", then "a FROM TO WEIGHT"; nodes from 1.
  // (https://www.diag.uniroma1.it/challenge9/format.shtml)
  kDimacs,
  // .el, .edges, .txt: "FROM TO" or "FROM TO WEIGHT" a line, nodes from 0, comments with # or %;
  // as many nodes as the largest number needs.
  kEdgeList,
};

// By the extension; nothing for any other.
std::optional<MatrixFormat> FormatOf(const std::filesystem::path& file);

inline constexpr uint64_t kMostMatrixRows = uint64_t{1} << 28;
inline constexpr uint64_t kMostMatrixElements = uint64_t{1} << 30;

struct MatrixFileOptions {
  bool symmetric = false;  // adds each element's mirror image, unless the file is symmetric anyway
  uint64_t most_rows = kMostMatrixRows;  // rows or columns that are accepted
};

// The matrix in `text`; `file` names it in messages. Elements at the same place stay several.
// Throws kBadInput ("file:line: what is wrong: what was expected").
SparseMatrix ParseMatrix(std::string_view text, MatrixFormat format, const std::string& file,
                         const MatrixFileOptions& options);

}  // namespace flagstone

#endif  // FLAGSTONE_KERNELS_INPUTS_MATRIX_FILE_H_
