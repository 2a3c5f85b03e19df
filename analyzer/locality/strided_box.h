// Sets of bytes as strided boxes and as sorted ranges.
#ifndef FLAGSTONE_ANALYZER_LOCALITY_STRIDED_BOX_H_
#define FLAGSTONE_ANALYZER_LOCALITY_STRIDED_BOX_H_

#include <cstdint>
#include <vector>

namespace flagstone {

// [begin, end), bytes or data units.
struct Range {
  int64_t begin = 0;
  int64_t end = 0;
  bool operator==(const Range&) const = default;
};

// Sorts, drops empty ranges and joins those that touch or overlap.
void Normalize(std::vector<Range>& ranges);

struct Dimension {
  int64_t stride = 0;  // bytes, any sign
  int64_t count = 1;   // > 0
};

// The bytes [s, s + run) for each s = start + sum(stride_d * i_d), 0 <= i_d < count_d.
struct StridedBox {
  int64_t start = 0;
  int64_t run = 0;
  std::vector<Dimension> dimensions;

  // The same bytes with positive ascending strides; dimensions that continue one another are
  // joined, and those that close the gaps between runs become part of the run.
  void Simplify();
  // Upper bound of the ranges that AppendRanges adds; saturates.
  uint64_t RangeCount() const;
  void AppendRanges(std::vector<Range>& ranges) const;
};

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_LOCALITY_STRIDED_BOX_H_
