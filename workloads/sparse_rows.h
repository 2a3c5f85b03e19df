// Indices that come from a buffer, which a user may have filled with anything: for references.
#ifndef FLAGSTONE_WORKLOADS_SPARSE_ROWS_H_
#define FLAGSTONE_WORKLOADS_SPARSE_ROWS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/error.h"

namespace flagstone {

// `index` if it is 0 or more and below `bound`; else throws kBadInput, naming the reference.
inline size_t CheckedIndex(std::string_view reference, int64_t index, size_t bound,
                           std::string_view what) {
  if (index >= 0 && static_cast<uint64_t>(index) < bound) return static_cast<size_t>(index);
  ThrowBadInput("reference '{}': {} is {}: expected 0 or more, below {}", reference, what, index,
                bound);
}

// The elements [begin, end) of a row of a matrix in compressed rows.
struct IndexRange {
  size_t begin = 0;
  size_t end = 0;
};
inline IndexRange CheckedRow(std::string_view reference, std::span<const int32_t> starts,
                             size_t row, size_t elements) {
  IndexRange range;
  range.begin = CheckedIndex(reference, starts[row], elements + 1, "row start");
  range.end = CheckedIndex(reference, starts[row + 1], elements + 1, "row start");
  return range;
}

}  // namespace flagstone

#endif  // FLAGSTONE_WORKLOADS_SPARSE_ROWS_H_
