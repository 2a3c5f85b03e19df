#include "analyzer/cta_mapping/warp_lines.h"

#include <algorithm>

namespace flagstone {
namespace {

constexpr uint32_t kLanes = 32;
// Trips through the loops inside, for one warp and load: some milliseconds for a kernel.
constexpr uint64_t kMostTrips = uint64_t{1} << 14;

uint64_t TripsOf(const CountedLoop& loop) {
  return loop.known || loop.bounded ? loop.trip_count : 1;
}

uint64_t MiddleOf(uint64_t trips) { return trips < 2 ? 0 : (trips - 1) / 2; }

bool IsIn(const AddressForm& access, uint32_t loop) {
  return std::find(access.loops.begin(), access.loops.end(), loop) != access.loops.end();
}

}  // namespace

WarpLines::WarpLines(const AddressAnalysis& analysis, const KernelLaunch& launch, uint32_t loop,
                     uint64_t line_bytes)
    : analysis_(analysis), launch_(launch), loop_(loop), line_bytes_(line_bytes) {
  const bool outside = loop >= analysis.loops.size();
  for (const AddressForm& access : analysis.accesses) {
    if (access.is_store || access.is_copy) continue;
    if (access.address_class != AddressClass::kAffine) continue;
    if (outside ? access.loops.empty() : IsIn(access, loop)) loads_.push_back(&access);
  }
  if (outside) return;
  const uint64_t trips = TripsOf(analysis.loops[loop]);
  middle_ = MiddleOf(trips);
  around_.clear();
  for (uint64_t trip = middle_ == 0 ? 0 : middle_ - 1; trip <= middle_ + 1; ++trip) {
    if (trip < std::max<uint64_t>(trips, 1)) around_.push_back(trip);
  }
}

int64_t WarpLines::ValueOf(const AffineForm& form, const Point& point) const {
  int64_t value = form.constant;
  for (size_t axis = 0; axis < 3; ++axis) {
    value += form.tid[axis] * point.tid[axis] + form.ctaid[axis] * point.tb[axis];
  }
  for (size_t l = 0; l < form.loops.size(); ++l) value += form.loops[l] * point.counters[l];
  return value;
}

bool WarpLines::Of(size_t load, const WarpPlace& place, uint64_t trip,
                   std::vector<uint64_t>* lines) const {
  const AddressForm& access = *loads_[load];
  Point point;
  point.tb = place.tb;
  point.counters.assign(analysis_.loops.size(), 0);
  // Loops around stand in the middle; those inside, which follow this one, are counted through.
  std::vector<uint32_t> inside;
  uint64_t trips = 1;
  bool within = false;
  for (const uint32_t loop : access.loops) {
    const uint64_t all = TripsOf(analysis_.loops[loop]);
    if (within) {
      if (all > kMostTrips || trips * all > kMostTrips) return false;
      trips *= all;
      inside.push_back(loop);
    } else {
      point.counters[loop] = static_cast<int64_t>(MiddleOf(all));
    }
    if (loop != loop_) continue;
    point.counters[loop] = static_cast<int64_t>(trip);
    within = true;
  }
  const Dim3& block = launch_.block;
  lines->clear();
  for (uint64_t at = 0; at < trips; ++at) {
    uint64_t rest = at;
    for (const uint32_t loop : inside) {
      const uint64_t all = TripsOf(analysis_.loops[loop]);
      point.counters[loop] = static_cast<int64_t>(rest % all);
      rest /= all;
    }
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      const uint32_t thread = place.warp * kLanes + lane;
      if (thread >= launch_.ThreadsPerTb()) break;
      point.tid = {thread % block.x, thread / block.x % block.y, thread / block.x / block.y};
      const bool happens =
          std::all_of(access.guards.begin(), access.guards.end(),
                      [&](const Guard& guard) { return ValueOf(guard.form, point) >= 0; });
      if (!happens) continue;
      const auto first = static_cast<uint64_t>(ValueOf(access.form, point));
      const uint64_t last = (first + std::max<uint64_t>(access.Reach(), 1) - 1) / line_bytes_;
      for (uint64_t line = first / line_bytes_; line <= last; ++line) lines->push_back(line);
    }
  }
  std::sort(lines->begin(), lines->end());
  lines->erase(std::unique(lines->begin(), lines->end()), lines->end());
  return true;
}

}  // namespace flagstone
