#include "app/order/shifted_groups.h"

#include <algorithm>
#include <utility>

#include "app/order/distinct.h"
#include "base/all_cores.h"
#include "base/random.h"
#include "gpu_model/memory/packet.h"

namespace flagstone::order {
namespace {

using Access = ExecutedTb::Access;

class Grouper {
 public:
  Grouper(const ShiftedBox& box, const GroupingOfShifted& grouping, ShiftedAccesses* all)
      : box_(box), grouping_(grouping), steps_(all->steps), groups_(all->groups) {}

  void Add() {
    const size_t first = groups_.size();
    FindGroups();
    ForEachOnAllCores(2, [&](size_t part) { part == 0 ? CountAsked() : AddRanges(); });
    std::vector<std::vector<Range>*> all;
    for (size_t g = first; g < groups_.size(); ++g) {
      for (std::vector<Range>& ranges : groups_[g].ranges) all.push_back(&ranges);
    }
    ForEachOnAllCores(all.size(), [&](size_t i) { Normalize(*all[i]); });
  }

 private:
  // Accesses of one kind that are shifted alike are one. The next two only read what it finds, and
  // fill fields of their own.
  void FindGroups() {
    using Key = std::pair<bool, std::array<std::vector<int64_t>, 3>>;
    std::map<Key, size_t> group_of_key;
    for (const auto& [pc, shifts] : box_.shifts) {
      const Key key = {grouping_.access_of.at(pc)->is_store, shifts};
      const auto [at, is_new] = group_of_key.try_emplace(key, groups_.size());
      group_of_pc_[pc] = at->second;
      if (!is_new) continue;
      groups_.push_back({box_.tbs, key.first, {}, 0, shifts});
      groups_.back().ranges.resize(size_t{grouping_.parts} * steps_);
    }
  }

  void AddRanges() {
    auto seen = box_.first.times();
    for (auto& [pc, of] : seen) std::fill(of.begin(), of.end(), 0);
    for (const Access& executed : box_.first.accesses()) {
      const AddressForm& access = *grouping_.access_of.at(executed.pc);
      const std::vector<uint32_t>& times_of = box_.first.times().at(executed.pc);
      std::vector<uint32_t>& seen_of = seen.at(executed.pc);
      ShiftedGroup& group = groups_[group_of_pc_.at(executed.pc)];
      const uint32_t part = PartOf(executed.warp);
      box_.first.ForLanes(executed, [&](uint32_t thread, uint64_t address, uint64_t /*turn*/) {
        const uint32_t of = times_of[thread];
        // What happens once is a load at the beginning, or a store at the end.
        uint64_t step = uint64_t{seen_of[thread]++} * steps_ / of;
        if (of == 1 && access.is_store) step = steps_ - 1;
        const auto begin = static_cast<int64_t>(address);
        std::vector<Range>& ranges = group.ranges[size_t{part} * steps_ + step];
        if (!ranges.empty() && ranges.back().end == begin) {
          ranges.back().end += access.bytes;
        } else if (ranges.empty() || ranges.back() != Range{begin, begin + access.bytes}) {
          ranges.push_back({begin, begin + access.bytes});
        }
      });
    }
  }

  // The part whose run of warps has this one.
  uint32_t PartOf(uint32_t warp) const {
    return ((warp + 1) * grouping_.parts - 1) / grouping_.warps;
  }

  // Of many turns one in some is counted, as turns of a loop ask for much the same.
  void CountAsked() {
    constexpr size_t kMany = 8192;
    uint64_t one_in = 1;
    while (box_.first.accesses().size() / one_in > kMany) one_in *= 2;
    Distinct asked;
    for (const Access& executed : box_.first.accesses()) {
      const AddressForm& access = *grouping_.access_of.at(executed.pc);
      const size_t group = group_of_pc_.at(executed.pc);
      const uint64_t unit = access.is_store ? kSectorBytes : grouping_.unit_bytes;
      const uint64_t who =
          access.is_store ? uint64_t{executed.pc} << 32 | executed.warp : PartOf(executed.warp);
      const uint64_t name = SplitMix64(group << 1 | (access.is_store ? 1 : 0)).Next() + who;
      uint64_t before = ~uint64_t{0}, turn_before = 0;
      box_.first.ForLanes(executed, [&](uint32_t /*thread*/, uint64_t address, uint64_t turn) {
        const bool counts = turn % one_in == 0;  // every so many, as their names are odd multiples
        const uint64_t last = (address + access.bytes - 1) / unit;
        for (uint64_t s = address / unit; s <= last && counts; ++s) {
          if (s == before && turn == turn_before) continue;
          before = s;
          turn_before = turn;
          const uint64_t at = SplitMix64(SplitMix64(name).Next() + turn).Next() + s;
          if (!asked.Insert(SplitMix64(at).Next())) continue;
          groups_[group].asked += turn == 0 ? 1 : static_cast<double>(one_in);
        }
      });
    }
  }

  const ShiftedBox& box_;
  const GroupingOfShifted& grouping_;
  const uint32_t steps_;
  std::vector<ShiftedGroup>& groups_;
  std::map<uint32_t, size_t> group_of_pc_;
};

}  // namespace

void AddGroupsOf(const ShiftedBox& box, const GroupingOfShifted& grouping, ShiftedAccesses* all) {
  Grouper(box, grouping, all).Add();
}

}  // namespace flagstone::order
