#include "app/order/timed_sharers.h"

#include <algorithm>
#include <compare>
#include <numeric>
#include <span>
#include <vector>

#include "analyzer/locality/sharer_table.h"

namespace flagstone {
namespace {

// Calls visit(atom, step) for each load of the TB.
template <class Visit>
void ForEachLoad(const TouchPlan& plan, uint32_t tb, Visit visit) {
  for (uint32_t part = 0; part < plan.parts; ++part) {
    for (const TouchPlan::Touched& touched : plan.TouchedBy(tb, part)) {
      const TouchPlan::Group& group = plan.groups[touched.group];
      if (group.is_store) continue;
      for (uint32_t step = 0; step < group.steps; ++step) {
        for (const uint32_t atom : plan.AtomsOf(touched.piece, step)) {
          visit(atom, group.first_step + step);
        }
      }
    }
  }
}

// By step: the bytes that TBs have loaded before, of all TBs together; one more for the end.
std::vector<double> ClockOf(const TouchPlan& plan) {
  std::vector<double> before(plan.steps + 1);
  for (uint32_t tb = 0; tb < plan.tbs; ++tb) {
    ForEachLoad(plan, tb,
                [&](uint32_t atom, uint32_t step) { before[step + 1] += plan.atoms[atom].bytes; });
  }
  std::partial_sum(before.begin(), before.end(), before.begin());
  return before;
}

// An atom that a TB loads in a window.
struct Use {
  uint32_t atom = 0;
  uint32_t window = 0;
  uint32_t tb = 0;
  auto operator<=>(const Use&) const = default;
};

}  // namespace

SharerSets FindTimedSharers(const TouchPlan& plan, uint64_t window_bytes) {
  SharerSets result;
  result.tb_count = plan.tbs;
  result.skipped_loads = plan.skipped.size();
  const std::vector<double> clock = ClockOf(plan);
  const double window = static_cast<double>(std::max<uint64_t>(window_bytes, 1)) * plan.tbs;
  const bool several = clock[plan.steps] > window;

  std::vector<Use> uses;
  for (uint32_t tb = 0; tb < plan.tbs; ++tb) {
    ForEachLoad(plan, tb, [&](uint32_t atom, uint32_t step) {
      const uint32_t half = several ? static_cast<uint32_t>(2 * clock[step] / window) : 0;
      // Windows of the first row have even numbers.
      uses.push_back({atom, half / 2 * 2, tb});
      if (several) uses.push_back({atom, (half + 1) / 2 * 2 + 1, tb});
    });
  }
  std::sort(uses.begin(), uses.end());
  uses.erase(std::unique(uses.begin(), uses.end()), uses.end());

  SharerTable table(result);
  std::vector<uint32_t> tbs;
  for (size_t begin = 0; begin < uses.size();) {
    const Use& first = uses[begin];
    tbs.clear();
    size_t end = begin;
    for (; end < uses.size() && uses[end].atom == first.atom && uses[end].window == first.window;
         ++end) {
      tbs.push_back(uses[end].tb);
    }
    const uint64_t sectors = plan.atoms[first.atom].bytes / 32;
    table.AddSet(tbs, std::max<uint64_t>(sectors, 1), /*several_warps=*/0);
    begin = end;
  }
  result.total_references = result.shared_by_all;
  for (const SharerFamily& family : result.families) {
    result.total_references += family.weight * family.Sets();
  }
  return result;
}

}  // namespace flagstone
