// y = A * x for a matrix in compressed rows, summed in f64.
#include "workloads/reference.h"

#include "workloads/sparse_rows.h"

namespace flagstone {
void ComputeSpmv(ReferenceData& data) {
  for (size_t launch = 0; launch < data.LaunchCount(); ++launch) {
    const size_t rows = data.Extent(launch, 5);
    const auto row_start = data.Buffer<int32_t>(launch, 0, rows + 1);
    const auto column = data.Buffer<int32_t>(launch, 1);
    const auto value = data.Buffer<float>(launch, 2, column.size());
    const auto x = data.Buffer<float>(launch, 3);
    const auto y = data.Buffer<float>(launch, 4, rows);
    for (size_t row = 0; row < rows; ++row) {
      const IndexRange elements = CheckedRow("spmv", row_start, row, column.size());
      double sum = 0;
      for (size_t k = elements.begin; k < elements.end; ++k) {
        sum += double{value[k]} * double{x[CheckedIndex("spmv", column[k], x.size(), "column")]};
      }
      y[row] = static_cast<float>(sum);
    }
  }
}

}  // namespace flagstone
