#include "app/order/shifted_accesses.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "analyzer/address/slice_evaluator.h"
#include "app/order/executed_tb.h"
#include "app/order/shifted_groups.h"
#include "base/random.h"

namespace flagstone::order {
namespace {

constexpr uint64_t kStepLimit = uint64_t{1} << 26;
constexpr int kRandomTbs = 4;

// A run of coordinates along an axis.
struct Run {
  uint32_t first = 0, count = 0;
};

// All of an axis as one, or its first and last coordinates apart from the inner ones.
std::vector<Run> RunsOf(uint32_t extent, bool borders) {
  if (!borders || extent == 1) return {{0, extent}};
  if (extent == 2) return {{0, 1}, {1, 1}};
  return {{0, 1}, {1, extent - 2}, {extent - 1, 1}};
}

class Finder {
 public:
  Finder(const AddressAnalysis& addresses, const KernelLaunch& launch)
      : launch_(launch),
        warps_(static_cast<uint32_t>(launch.WarpsPerTb())),
        structure_(*launch.kernel) {
    std::vector<uint32_t> pcs;
    for (const AddressForm& access : addresses.accesses) {
      if (access.address_class != AddressClass::kDeterministic) continue;
      pcs.push_back(access.pc);
      access_of_[access.pc] = &access;
    }
    evaluator_.emplace(launch, structure_, pcs, addresses.constants.get());
    evaluator_->SetStepLimit(kStepLimit);
  }

  std::optional<ShiftedAccesses> Find(uint32_t parts, uint32_t steps, uint32_t most_steps,
                                      uint32_t unit_bytes) {
    if (access_of_.empty() || !evaluator_->Refused().empty()) return std::nullopt;
    std::optional<std::vector<ShiftedBox>> boxes = FindBoxes(false);
    if (!boxes) boxes = FindBoxes(true);
    if (!boxes) return std::nullopt;
    uint32_t most = 1;
    for (const ShiftedBox& box : *boxes) most = std::max(most, box.first.MostTimes());
    ShiftedAccesses result;
    result.steps = steps != 0 ? steps : std::min(most, most_steps);
    result.turns = std::max(1U, most / result.steps);
    const GroupingOfShifted grouping = {access_of_, warps_, parts, unit_bytes};
    for (const ShiftedBox& box : *boxes) AddGroupsOf(box, grouping, &result);
    return result;
  }

 private:
  // All TBs in boxes in which they are alike.
  std::optional<std::vector<ShiftedBox>> FindBoxes(bool borders) {
    std::vector<ShiftedBox> boxes;
    for (const Run& z : RunsOf(launch_.grid.z, borders)) {
      for (const Run& y : RunsOf(launch_.grid.y, borders)) {
        for (const Run& x : RunsOf(launch_.grid.x, borders)) {
          const TbBox tbs = {{x.first, y.first, z.first}, {x.count, y.count, z.count}};
          std::optional<ShiftedBox> box = FindBox(tbs);
          if (!box) return std::nullopt;
          boxes.push_back(std::move(*box));
        }
      }
    }
    return boxes;
  }

  std::optional<ShiftedBox> FindBox(const TbBox& tbs) {
    std::optional<ExecutedTb> first = ExecutedTb::Evaluate(Id(tbs.first), warps_, &*evaluator_);
    if (!first) return std::nullopt;
    ShiftedBox box = {tbs, std::move(*first), {}};
    std::set<uint32_t> seen;
    uint32_t warps = 1;  // the first ones, which have each access
    for (const ExecutedTb::Access& access : box.first.accesses()) {
      if (seen.insert(access.pc).second) warps = access.warp + 1;
    }
    for (const uint32_t pc : seen) {
      for (size_t axis = 0; axis < 3; ++axis) box.shifts[pc][axis].resize(tbs.count[axis], 0);
    }
    for (size_t axis = 0; axis < 3; ++axis) {
      if (!FindShifts(axis, warps, &box)) return std::nullopt;
    }
    SplitMix64 random(1);
    TbCoordinate at = {};
    for (size_t axis = 0; axis < 3; ++axis) at[axis] = tbs.count[axis] - 1;
    for (int i = 0; i < kRandomTbs; ++i) {
      if (!AddsUpAt(at, box)) return std::nullopt;
      for (size_t axis = 0; axis < 3; ++axis) {
        at[axis] = static_cast<uint32_t>(random.Below(tbs.count[axis]));
      }
    }
    return box;
  }

  uint64_t Id(const TbCoordinate& at) const {
    return (uint64_t{at[2]} * launch_.grid.y + at[1]) * launch_.grid.x + at[0];
  }
  // The TB that is so far from the box's first one.
  uint64_t IdIn(const TbBox& tbs, const TbCoordinate& from) const {
    return Id({tbs.first[0] + from[0], tbs.first[1] + from[1], tbs.first[2] + from[2]});
  }

  // In proportion to the coordinate where some of them say so, else one by one.
  bool FindShifts(size_t axis, uint32_t warps, ShiftedBox* box) {
    const uint32_t count = box->tbs.count[axis];
    const auto shifts_at = [&](uint32_t c) {
      TbCoordinate from = {};
      from[axis] = c;
      return box->first.ShiftsTo(IdIn(box->tbs, from), warps, &*evaluator_);
    };
    if (count == 1) return true;
    const std::optional<ExecutedTb::Shifts> one = shifts_at(1);
    if (!one) return false;
    bool linear = true;
    for (const uint32_t c : {2U, count / 2, count / 2 + 1, count - 1}) {
      if (c >= count) continue;
      const std::optional<ExecutedTb::Shifts> at = shifts_at(c);
      if (!at) return false;
      for (const auto& [pc, shift] : *at) linear = linear && shift == one->at(pc) * c;
    }
    for (uint32_t c = 1; c < count; ++c) {
      std::optional<ExecutedTb::Shifts> at;
      if (!linear && !(at = shifts_at(c))) return false;
      for (auto& [pc, shifts] : box->shifts) {
        shifts[axis][c] = linear ? one->at(pc) * c : at->at(pc);
      }
    }
    return true;
  }

  bool AddsUpAt(const TbCoordinate& from, const ShiftedBox& box) {
    const auto at = box.first.ShiftsTo(IdIn(box.tbs, from), warps_, &*evaluator_);
    return at && std::all_of(at->begin(), at->end(), [&](const auto& found) {
             const auto& [pc, shift] = found;
             const auto& axes = box.shifts.at(pc);
             return shift == axes[0][from[0]] + axes[1][from[1]] + axes[2][from[2]];
           });
  }

  const KernelLaunch& launch_;
  const uint32_t warps_;  // of a TB
  const KernelStructure structure_;
  std::map<uint32_t, const AddressForm*> access_of_;  // by pc
  std::optional<SliceEvaluator> evaluator_;
};

}  // namespace

std::optional<ShiftedAccesses> FindShiftedAccesses(const AddressAnalysis& addresses,
                                                   const KernelLaunch& launch, uint32_t parts,
                                                   uint32_t steps, uint32_t most_steps,
                                                   uint32_t unit_bytes) {
  return Finder(addresses, launch).Find(parts, steps, most_steps, unit_bytes);
}

}  // namespace flagstone::order
