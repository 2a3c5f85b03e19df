#include "order/shifted_accesses.h"

#include <algorithm>
#include <map>
#include <utility>

#include "analyzer/address/slice_evaluator.h"
#include "base/random.h"
#include "gpu_model/memory/packet.h"

namespace flagstone::order {
namespace {

using Executed = SliceEvaluator::Executed;
using Shifts = std::map<uint32_t, int64_t>;  // by pc

constexpr uint64_t kStepLimit = uint64_t{1} << 26;
constexpr int kRandomTbs = 4;
constexpr uint32_t kWarp = 32;

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
    if (!evaluator_->Evaluate(0, all_) || !evaluator_->EvaluateWarp(0, 0, first_warp_)) {
      return std::nullopt;
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
  // How far each access of the TB's first warp is from TB 0's; false if it is not one distance.
  bool ShiftsAt(uint64_t tb, Shifts& shifts) {
    shifts.clear();
    std::vector<Executed> executed;
    if (!evaluator_->EvaluateWarp(tb, 0, executed)) return false;
    if (executed.size() != first_warp_.size()) return false;
    for (size_t i = 0; i < executed.size(); ++i) {
      const Executed& here = executed[i];
      const Executed& there = first_warp_[i];
      if (here.pc != there.pc || here.thread != there.thread) return false;
      const auto shift = static_cast<int64_t>(here.address - there.address);
      if (shifts.try_emplace(here.pc, shift).first->second != shift) return false;
    }
    return true;
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
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> times;  // by pc and thread
    uint32_t most = 1;
    for (const Executed& e : all_) most = std::max(most, ++times[{e.pc, e.thread}]);
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
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> seen;
    for (const Executed& e : all_) {
      const AddressForm& access = *access_of_.at(e.pc);
      const uint32_t of = times.at({e.pc, e.thread});
      const uint32_t time = seen[{e.pc, e.thread}]++;
      // What happens once is a load at the beginning, or a store at the end.
      uint64_t step = uint64_t{time} * result.steps / of;
      if (of == 1 && access.is_store) step = result.steps - 1;
      const auto begin = static_cast<int64_t>(e.address);
      const uint32_t part = PartOf(e.thread, parts);
      result.groups[group_of_pc.at(e.pc)].ranges[part * result.steps + step].push_back(
          {begin, begin + access.bytes});
    }
    for (ShiftedGroup& group : result.groups) {
      for (std::vector<Range>& ranges : group.ranges) Normalize(ranges);
    }
    return result;
  }

  // The part whose run of warps has the thread's.
  uint32_t PartOf(uint32_t thread, uint32_t parts) const {
    return ((thread / kWarp + 1) * parts - 1) / launch_.WarpsPerTb();
  }

  void CountAsked(const std::map<uint32_t, size_t>& group_of_pc, uint32_t parts,
                  uint32_t unit_bytes, ShiftedAccesses* result) const {
    std::vector<std::array<uint64_t, 5>> asked;  // group, turn, pc or none, warp or part, unit
    for (const Executed& e : all_) {
      const AddressForm& access = *access_of_.at(e.pc);
      const uint64_t unit = access.is_store ? kSectorBytes : unit_bytes;
      const uint64_t last = e.address + access.bytes - 1;
      for (uint64_t s = e.address / unit; s <= last / unit; ++s) {
        if (access.is_store) {
          asked.push_back({group_of_pc.at(e.pc), e.turn, e.pc, e.thread / kWarp, s});
        } else {
          asked.push_back({group_of_pc.at(e.pc), e.turn, 0, PartOf(e.thread, parts), s});
        }
      }
    }
    std::sort(asked.begin(), asked.end());
    asked.erase(std::unique(asked.begin(), asked.end()), asked.end());
    for (const auto& one : asked) {
      result->groups[one[0]].asked += 1;
    }
  }

  const KernelLaunch& launch_;
  const KernelStructure structure_;
  std::map<uint32_t, const AddressForm*> access_of_;  // by pc
  std::optional<SliceEvaluator> evaluator_;
  std::vector<Executed> all_, first_warp_;  // of TB 0
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
