// y = A * x for a matrix in compressed rows, summed in f64.
#include "workloads/reference.h"

#include "base/error.h"

namespace flagstone {
namespace {

// An index that comes from a buffer, which a user may have filled with anything.
size_t Checked(int32_t index, size_t bound, std::string_view what) {
  if (index >= 0 && static_cast<size_t>(index) < bound) return static_cast<size_t>(index);
  ThrowBadInput("reference 'spmv': {} {} of the matrix: expected 0 or more, below {}", what, index,
                bound);
}

}  // namespace

void ComputeSpmv(ReferenceData& data) {
  for (size_t launch = 0; launch < data.LaunchCount(); ++launch) {
    const size_t rows = data.Extent(launch, 5);
    const auto row_start = data.Buffer<int32_t>(launch, 0, rows + 1);
    const auto column = data.Buffer<int32_t>(launch, 1);
    const auto value = data.Buffer<float>(launch, 2, column.size());
    const auto x = data.Buffer<float>(launch, 3);
    const auto y = data.Buffer<float>(launch, 4, rows);
    for (size_t row = 0; row < rows; ++row) {
      const size_t end = Checked(row_start[row + 1], column.size() + 1, "row start");
      double sum = 0;
      for (size_t k = Checked(row_start[row], column.size() + 1, "row start"); k < end; ++k) {
        sum += double{value[k]} * double{x[Checked(column[k], x.size(), "column")]};
      }
      y[row] = static_cast<float>(sum);
    }
  }
}

}  // namespace flagstone
