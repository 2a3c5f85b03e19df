// A sparse matrix, which is also a graph: what graph generators and readers give and fills take.
#ifndef FLAGSTONE_KERNELS_INPUTS_SPARSE_MATRIX_H_
#define FLAGSTONE_KERNELS_INPUTS_SPARSE_MATRIX_H_

#include <cstdint>
#include <vector>

namespace flagstone {

// Compressed rows (CSR). As a graph: node i has the edges of row i, to the nodes of their columns.
struct SparseMatrix {
  uint64_t columns = 0;
  std::vector<uint64_t> starts = {0};  // rows + 1 offsets into `column`
  std::vector<uint32_t> column;        // of each element; ascends in a row, may repeat
  std::vector<double> values;          // of each element; empty where the matrix is a mere graph

  uint64_t Rows() const { return starts.size() - 1; }
  uint64_t Elements() const { return column.size(); }
  uint64_t Length(uint64_t row) const { return starts[row + 1] - starts[row]; }
};

// One element, as a generator or a reader comes across it.
struct MatrixElement {
  uint32_t row = 0;
  uint32_t column = 0;
  double value = 0;
};

// Sorts by row, then by column; elements at the same place stay in their order and stay several.
// Rows and columns must be in range. `with_values`: keeps the values.
SparseMatrix FromElements(uint64_t rows, uint64_t columns,
                          const std::vector<MatrixElement>& elements, bool with_values);

// Jagged diagonals (JDS), padded for warps: rows in the order of falling length (equal ones in
// their order), in groups of kJaggedGroup; a group's rows are padded to its longest with elements
// of column 0 and value 0. The k-th elements of all rows that long are neighbours: element k of the
// row at position p is at starts[k] + p.
inline constexpr uint64_t kJaggedGroup = 32;
struct JaggedMatrix {
  static constexpr uint64_t kPadding = ~uint64_t{0};
  std::vector<uint64_t> permutation;  // position -> row
  std::vector<uint64_t> starts;       // of each diagonal, and one past the last
  std::vector<uint64_t> lengths;      // of each group, its rows' padded length
  std::vector<uint64_t> elements;     // index of the element in the SparseMatrix, or kPadding
};
JaggedMatrix ToJagged(const SparseMatrix& matrix);

}  // namespace flagstone

#endif  // FLAGSTONE_KERNELS_INPUTS_SPARSE_MATRIX_H_
