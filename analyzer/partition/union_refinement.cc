#include "analyzer/partition/union_refinement.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "base/random.h"

namespace flagstone::partition {
namespace {

constexpr uint32_t kNone = ~uint32_t{0};

// Threshold accepting (Dueck and Scheuer, Journal of Computational Physics 90, 1990): the first
// threshold, in mean costs of a TB, and how fast it falls: to zero within 1 / kFallRate of the
// work, so that the last third takes no step that costs. Own choices: the source leaves both open.
constexpr double kFirstThreshold = 1.5;
constexpr double kFallRate = 1.5;

// Sets of two TBs or more, both ways round, as compressed rows.
struct Incidence {
  std::vector<uint64_t> tb_start, set_start;
  std::vector<uint32_t> sets_of_tb, tbs_of_set;
  std::vector<uint64_t> weight;  // by set

  explicit Incidence(const SharerSets& sharers) {
    tb_start.assign(size_t{sharers.tb_count} + 1, 0);
    set_start.push_back(0);
    sharers.ForEachSet([&](std::span<const uint32_t> tbs, uint64_t units) {
      if (tbs.size() < 2) return;
      for (const uint32_t tb : tbs) ++tb_start[tb + 1];
      tbs_of_set.insert(tbs_of_set.end(), tbs.begin(), tbs.end());
      set_start.push_back(tbs_of_set.size());
      weight.push_back(units);
    });
    for (size_t tb = 0; tb < sharers.tb_count; ++tb) tb_start[tb + 1] += tb_start[tb];
    sets_of_tb.resize(tbs_of_set.size());
    std::vector<uint64_t> next(tb_start.begin(), tb_start.end() - 1);
    for (uint32_t set = 0; set < weight.size(); ++set) {
      for (const uint32_t tb : TbsOf(set)) sets_of_tb[next[tb]++] = set;
    }
  }
  std::span<const uint32_t> TbsOf(uint32_t set) const {
    return std::span(tbs_of_set).subspan(set_start[set], set_start[set + 1] - set_start[set]);
  }
  std::span<const uint32_t> SetsOf(uint32_t tb) const {
    return std::span(sets_of_tb).subspan(tb_start[tb], tb_start[tb + 1] - tb_start[tb]);
  }
};

// How many TBs of a group are in a set, for all pairs where it is not zero.
class Counts {
 public:
  // `pairs`: at most so many are not zero to begin with. Few groups and sets get a plain table.
  Counts(size_t groups, size_t sets, size_t pairs) : sets_(sets) {
    if (groups * sets <= kMaxTable) {
      table_.assign(groups * sets, 0);
      return;
    }
    size_t size = 16;
    while (size < 2 * pairs + 16) size *= 2;
    keys_.assign(size, kEmpty);
    counts_.assign(size, 0);
  }
  uint32_t& At(uint32_t group, uint32_t set) {
    if (!table_.empty()) return table_[group * sets_ + set];
    const uint64_t key = uint64_t{group} << 32 | set;
    size_t slot = (key * 0x9e3779b97f4a7c15U >> 20) & (keys_.size() - 1);
    while (keys_[slot] != key) {
      if (keys_[slot] == kEmpty) {
        if (used_ > keys_.size() / 4 * 3) {
          Rehash();
          return At(group, set);
        }
        keys_[slot] = key;
        ++used_;
        break;
      }
      slot = (slot + 1) & (keys_.size() - 1);
    }
    return counts_[slot];
  }

 private:
  static constexpr uint64_t kEmpty = ~uint64_t{0};
  static constexpr size_t kMaxTable = size_t{1} << 22;
  // Drops what has gone back to zero, and grows if that is not enough.
  void Rehash() {
    std::vector<uint64_t> keys;
    std::vector<uint32_t> counts;
    std::swap(keys, keys_);
    std::swap(counts, counts_);
    const auto live = static_cast<size_t>(
        std::count_if(counts.begin(), counts.end(), [](uint32_t c) { return c != 0; }));
    const size_t size = live > keys.size() / 2 ? 2 * keys.size() : keys.size();
    keys_.assign(size, kEmpty);
    counts_.assign(size, 0);
    used_ = 0;
    for (size_t i = 0; i < keys.size(); ++i) {
      if (counts[i] == 0) continue;
      At(static_cast<uint32_t>(keys[i] >> 32), static_cast<uint32_t>(keys[i])) = counts[i];
    }
  }

  size_t sets_;
  std::vector<uint32_t> table_;  // by group, then set; empty: the hash table below is in use
  std::vector<uint64_t> keys_;
  std::vector<uint32_t> counts_;
  size_t used_ = 0;
};

class Refinement {
 public:
  Refinement(const SharerSets& sharers, TbGroups groups, uint32_t capacity, uint64_t seed)
      : sets_(sharers),
        groups_(std::move(groups)),
        capacity_(capacity),
        random_(seed),
        group_of_(sharers.tb_count, kNone),
        counts_(groups_.groups.size(), sets_.weight.size(), sets_.tbs_of_set.size()) {
    for (uint32_t g = 0; g < groups_.groups.size(); ++g) {
      for (const uint32_t tb : groups_.groups[g]) {
        group_of_[tb] = g;
        for (const uint32_t set : sets_.SetsOf(tb)) {
          if (counts_.At(g, set)++ == 0) cost_ += static_cast<int64_t>(sets_.weight[set]);
        }
      }
    }
  }

  TbGroups Run(uint64_t max_work) {
    std::vector<uint32_t> shared;  // TBs that can gain at all
    for (uint32_t tb = 0; tb < group_of_.size(); ++tb) {
      if (!sets_.SetsOf(tb).empty()) shared.push_back(tb);
    }
    const std::vector<uint32_t> start = group_of_;
    const int64_t start_cost = cost_;
    if (shared.size() < 2 || groups_.groups.size() < 2) return Result(start);
    const double first =
        kFirstThreshold * static_cast<double>(cost_) / static_cast<double>(shared.size());
    const double slope = kFallRate * first / static_cast<double>(max_work);
    while (work_ < max_work) {
      threshold_ =
          std::max(int64_t{0}, static_cast<int64_t>(first - slope * static_cast<double>(work_)));
      Try(shared[random_.Below(shared.size())]);
    }
    return Result(cost_ < start_cost ? group_of_ : start);
  }

 private:
  // Brings `tb` to a TB that it shares with, in exchange for another one of that group.
  void Try(uint32_t tb) {
    const std::span<const uint32_t> sets = sets_.SetsOf(tb);
    const std::span<const uint32_t> others = sets_.TbsOf(sets[random_.Below(sets.size())]);
    const uint32_t to = group_of_[others[random_.Below(others.size())]];
    const uint32_t from = group_of_[tb];
    ++work_;
    if (to == from) return;
    std::vector<uint32_t>& there = groups_.groups[to];
    std::vector<uint32_t>& here = groups_.groups[from];
    const bool moves = there.size() < capacity_ && here.size() > 1;
    const uint32_t back = moves ? kNone : there[random_.Below(there.size())];
    const int64_t before = cost_;
    Put(tb, from, to);
    if (!moves) Put(back, to, from);
    if (cost_ <= before + threshold_) {
      here.erase(std::find(here.begin(), here.end(), tb));
      there.push_back(tb);
      if (!moves) {
        there.erase(std::find(there.begin(), there.end(), back));
        here.push_back(back);
      }
      return;
    }
    if (!moves) Put(back, from, to);
    Put(tb, to, from);
  }

  void Put(uint32_t tb, uint32_t from, uint32_t to) {
    for (const uint32_t set : sets_.SetsOf(tb)) {
      const auto weight = static_cast<int64_t>(sets_.weight[set]);
      if (--counts_.At(from, set) == 0) cost_ -= weight;
      if (counts_.At(to, set)++ == 0) cost_ += weight;
    }
    work_ += sets_.SetsOf(tb).size();
    group_of_[tb] = to;
  }

  TbGroups Result(const std::vector<uint32_t>& group_of) {
    for (std::vector<uint32_t>& group : groups_.groups) group.clear();
    for (uint32_t tb = 0; tb < group_of.size(); ++tb) groups_.groups[group_of[tb]].push_back(tb);
    return std::move(groups_);
  }

  Incidence sets_;
  TbGroups groups_;
  uint32_t capacity_;
  SplitMix64 random_;
  std::vector<uint32_t> group_of_;  // by TB
  Counts counts_;
  int64_t cost_ = 0;
  int64_t threshold_ = 0;
  uint64_t work_ = 0;  // sets looked at
};

}  // namespace

uint64_t UnionUnits(const SharerSets& sharers, const TbGroups& groups) {
  std::vector<uint32_t> group_of(sharers.tb_count, kNone);
  for (uint32_t g = 0; g < groups.groups.size(); ++g) {
    for (const uint32_t tb : groups.groups[g]) group_of[tb] = g;
  }
  std::vector<uint64_t> last(groups.groups.size(), 0);
  uint64_t set = 0;
  uint64_t units = 0;
  sharers.ForEachSet([&](std::span<const uint32_t> tbs, uint64_t weight) {
    ++set;
    for (const uint32_t tb : tbs) {
      if (std::exchange(last[group_of[tb]], set) != set) units += weight;
    }
  });
  return units;
}

TbGroups RefineUnion(const SharerSets& sharers, TbGroups groups, uint32_t capacity, uint64_t seed,
                     uint64_t max_work) {
  return Refinement(sharers, std::move(groups), capacity, seed).Run(max_work);
}

}  // namespace flagstone::partition
