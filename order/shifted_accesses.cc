#include "order/shifted_accesses.h"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include "analyzer/address/slice_evaluator.h"
#include "base/random.h"
#include "gpu_model/memory/packet.h"
#include "order/distinct.h"

namespace flagstone::order {
namespace {

using Together = SliceEvaluator::Together;
using Shifts = std::map<uint32_t, int64_t>;  // by pc

constexpr uint64_t kStepLimit = uint64_t{1} << 26;
constexpr int kRandomTbs = 4;
constexpr uint32_t kWarp = kSliceLanes;

class Finder {
 public:
  Finder(const AddressAnalysis& addresses, const KernelLaunch& launch)
      : launch_(launch), structure_(*launch.kernel) {
    std::vector<uint32_t> pcs;
    for (const AddressForm& access : addresses.accesses) {
      if (access.address_class != AddressClass::kDeterministic) continue;
      pcs.push_back(access.pc);
      access_of_[access.pc] = &access;
    }
    evaluator_.emplace(launch, structure_, pcs);
    evaluator_->SetStepLimit(kStepLimit);
  }

  std::optional<ShiftedAccesses> Find(uint32_t parts, uint32_t steps, uint32_t most_steps,
                                      uint32_t unit_bytes) {
    if (access_of_.empty() || !evaluator_->Refused().empty()) return std::nullopt;
    for (uint32_t warp = 0; warp < launch_.WarpsPerTb(); ++warp) {
      const auto remember = [&](const Together& at) { Remember(warp, at); };
      if (!evaluator_->VisitWarp(0, warp, remember)) return std::nullopt;
      if (warp == 0) of_first_warp_ = all_.size();
    }
    const std::array<uint32_t, 3> extent = {launch_.grid.x, launch_.grid.y, launch_.grid.z};
    for (uint32_t axis = 0; axis < 3; ++axis) {
      if (!FindShifts(axis, extent[axis])) return std::nullopt;
    }
    SplitMix64 random(1);
    for (int i = 0; i < kRandomTbs; ++i) {
      const uint64_t tb = i == 0 ? launch_.TbCount() - 1 : random.Below(launch_.TbCount());
      if (!AddsUpAt(tb)) return std::nullopt;
    }
    return Group(parts, steps, most_steps, unit_bytes);
  }

 private:
  // Accesses that lanes of a warp of TB 0 run at once.
  struct Executed {
    uint32_t pc = 0, warp = 0, lanes = 0;
    size_t first = 0;  // of `addresses_` and `turns_`, lane by lane
  };
  void Remember(uint32_t warp, const Together& at) {
    all_.push_back({at.pc, warp, at.lanes, addresses_.size()});
    for (uint32_t left = at.lanes; left != 0; left &= left - 1) {
      const auto lane = static_cast<uint32_t>(std::countr_zero(left));
      addresses_.push_back(at.addresses[lane]);
      turns_.push_back(evaluator_->TurnOf(at.pc, lane));
    }
  }
  // How far each access of the TB's first warp is from TB 0's; false if it is not one distance.
  bool ShiftsAt(uint64_t tb, Shifts& shifts) {
    shifts.clear();
    size_t count = 0;
    bool alike = true;
    const bool whole = evaluator_->VisitWarp(tb, 0, [&](const Together& at) {
      alike = alike && count < of_first_warp_ && IsAlike(at, all_[count], shifts);
      ++count;
    });
    return whole && alike && count == of_first_warp_;
  }
  bool IsAlike(const Together& here, const Executed& there, Shifts& shifts) const {
    if (here.pc != there.pc || here.lanes != there.lanes) return false;
    size_t at = there.first;
    const auto first = static_cast<uint32_t>(std::countr_zero(here.lanes));
    const uint64_t shift = here.addresses[first] - addresses_[at];
    for (uint32_t left = here.lanes; left != 0; left &= left - 1, ++at) {
      const auto lane = static_cast<uint32_t>(std::countr_zero(left));
      if (here.addresses[lane] - addresses_[at] != shift) return false;
    }
    const auto bytes = static_cast<int64_t>(shift);
    return shifts.try_emplace(here.pc, bytes).first->second == bytes;
  }

  uint64_t Id(uint32_t axis, uint64_t coordinate) const {
    const uint64_t row = axis == 0   ? 1
                         : axis == 1 ? launch_.grid.x
                                     : uint64_t{launch_.grid.x} * launch_.grid.y;
    return row * coordinate;
  }

  // In proportion to the coordinate where three of them say so, else one by one.
  bool FindShifts(uint32_t axis, uint32_t extent) {
    Shifts one, at;
    if (extent > 1 && !ShiftsAt(Id(axis, 1), one)) return false;
    bool linear = true;
    for (const uint32_t c : {2U, extent / 2, extent / 2 + 1, extent - 1}) {
      if (c >= extent || extent == 1) continue;
      if (!ShiftsAt(Id(axis, c), at)) return false;
      for (const auto& [pc, shift] : at) linear = linear && shift == one[pc] * c;
    }
    for (const auto& [pc, access] : access_of_) shifts_[pc][axis].resize(extent, 0);
    for (uint32_t c = 1; c < extent; ++c) {
      if (!linear && !ShiftsAt(Id(axis, c), at)) return false;
      for (auto& [pc, shifts] : shifts_) shifts[axis][c] = linear ? one[pc] * c : at[pc];
    }
    return true;
  }

  bool AddsUpAt(uint64_t tb) {
    Shifts at;
    if (!ShiftsAt(tb, at)) return false;
    const Dim3 c = TbCoordinates(tb, launch_.grid);
    return std::all_of(at.begin(), at.end(), [&](const auto& found) {
      const auto& [pc, shift] = found;
      const auto& axes = shifts_.at(pc);
      return shift == axes[0][c.x] + axes[1][c.y] + axes[2][c.z];
    });
  }

  ShiftedAccesses Group(uint32_t parts, uint32_t steps, uint32_t most_steps,
                        uint32_t unit_bytes) const {
    std::map<uint32_t, std::vector<uint32_t>> times, seen;  // by pc, then thread
    for (const auto& [pc, access] : access_of_) {
      times[pc].resize(size_t{launch_.WarpsPerTb()} * kWarp);
      seen[pc] = times[pc];
    }
    uint32_t most = 1;
    for (const Executed& e : all_) {
      std::vector<uint32_t>& of = times[e.pc];
      ForLanes(e, [&](uint32_t thread, size_t) { most = std::max(most, ++of[thread]); });
    }
    ShiftedAccesses result;
    result.steps = steps != 0 ? steps : std::min(most, most_steps);
    result.turns = std::max(1U, most / result.steps);
    using Key = std::pair<bool, std::array<std::vector<int64_t>, 3>>;
    std::map<Key, size_t> group_of_key;
    std::map<uint32_t, size_t> group_of_pc;
    for (const auto& [pc, access] : access_of_) {
      const Key key = {access->is_store, shifts_.at(pc)};
      const auto [at, is_new] = group_of_key.try_emplace(key, result.groups.size());
      group_of_pc[pc] = at->second;
      if (is_new) result.groups.push_back({key.first, {}, 0, key.second});
    }
    for (ShiftedGroup& group : result.groups) group.ranges.resize(size_t{parts} * result.steps);
    CountAsked(group_of_pc, parts, unit_bytes, &result);
    for (const Executed& e : all_) {
      const AddressForm& access = *access_of_.at(e.pc);
      const std::vector<uint32_t>& times_of = times[e.pc];
      std::vector<uint32_t>& seen_of = seen[e.pc];
      ShiftedGroup& group = result.groups[group_of_pc.at(e.pc)];
      const uint32_t part = PartOf(e.warp, parts);
      ForLanes(e, [&](uint32_t thread, size_t i) {
        const uint32_t of = times_of[thread];
        // What happens once is a load at the beginning, or a store at the end.
        uint64_t step = uint64_t{seen_of[thread]++} * result.steps / of;
        if (of == 1 && access.is_store) step = result.steps - 1;
        const auto begin = static_cast<int64_t>(addresses_[i]);
        std::vector<Range>& ranges = group.ranges[part * result.steps + step];
        if (!ranges.empty() && ranges.back().end == begin) {
          ranges.back().end += access.bytes;
        } else if (ranges.empty() || ranges.back() != Range{begin, begin + access.bytes}) {
          ranges.push_back({begin, begin + access.bytes});
        }
      });
    }
    for (ShiftedGroup& group : result.groups) {
      for (std::vector<Range>& ranges : group.ranges) Normalize(ranges);
    }
    return result;
  }

  // Calls visit(thread, index of its address and turn).
  template <class Visit>
  static void ForLanes(const Executed& e, Visit visit) {
    size_t at = e.first;
    for (uint32_t left = e.lanes; left != 0; left &= left - 1) {
      visit(e.warp * kWarp + static_cast<uint32_t>(std::countr_zero(left)), at++);
    }
  }

  // The part whose run of warps has this one.
  uint32_t PartOf(uint32_t warp, uint32_t parts) const {
    return ((warp + 1) * parts - 1) / launch_.WarpsPerTb();
  }

  void CountAsked(const std::map<uint32_t, size_t>& group_of_pc, uint32_t parts,
                  uint32_t unit_bytes, ShiftedAccesses* result) const {
    Distinct asked;
    for (const Executed& e : all_) {
      const AddressForm& access = *access_of_.at(e.pc);
      const size_t group = group_of_pc.at(e.pc);
      const uint64_t unit = access.is_store ? kSectorBytes : unit_bytes;
      const uint64_t who = access.is_store ? uint64_t{e.pc} << 32 | e.warp : PartOf(e.warp, parts);
      const uint64_t name = SplitMix64(group << 1 | (access.is_store ? 1 : 0)).Next() + who;
      uint64_t before = ~uint64_t{0}, turn = 0;
      ForLanes(e, [&](uint32_t /*thread*/, size_t i) {
        const uint64_t last = (addresses_[i] + access.bytes - 1) / unit;
        for (uint64_t s = addresses_[i] / unit; s <= last; ++s) {
          if (s == before && turns_[i] == turn) continue;
          before = s;
          turn = turns_[i];
          const uint64_t at = SplitMix64(SplitMix64(name).Next() + turn).Next() + s;
          if (asked.Insert(SplitMix64(at).Next())) result->groups[group].asked += 1;
        }
      });
    }
  }

  const KernelLaunch& launch_;
  const KernelStructure structure_;
  std::map<uint32_t, const AddressForm*> access_of_;  // by pc
  std::optional<SliceEvaluator> evaluator_;
  std::vector<Executed> all_;                // of TB 0, warp by warp
  std::vector<uint64_t> addresses_, turns_;  // of `all_`, lane by lane
  size_t of_first_warp_ = 0;                 // of `all_`
  std::map<uint32_t, std::array<std::vector<int64_t>, 3>> shifts_;
};

}  // namespace

std::optional<ShiftedAccesses> FindShiftedAccesses(const AddressAnalysis& addresses,
                                                   const KernelLaunch& launch, uint32_t parts,
                                                   uint32_t steps, uint32_t most_steps,
                                                   uint32_t unit_bytes) {
  return Finder(addresses, launch).Find(parts, steps, most_steps, unit_bytes);
}

}  // namespace flagstone::order
