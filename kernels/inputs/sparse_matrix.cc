#include "kernels/inputs/sparse_matrix.h"

#include <algorithm>
#include <numeric>

namespace flagstone {

SparseMatrix FromElements(uint64_t rows, uint64_t columns,
                          const std::vector<MatrixElement>& elements, bool with_values) {
  SparseMatrix matrix;
  matrix.columns = columns;
  matrix.starts.assign(rows + 1, 0);
  for (const MatrixElement& element : elements) ++matrix.starts[element.row + 1];
  std::partial_sum(matrix.starts.begin(), matrix.starts.end(), matrix.starts.begin());
  // A counting sort by row, then a stable sort within each row.
  std::vector<uint64_t> next(matrix.starts.begin(), matrix.starts.end() - 1);
  std::vector<uint64_t> order(elements.size());
  for (uint64_t i = 0; i < elements.size(); ++i) order[next[elements[i].row]++] = i;
  for (uint64_t row = 0; row < rows; ++row) {
    std::stable_sort(
        order.begin() + static_cast<std::ptrdiff_t>(matrix.starts[row]),
        order.begin() + static_cast<std::ptrdiff_t>(matrix.starts[row + 1]),
        [&](uint64_t a, uint64_t b) { return elements[a].column < elements[b].column; });
  }
  matrix.column.reserve(elements.size());
  for (const uint64_t i : order) matrix.column.push_back(elements[i].column);
  if (with_values) {
    matrix.values.reserve(elements.size());
    for (const uint64_t i : order) matrix.values.push_back(elements[i].value);
  }
  return matrix;
}

JaggedMatrix ToJagged(const SparseMatrix& matrix) {
  JaggedMatrix jagged;
  jagged.permutation.resize(matrix.Rows());
  std::iota(jagged.permutation.begin(), jagged.permutation.end(), uint64_t{0});
  std::stable_sort(jagged.permutation.begin(), jagged.permutation.end(),
                   [&](uint64_t a, uint64_t b) { return matrix.Length(a) > matrix.Length(b); });
  for (uint64_t at = 0; at < matrix.Rows(); at += kJaggedGroup) {
    jagged.lengths.push_back(matrix.Length(jagged.permutation[at]));
  }
  const uint64_t diagonals = jagged.lengths.empty() ? 0 : jagged.lengths.front();
  uint64_t groups = jagged.lengths.size();  // that have an element in diagonal k: the first ones
  jagged.starts.push_back(0);
  for (uint64_t k = 0; k < diagonals; ++k) {
    while (jagged.lengths[groups - 1] <= k) --groups;
    for (uint64_t at = 0; at < groups * kJaggedGroup; ++at) {
      const bool is_row = at < matrix.Rows() && k < matrix.Length(jagged.permutation[at]);
      jagged.elements.push_back(is_row ? matrix.starts[jagged.permutation[at]] + k
                                       : JaggedMatrix::kPadding);
    }
    jagged.starts.push_back(jagged.elements.size());
  }
  return jagged;
}

}  // namespace flagstone
