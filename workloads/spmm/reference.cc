// C = A * B for a sparse A in compressed rows, summed in f64.
#include "workloads/reference.h"

#include "workloads/sparse_rows.h"

namespace flagstone {

void ComputeSpmm(ReferenceData& data) {
  for (size_t launch = 0; launch < data.LaunchCount(); ++launch) {
    const size_t rows = data.Extent(launch, 5);
    const size_t columns = data.Extent(launch, 6);
    if (columns == 0) continue;
    const auto row_start = data.Buffer<int32_t>(launch, 0, rows + 1);
    const auto column = data.Buffer<int32_t>(launch, 1);
    const auto value = data.Buffer<float>(launch, 2, column.size());
    const auto b = data.Buffer<float>(launch, 3);
    const auto c = data.Buffer<float>(launch, 4, rows * columns);
    for (size_t row = 0; row < rows; ++row) {
      const IndexRange elements = CheckedRow("spmm", row_start, row, column.size());
      for (size_t at = 0; at < columns; ++at) {
        double sum = 0;
        for (size_t k = elements.begin; k < elements.end; ++k) {
          const size_t from = CheckedIndex("spmm", column[k], b.size() / columns, "column");
          sum += double{value[k]} * double{b[from * columns + at]};
        }
        c[row * columns + at] = static_cast<float>(sum);
      }
    }
  }
}

}  // namespace flagstone
