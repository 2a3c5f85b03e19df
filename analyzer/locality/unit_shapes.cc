#include "analyzer/locality/unit_shapes.h"

#include <algorithm>
#include <utility>

#include "base/arithmetic.h"

namespace flagstone {
namespace {

// Units that are in the ranges of two readers or more.
std::vector<Range> ReadTwice(const std::vector<std::vector<Range>>& readers) {
  std::vector<std::pair<int64_t, int>> ends;
  for (const std::vector<Range>& reader : readers) {
    for (const Range& range : reader) {
      ends.emplace_back(range.begin, 1);
      ends.emplace_back(range.end, -1);
    }
  }
  std::sort(ends.begin(), ends.end());
  std::vector<Range> twice;
  int reading = 0;
  for (const auto& [at, change] : ends) {
    if (reading < 2 && reading + change == 2) twice.push_back({at, at});
    if (reading == 2 && change < 0) twice.back().end = at;
    reading += change;
  }
  Normalize(twice);
  return twice;
}

}  // namespace

std::vector<Range> UnitShapes::Convert(std::span<const Range> bytes, int64_t offset) const {
  std::vector<Range> units;
  units.reserve(bytes.size());
  for (const Range& range : bytes) {
    const Range in_units = {FloorDivide(range.begin + offset, unit_),
                            FloorDivide(range.end - 1 + offset, unit_) + 1};
    if (!units.empty() && in_units.begin <= units.back().end) {
      units.back().end = in_units.end;
    } else {
      units.push_back(in_units);
    }
  }
  return units;
}

UnitShapes::Placed UnitShapes::At(uint32_t shape, int64_t base) {
  const int64_t shift = FloorDivide(base, unit_);
  const int64_t offset = base - shift * unit_;
  const auto [found, is_new] =
      known_.try_emplace(uint64_t{shape} << 32 | static_cast<uint64_t>(offset));
  Units& units = found->second;
  if (is_new) {
    units.reads = Convert(array_.shapes[shape], offset);
    if (!array_.warps.empty()) {
      std::vector<std::vector<Range>> warps;
      for (const std::vector<Range>& warp : array_.warps[shape]) {
        warps.push_back(Convert(warp, offset));
      }
      units.several_warps = ReadTwice(warps);
    }
  }
  return {units.reads, units.several_warps, shift};
}

}  // namespace flagstone
