#include "analyzer/cta_mapping/subscripts.h"

#include <algorithm>
#include <functional>

#include "analyzer/address/affine.h"
#include "analyzer/locality/strided_box.h"
#include "base/arithmetic.h"

namespace flagstone {
namespace {

SymbolRanges RangesOf(const AddressAnalysis& analysis, const KernelLaunch& launch) {
  SymbolRanges ranges{launch.block, launch.grid, {}};
  for (const CountedLoop& loop : analysis.loops) {
    const bool turns = (loop.known || loop.bounded) && loop.trip_count > 0;
    ranges.counters.push_back({0, turns ? static_cast<int64_t>(loop.trip_count) - 1 : 0});
  }
  return ranges;
}

// What could be the length of a row, largest first.
std::vector<int64_t> PitchesOf(std::span<const AddressForm* const> accesses, const Dim3& block,
                               int64_t least) {
  const int64_t threads[] = {block.x, block.y, block.z};
  std::vector<int64_t> pitches;
  for (const AddressForm* access : accesses) {
    const AffineForm& form = access->form;
    for (const int64_t c : form.loops) pitches.push_back(std::abs(c));
    for (size_t axis = 0; axis < 3; ++axis) {
      pitches.push_back(std::abs(form.tid[axis]));
      const bool continues = form.ctaid[axis] == form.tid[axis] * threads[axis];
      if (!continues) pitches.push_back(std::abs(form.ctaid[axis]));
    }
  }
  std::erase_if(pitches, [least](int64_t pitch) { return pitch < least; });
  std::sort(pitches.begin(), pitches.end(), std::greater<>());
  pitches.erase(std::unique(pitches.begin(), pitches.end()), pitches.end());
  return pitches;
}

struct Parts {
  AffineForm quotient;
  AffineForm remainder;
};

// Each coefficient to the nearest multiple of the pitch; the constant so that the remainder's range
// lies about in [0, pitch).
Parts Split(const AffineForm& form, int64_t pitch, const SymbolRanges& ranges,
            std::span<const Guard> guards) {
  Parts parts{form, form};
  const auto split = [pitch](int64_t& quotient, int64_t& remainder) {
    quotient = FloorDivide(2 * quotient + pitch, 2 * pitch);
    remainder -= quotient * pitch;
  };
  for (size_t axis = 0; axis < 3; ++axis) {
    split(parts.quotient.tid[axis], parts.remainder.tid[axis]);
    split(parts.quotient.ctaid[axis], parts.remainder.ctaid[axis]);
  }
  for (size_t l = 0; l < form.loops.size(); ++l) {
    split(parts.quotient.loops[l], parts.remainder.loops[l]);
  }
  const Interval range = ranges.Of(parts.remainder, guards);
  const int64_t middle = range.low + (range.high - range.low) / 2;
  parts.quotient.constant = FloorDivide(middle, pitch);
  parts.remainder.constant -= parts.quotient.constant * pitch;
  return parts;
}

}  // namespace

std::vector<Subscripts> Delinearise(std::span<const AddressForm* const> accesses, uint64_t base,
                                    const AddressAnalysis& analysis, const KernelLaunch& launch,
                                    uint64_t block_bytes) {
  const SymbolRanges ranges = RangesOf(analysis, launch);
  std::vector<AffineForm> rest;
  for (const AddressForm* access : accesses) {
    rest.push_back(access->form);
    rest.back().constant -= static_cast<int64_t>(base);
  }
  std::vector<Subscripts> subscripts(accesses.size());
  for (const int64_t pitch : PitchesOf(accesses, launch.block, static_cast<int64_t>(block_bytes))) {
    std::vector<Parts> parts;
    bool splits = false;
    Interval hull{Interval::kMax, Interval::kMin};
    for (size_t a = 0; a < accesses.size(); ++a) {
      parts.push_back(Split(rest[a], pitch, ranges, accesses[a]->guards));
      const Interval range = ranges.Of(parts.back().remainder, accesses[a]->guards);
      hull.low = std::min(hull.low, range.low);
      hull.high = std::max(hull.high, range.high + static_cast<int64_t>(accesses[a]->Reach()));
      splits = splits || !IsConstant(parts.back().quotient);
    }
    if (!splits || hull.high - hull.low > pitch + pitch / 8) continue;
    for (size_t a = 0; a < accesses.size(); ++a) {
      subscripts[a].push_back(parts[a].quotient);
      rest[a] = parts[a].remainder;
    }
  }
  for (size_t a = 0; a < accesses.size(); ++a) subscripts[a].push_back(rest[a]);
  return subscripts;
}

}  // namespace flagstone
