#include "analyzer/replay/tb_shifts.h"

#include <bit>
#include <utility>

namespace flagstone::replay {
namespace {

using At = std::array<uint32_t, 3>;

At ToArray(const Dim3& at) { return {at.x, at.y, at.z}; }
Dim3 ToDim3(const At& at) { return {at[0], at[1], at[2]}; }
uint32_t IdOf(const Dim3& at, const Dim3& grid) { return (at.z * grid.y + at.y) * grid.x + at.x; }

}  // namespace

TbShifts::TbShifts(const Dim3& grid, size_t accesses, Evaluate evaluate)
    : grid_(grid), evaluate_(std::move(evaluate)), by_access_(accesses) {
  const At extents = ToArray(grid);
  At middle = {};
  for (size_t axis = 0; axis < 3; ++axis) middle[axis] = (extents[axis] - 1) / 2;
  for (size_t axis = 0; axis < 3; ++axis) {
    if (extents[axis] == 1) continue;
    At next = middle;
    ++next[axis];
    const auto shifts = Between(ToDim3(middle), ToDim3(next));
    if (!shifts) continue;
    for (size_t access = 0; access < accesses; ++access) {
      by_access_[access][axis] = (*shifts)[access].value_or(0);
    }
    // Where the ends of the axis are no different, they need no kinds of their own.
    for (uint32_t border = 0; border < 2 && !moves_[axis]; ++border) {
      if (extents[axis] <= 2 * border + 1) continue;
      At first = middle, last = middle;
      first[axis] = borders_[axis] = border;
      last[axis] = extents[axis] - 1 - border;
      moves_[axis] = AddsUp(ToDim3(first), ToDim3(last));
    }
  }
}

TbShifts::Kind TbShifts::KindOf(uint32_t tb) {
  const At at = ToArray(TbCoordinates(tb, grid_)), extents = ToArray(grid_);
  Kind kind = {};
  At first = at, last = at;
  for (size_t axis = 0; axis < 3; ++axis) {
    const uint32_t border = borders_[axis], end = extents[axis] - 1;
    kind[axis] = at[axis];
    if (!moves_[axis] || at[axis] < border || at[axis] + border > end) continue;
    kind[axis] = -1;
    first[axis] = border;
    last[axis] = end - border;
  }
  if (first == last) return kind;
  const auto [known, is_new] = holds_.try_emplace(kind, true);
  if (is_new && IsCompared(kind)) known->second = AddsUp(ToDim3(first), ToDim3(last));
  return known->second ? kind : Kind{at[0], at[1], at[2]};
}

// Where TBs differ along an axis, kinds at a few of its places are: the others are taken to be like
// these (assumption).
bool TbShifts::IsCompared(const Kind& kind) const {
  const At extents = ToArray(grid_);
  for (size_t axis = 0; axis < 3; ++axis) {
    if (kind[axis] < 0) continue;
    const auto at = static_cast<uint32_t>(kind[axis]);
    if (at != 0 && at + 1 != extents[axis] && !std::has_single_bit(at)) return false;
  }
  return true;
}

int64_t TbShifts::Of(size_t access, const Dim3& tb) const {
  const std::array<int64_t, 3>& shifts = by_access_[access];
  return shifts[0] * tb.x + shifts[1] * tb.y + shifts[2] * tb.z;
}

std::optional<TbShifts::Distances> TbShifts::Between(const Dim3& a, const Dim3& b) const {
  const Tb here = evaluate_(IdOf(a, grid_)), there = evaluate_(IdOf(b, grid_));
  if (here.size() != there.size()) return std::nullopt;
  Distances found(by_access_.size());
  for (size_t i = 0; i < here.size(); ++i) {
    const Executed &one = here[i], &two = there[i];
    const auto shift = static_cast<int64_t>(two.address - one.address);
    std::optional<int64_t>& known = found[one.access];
    if (!known) known = shift;
    if (one.access != two.access || one.warp != two.warp || one.lanes != two.lanes ||
        one.pattern != two.pattern || *known != shift) {
      return std::nullopt;
    }
  }
  return found;
}

bool TbShifts::AddsUp(const Dim3& a, const Dim3& b) const {
  const auto found = Between(a, b);
  if (!found) return false;
  for (size_t access = 0; access < by_access_.size(); ++access) {
    const std::optional<int64_t>& distance = (*found)[access];
    if (distance && *distance != Of(access, b) - Of(access, a)) return false;
  }
  return true;
}

}  // namespace flagstone::replay
