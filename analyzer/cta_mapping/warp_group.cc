#include "analyzer/cta_mapping/warp_group.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "analyzer/cta_mapping/warp_lines.h"

namespace flagstone {
namespace {

// Warps that follow one another on an SM, from the midst of the grid on.
std::vector<WarpPlace> WarpsInARow(const KernelLaunch& launch, const WarpGroupRequest& request) {
  const uint32_t per_tb = launch.WarpsPerTb();
  const std::array<uint32_t, 3> extents = {launch.grid.x, launch.grid.y, launch.grid.z};
  std::array<int64_t, 3> tb = {};
  for (size_t axis = 0; axis < 3; ++axis) tb[axis] = extents[axis] / 2;
  const bool across = request.direction != CtaDirection::kRoundRobin;
  const size_t axis = request.direction == CtaDirection::kY ? 1 : 0;
  // All that an SM holds, as far as the row of the grid goes.
  uint32_t tbs = 1;
  if (across) {
    tbs = std::min(std::max(request.resident_warps / per_tb, 1U), extents[axis]);
    tb[axis] = std::min<int64_t>(tb[axis], extents[axis] - tbs);
  }
  std::vector<WarpPlace> warps;
  for (uint32_t t = 0; t < tbs; ++t, ++tb[axis]) {
    for (uint32_t w = 0; w < per_tb; ++w) warps.push_back({tb, w});
  }
  return warps;
}

// The first and the last warp that touches a line.
struct Span {
  uint32_t first = 0, last = 0;
};

class LoopScan {
 public:
  LoopScan(const WarpLines& lines, uint64_t capacity) : lines_(lines), capacity_(capacity) {}

  // False where there is too much to go through.
  bool Run(const std::vector<WarpPlace>& warps) {
    if (!FindReuseInWarp(warps.front())) return false;
    std::unordered_set<uint64_t> all;
    std::vector<uint64_t> of_load;
    for (uint32_t w = 0; w < warps.size(); ++w) {
      for (size_t load = 0; load < lines_.loads().size(); ++load) {
        if (!lines_.Of(load, warps[w], lines_.middle(), &of_load)) return false;
        auto& spans = spans_[lines_.loads()[load]->array];
        for (const uint64_t line : of_load) {
          all.insert(line);
          spans.try_emplace(line, Span{w, w}).first->second.last = w;
        }
      }
      if (fits_ && all.size() <= capacity_) {
        fitting_ = w + 1;
      } else {
        fits_ = false;
      }
    }
    return true;
  }

  bool reuse_in_warp() const { return reuse_in_warp_; }
  bool fits_all() const { return fits_; }
  uint32_t fitting() const { return fitting_; }
  // The farthest pair of each array, and the least of these; 0: there is no pair.
  uint32_t Reuse() const {
    uint32_t least = 0;
    for (const auto& [array, spans] : spans_) {
      uint32_t farthest = 0;
      for (const auto& [line, span] : spans) farthest = std::max(farthest, span.last - span.first);
      if (farthest != 0 && (least == 0 || farthest + 1 < least)) least = farthest + 1;
    }
    return least;
  }

 private:
  // Whether a warp comes back in the next trip to what it has touched in this one. Of two steps, as
  // one of them may be that to the next line.
  bool FindReuseInWarp(const WarpPlace& warp) {
    std::unordered_set<uint64_t> before;
    std::vector<uint64_t> of_load;
    for (const uint64_t trip : lines_.around()) {
      std::unordered_set<uint64_t> now;
      for (size_t load = 0; load < lines_.loads().size(); ++load) {
        if (!lines_.Of(load, warp, trip, &of_load)) return false;
        now.insert(of_load.begin(), of_load.end());
      }
      for (const uint64_t line : now) reuse_in_warp_ = reuse_in_warp_ || before.contains(line);
      before = std::move(now);
    }
    return true;
  }

  const WarpLines& lines_;
  const uint64_t capacity_;
  std::map<std::string, std::unordered_map<uint64_t, Span>> spans_;  // by array
  bool reuse_in_warp_ = false;
  bool fits_ = true;
  uint32_t fitting_ = 0;
};

void Decide(const LoopScan& scan, uint32_t resident_warps, WarpGroup* group) {
  group->reuse_warps = scan.Reuse();
  group->fitting_warps = scan.fitting();
  group->fits_more = scan.fits_all();
  if (group->reuse_warps == 0 && !scan.reuse_in_warp()) {
    group->reason = WarpGroup::Reason::kNoReuse;
    return;
  }
  uint32_t least = scan.fits_all() ? ~uint32_t{0} : std::max(scan.fitting(), 1U);
  if (group->reuse_warps != 0) least = std::min(least, group->reuse_warps);
  if (least >= std::min(group->bound, resident_warps)) {
    group->reason = WarpGroup::Reason::kAllFit;
    return;
  }
  group->reason = WarpGroup::Reason::kNone;
  group->size = least;
}

}  // namespace

std::string_view ToString(WarpGroup::Reason reason) {
  switch (reason) {
    case WarpGroup::Reason::kNone:
      return "";
    case WarpGroup::Reason::kNoLoads:
      return "no load with a known address";
    case WarpGroup::Reason::kNoReuse:
      return "no line is used again";
    case WarpGroup::Reason::kAllFit:
      return "all would";
    case WarpGroup::Reason::kTooMany:
      return "too many trips to go through";
  }
  return "";
}

std::vector<WarpGroup> FindWarpGroups(const AddressAnalysis& analysis, const KernelLaunch& launch,
                                      const WarpGroupRequest& request) {
  const std::vector<WarpPlace> warps = WarpsInARow(launch, request);
  const bool across = request.direction != CtaDirection::kRoundRobin;
  const uint64_t tbs =
      across ? static_cast<uint64_t>(std::max<int64_t>(request.reuse_distance, 1)) : 1;
  const auto bound =
      static_cast<uint32_t>(std::min<uint64_t>(tbs * launch.WarpsPerTb(), ~uint32_t{0}));
  std::vector<WarpGroup> groups(analysis.loops.size() + 1);
  for (uint32_t g = 0; g < groups.size(); ++g) {
    WarpGroup& group = groups[g];
    group.loop = g == 0 ? WarpGroup::kNoLoop : g - 1;
    group.bound = bound;
    const WarpLines lines(analysis, launch, group.loop, request.line_bytes);
    if (lines.loads().empty()) continue;
    LoopScan scan(lines, request.l1_bytes / request.line_bytes);
    if (scan.Run(warps)) {
      Decide(scan, request.resident_warps, &group);
    } else {
      group.reason = WarpGroup::Reason::kTooMany;
    }
  }
  return groups;
}

}  // namespace flagstone
