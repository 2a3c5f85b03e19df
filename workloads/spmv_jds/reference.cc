// y = A * x for a matrix in jagged diagonals: the elements diagonal by diagonal, summed in f64.
#include "workloads/reference.h"

#include <vector>

#include "workloads/sparse_rows.h"

namespace flagstone {

void ComputeSpmvJds(ReferenceData& data) {
  const size_t rows = data.Extent(0, 5);
  const auto column = data.Buffer<int32_t>(0, 0);
  const auto value = data.Buffer<float>(0, 1, column.size());
  const auto permutation = data.Buffer<int32_t>(0, 2, rows);
  const auto x = data.Buffer<float>(0, 3);
  const auto y = data.Buffer<float>(0, 4, rows);
  const auto start = data.Symbol<int32_t>("diagonal_start");
  std::vector<double> sums(rows, 0);
  for (size_t k = 0; k + 1 < start.size(); ++k) {
    const IndexRange diagonal = CheckedRow("spmv_jds", start, k, column.size());
    for (size_t i = diagonal.begin; i < diagonal.end; ++i) {
      const size_t position = i - diagonal.begin;
      if (position >= rows) break;  // padding of the last group
      const size_t from = CheckedIndex("spmv_jds", column[i], x.size(), "column");
      sums[position] += double{value[i]} * double{x[from]};
    }
  }
  for (size_t position = 0; position < rows; ++position) {
    y[CheckedIndex("spmv_jds", permutation[position], rows, "row")] =
        static_cast<float>(sums[position]);
  }
}

}  // namespace flagstone
