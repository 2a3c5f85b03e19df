#include "kernels/inputs/banded_matrix.h"

#include <algorithm>
#include <vector>

#include "base/random.h"

namespace flagstone {
namespace {

std::vector<uint64_t> RowStarts(const BandedMatrixShape& shape) {
  SplitMix64 random(shape.seed);
  std::vector<uint64_t> starts;
  starts.reserve(shape.rows + 1);
  starts.push_back(0);
  for (uint64_t row = 0; row < shape.rows; row += 2) {
    const uint64_t difference = random.Below(shape.per_row / 2 + 1);
    if (row + 1 == shape.rows) {  // an odd last row has no partner
      starts.push_back(starts.back() + shape.per_row);
      break;
    }
    starts.push_back(starts.back() + shape.per_row + difference);
    starts.push_back(starts.back() + shape.per_row - difference);
  }
  return starts;
}

}  // namespace

SparseMatrix GenerateBandedMatrix(const BandedMatrixShape& shape) {
  // Row lengths and columns draw from different sequences, so that the columns do not depend on how
  // many numbers the row starts drew.
  SplitMix64 random(~shape.seed);
  SparseMatrix matrix;
  matrix.columns = shape.columns;
  matrix.starts = RowStarts(shape);
  const uint64_t band = std::min(4 * shape.per_row, shape.columns);
  std::vector<uint32_t>& columns = matrix.column;
  columns.reserve(matrix.starts.back());
  for (uint64_t row = 0; row < shape.rows; ++row) {
    const uint64_t length = matrix.Length(row);
    const uint64_t diagonal = row * shape.columns / shape.rows;
    const uint64_t begin = std::min(diagonal - std::min(diagonal, band / 2), shape.columns - band);
    const bool has_far = random.Below(8) != 0 && band < shape.columns && length > 0;
    // Selection sampling: each column of the band is taken with the probability that makes the
    // number come out exactly.
    uint64_t wanted = length - (has_far ? 1 : 0);
    const auto first = static_cast<std::ptrdiff_t>(columns.size());
    for (uint64_t at = 0; wanted > 0; ++at) {
      if (random.Below(band - at) < wanted) {
        columns.push_back(static_cast<uint32_t>(begin + at));
        --wanted;
      }
    }
    if (has_far) {
      uint64_t far = random.Below(shape.columns - band);
      if (far >= begin) far += band;
      columns.insert(std::upper_bound(columns.begin() + first, columns.end(), far),
                     static_cast<uint32_t>(far));
    }
  }
  return matrix;
}

}  // namespace flagstone
