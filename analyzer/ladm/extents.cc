#include "analyzer/ladm/extents.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>

namespace flagstone {
namespace {

using Kind = Prime::Kind;

// Coefficients of the ids and counters in bytes.
struct Coefficients {
  std::array<uint64_t, 3> tid = {}, ctaid = {};
  std::map<uint32_t, uint64_t> counters;
  uint64_t others = 0;    // what all other terms come to at most
  bool all_known = true;  // no term of these varies one cannot tell how far
};

uint64_t Magnitude(int64_t value) {
  return value < 0 ? uint64_t{0} - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
}

Coefficients CoefficientsOf(const Polynomial& index, const PrimeExpansion& expansion) {
  Coefficients result;
  for (const auto& [monomial, coefficient] : index.terms()) {
    if (monomial.empty()) continue;
    const Prime& prime = monomial.front();
    const uint64_t bytes = Magnitude(coefficient);
    if (monomial.size() == 1 && prime.kind == Kind::kTid) {
      result.tid[prime.index] = bytes;
    } else if (monomial.size() == 1 && prime.kind == Kind::kCtaid) {
      result.ctaid[prime.index] = bytes;
    } else if (monomial.size() == 1 && prime.kind == Kind::kCounter) {
      result.counters[prime.index] = bytes;
    } else {
      Polynomial alone;
      alone.Add(monomial, 1);
      const std::optional<uint64_t> most = expansion.MostOf(alone);
      result.all_known = result.all_known && most && *most <= (uint64_t{1} << 31);
      if (result.all_known) result.others += *most * bytes;
    }
  }
  return result;
}

// Over the grid, in one turn of all loops.
uint64_t ReachOfIds(const Coefficients& at, const KernelLaunch& launch) {
  const std::array<uint64_t, 3> block = {launch.block.x, launch.block.y, launch.block.z};
  const std::array<uint64_t, 3> grid = {launch.grid.x, launch.grid.y, launch.grid.z};
  uint64_t reach = at.others;
  for (size_t axis = 0; axis < 3; ++axis) {
    reach += at.tid[axis] * (block[axis] - 1) + at.ctaid[axis] * (grid[axis] - 1);
  }
  return reach;
}

// As rerolled: a copy's counter moves it by one turn of the source's loop.
Polynomial IndexAtLaunch(const ExpandedAccess& access, const PrimeExpansion& expansion) {
  Polynomial index = access.invariant;
  index.AddScaled(access.variant, 1);
  return expansion.AtLaunch(index);
}

// From one TB to the next in the order of their ids; nothing where that is not the same for all.
std::optional<uint64_t> StepOfTbs(const Coefficients& at, const Dim3& grid) {
  const std::array<uint64_t, 3> extents = {grid.x, grid.y, grid.z};
  std::optional<uint64_t> step;
  uint64_t tbs = 1;  // from one to the next along the axis
  for (size_t axis = 0; axis < 3; ++axis) {
    if (extents[axis] > 1) {
      if (step && at.ctaid[axis] != *step * tbs) return std::nullopt;
      if (!step && tbs == 1) step = at.ctaid[axis];
    }
    tbs *= extents[axis];
  }
  return step && *step > 0 ? step : std::nullopt;
}

// The width of a row of data: the shortest step that leads beyond what a row of TBs reaches.
std::optional<uint64_t> RowOf(const Coefficients& at, uint64_t reach) {
  std::optional<uint64_t> row;
  const auto take = [&](uint64_t bytes) {
    if (2 * bytes >= reach && (!row || bytes < *row)) row = bytes;
  };
  for (const size_t axis : {size_t{1}, size_t{2}}) {
    if (at.tid[axis] != 0) take(at.tid[axis]);
    if (at.ctaid[axis] != 0) take(at.ctaid[axis]);
  }
  for (const auto& [loop, bytes] : at.counters) take(bytes);
  return row;
}

}  // namespace

Extents ExtentsOf(const ExpandedAccess& access, const std::vector<CountedLoop>& loops,
                  const KernelLaunch& launch, const PrimeExpansion& expansion) {
  const Coefficients at = CoefficientsOf(IndexAtLaunch(access, expansion), expansion);
  const uint32_t element = access.access->ElementBytes();
  Extents extents;
  extents.turn_bytes = element + ReachOfIds(at, launch);
  extents.exact = at.all_known;
  const std::optional<Prime> striding = StridingLoop(access, launch, expansion);
  for (const auto& [loop, bytes] : at.counters) {
    if (!striding || loop <= striding->index || loop >= loops.size()) continue;
    // Where an inner loop goes over the whole of what an outer one steps by, neither strides.
    if (CoversTheGrid(static_cast<int64_t>(bytes), extents.turn_bytes)) continue;
    const bool counted = (loops[loop].known || loops[loop].bounded) && loops[loop].trip_count > 0;
    extents.exact = extents.exact && counted;
    if (counted) extents.turn_bytes += bytes * (loops[loop].trip_count - 1);
  }
  if (!at.all_known) return extents;
  extents.tb_bytes = StepOfTbs(at, launch.grid);
  if (at.ctaid[0] != 0) extents.column_bytes = at.ctaid[0];
  if (at.ctaid[1] != 0) extents.row_bytes = at.ctaid[1];
  extents.pitch_bytes =
      RowOf(at, element + at.tid[0] * (launch.block.x - 1) + at.ctaid[0] * (launch.grid.x - 1));
  return extents;
}

std::optional<Prime> StridingLoop(const ExpandedAccess& access, const KernelLaunch& launch,
                                  const PrimeExpansion& expansion) {
  const Coefficients at = CoefficientsOf(IndexAtLaunch(access, expansion), expansion);
  const uint64_t reach = access.access->ElementBytes() + ReachOfIds(at, launch);
  std::optional<Prime> outermost, striding;
  uint64_t shortest = 0;
  for (const auto& [monomial, coefficient] : access.variant.terms()) {
    for (const Prime& prime : monomial) {
      if (prime.kind != Kind::kCounter) continue;
      if (!outermost || prime < *outermost) outermost = prime;
      const auto step = at.counters.find(prime.index);
      if (!at.all_known || step == at.counters.end()) break;
      const bool covers = CoversTheGrid(static_cast<int64_t>(step->second), reach);
      if (covers && (!striding || step->second < shortest)) {
        striding = prime;
        shortest = step->second;
      }
      break;  // the outermost of several that a term is a product of
    }
  }
  return striding ? striding : outermost;
}

bool CoversTheGrid(int64_t stride, uint64_t turn_bytes) {
  return Magnitude(stride) >= (turn_bytes + 1) / 2;
}

}  // namespace flagstone
