#include "analyzer/locality/strided_box.h"

#include <algorithm>
#include <limits>

namespace flagstone {

void Normalize(std::vector<Range>& ranges) {
  std::erase_if(ranges, [](const Range& r) { return r.begin >= r.end; });
  const auto before = [](const Range& a, const Range& b) { return a.begin < b.begin; };
  if (!std::is_sorted(ranges.begin(), ranges.end(), before)) {
    std::sort(ranges.begin(), ranges.end(), before);
  }
  size_t kept = 0;
  for (const Range& range : ranges) {
    if (kept > 0 && range.begin <= ranges[kept - 1].end) {
      ranges[kept - 1].end = std::max(ranges[kept - 1].end, range.end);
    } else {
      ranges[kept++] = range;
    }
  }
  ranges.resize(kept);
}

void StridedBox::Simplify() {
  for (Dimension& d : dimensions) {
    if (d.stride < 0) {
      start += d.stride * (d.count - 1);
      d.stride = -d.stride;
    }
  }
  std::erase_if(dimensions, [](const Dimension& d) { return d.count == 1 || d.stride == 0; });
  std::sort(dimensions.begin(), dimensions.end(), [](const Dimension& a, const Dimension& b) {
    return a.stride != b.stride ? a.stride < b.stride : a.count < b.count;
  });
  std::vector<Dimension> kept;
  for (const Dimension& d : dimensions) {
    if (kept.empty() && d.stride <= run) {
      run += d.stride * (d.count - 1);
      continue;
    }
    // A multiple of the last stride that its count reaches goes on where that one ends.
    if (!kept.empty() && d.stride % kept.back().stride == 0 &&
        d.stride / kept.back().stride <= kept.back().count) {
      kept.back().count += d.stride / kept.back().stride * (d.count - 1);
      continue;
    }
    kept.push_back(d);
  }
  dimensions = std::move(kept);
}

uint64_t StridedBox::RangeCount() const {
  uint64_t count = 1;
  for (const Dimension& d : dimensions) {
    if (__builtin_mul_overflow(count, static_cast<uint64_t>(d.count), &count)) {
      return std::numeric_limits<uint64_t>::max();
    }
  }
  return count;
}

void StridedBox::AppendRanges(std::vector<Range>& ranges) const {
  std::vector<int64_t> index(dimensions.size(), 0);
  int64_t at = start;
  for (;;) {
    ranges.push_back({at, at + run});
    size_t d = 0;
    for (; d < dimensions.size(); ++d) {
      at += dimensions[d].stride;
      if (++index[d] < dimensions[d].count) break;
      at -= dimensions[d].stride * dimensions[d].count;
      index[d] = 0;
    }
    if (d == dimensions.size()) return;
  }
}

}  // namespace flagstone
