#include "analyzer/locality/locality_graph.h"

#include <algorithm>
#include <span>

#include "base/error.h"

namespace flagstone {
namespace {

void CheckSize(const SharerSets& sharers) {
  if (sharers.PairCount() > kMaxGraphPairs) {
    ThrowBadInput(
        "the locality graph of {} TBs would join more than {} pairs, which is too large for a "
        "graph; hilbert, tile and traffic group TBs without one",
        sharers.tb_count, kMaxGraphPairs);
  }
}

// The graph above its diagonal, row by row, without storing it.
class UpperRows {
 public:
  explicit UpperRows(const SharerSets& sharers);

  struct Entry {
    uint32_t neighbour;
    uint64_t weight;
  };
  // Ascending; valid until the next call.
  std::span<const Entry> Row(uint32_t tb);

 private:
  struct Member {
    uint32_t family;
    uint32_t index;  // of the TB's offset in its set
  };
  template <class Visit>
  void ForEachMember(Visit visit) const;

  const SharerSets& sharers_;
  std::vector<uint64_t> row_start_;  // by TB, into members_
  std::vector<Member> members_;
  std::vector<uint64_t> weight_;  // by TB: scratch, zero between calls
  std::vector<uint32_t> touched_;
  std::vector<Entry> row_;
};

// Each TB of each set that has higher ones.
template <class Visit>
void UpperRows::ForEachMember(Visit visit) const {
  for (uint32_t f = 0; f < sharers_.families.size(); ++f) {
    const SharerFamily& family = sharers_.families[f];
    const std::span<const uint32_t> offsets = sharers_.Offsets(family);
    family.ForEachAnchor([&](uint32_t anchor) {
      for (uint32_t i = 0; i + 1 < offsets.size(); ++i) visit(anchor + offsets[i], Member{f, i});
    });
  }
}

UpperRows::UpperRows(const SharerSets& sharers)
    : sharers_(sharers), row_start_(size_t{sharers.tb_count} + 1, 0), weight_(sharers.tb_count, 0) {
  ForEachMember([this](uint32_t tb, Member) { ++row_start_[tb + 1]; });
  for (size_t tb = 0; tb < sharers.tb_count; ++tb) row_start_[tb + 1] += row_start_[tb];
  members_.resize(row_start_.back());
  std::vector<uint64_t> next(row_start_.begin(), row_start_.end() - 1);
  ForEachMember([&](uint32_t tb, Member member) { members_[next[tb]++] = member; });
}

std::span<const UpperRows::Entry> UpperRows::Row(uint32_t tb) {
  touched_.clear();
  for (uint64_t m = row_start_[tb]; m < row_start_[tb + 1]; ++m) {
    const SharerFamily& family = sharers_.families[members_[m].family];
    const std::span<const uint32_t> offsets = sharers_.Offsets(family);
    const uint32_t anchor = tb - offsets[members_[m].index];
    for (size_t i = members_[m].index + 1; i < offsets.size(); ++i) {
      uint64_t& weight = weight_[anchor + offsets[i]];
      if (weight == 0) touched_.push_back(anchor + offsets[i]);
      weight += family.weight;
    }
  }
  std::sort(touched_.begin(), touched_.end());
  row_.clear();
  for (const uint32_t other : touched_) {
    row_.push_back({other, weight_[other]});
    weight_[other] = 0;
  }
  return row_;
}

}  // namespace

LocalityGraph BuildGraph(const SharerSets& sharers) {
  CheckSize(sharers);
  const uint32_t n = sharers.tb_count;
  // Each row's neighbours above the diagonal first; the others follow by symmetry.
  UpperRows rows(sharers);
  std::vector<uint64_t> upper_start(size_t{n} + 1, 0);
  std::vector<UpperRows::Entry> upper;
  LocalityGraph graph;
  graph.tb_count = n;
  graph.universal_weight = sharers.shared_by_all;
  graph.row_start.assign(size_t{n} + 1, 0);
  for (uint32_t tb = 0; tb < n; ++tb) {
    const std::span<const UpperRows::Entry> row = rows.Row(tb);
    upper.insert(upper.end(), row.begin(), row.end());
    for (const UpperRows::Entry& entry : row) ++graph.row_start[entry.neighbour + 1];
    graph.row_start[tb + 1] += row.size();
    upper_start[tb + 1] = upper.size();
  }
  for (size_t tb = 0; tb < n; ++tb) graph.row_start[tb + 1] += graph.row_start[tb];
  graph.neighbour.resize(graph.row_start[n]);
  graph.weight.resize(graph.row_start[n]);
  // Rows in ascending order: a row's lower neighbours all come before its own upper ones.
  std::vector<uint64_t> next(graph.row_start.begin(), graph.row_start.end() - 1);
  const auto put = [&](uint32_t row, uint32_t neighbour, uint64_t shared) {
    graph.neighbour[next[row]] = neighbour;
    graph.weight[next[row]++] = shared;
  };
  for (uint32_t tb = 0; tb < n; ++tb) {
    for (uint64_t e = upper_start[tb]; e < upper_start[tb + 1]; ++e) {
      put(tb, upper[e].neighbour, upper[e].weight);
      put(upper[e].neighbour, tb, upper[e].weight);
    }
  }
  return graph;
}

LocalityStatistics Summarize(const SharerSets& sharers, Universal universal) {
  LocalityStatistics statistics;
  const uint64_t n = sharers.tb_count;
  statistics.tbs = n;
  statistics.total_references = sharers.total_references;
  if (n == 0) return statistics;
  uint64_t neighbours = 0;  // over all TBs
  if (sharers.shared_by_all > 0 && universal == Universal::kCounted) {
    neighbours = n * (n - 1);
    statistics.shared_tbs = n > 1 ? n : 0;
  } else if (sharers.PairCount() > kMaxGraphPairs) {
    statistics.counted = false;
    return statistics;
  } else {
    UpperRows rows(sharers);
    std::vector<bool> shares(n);
    for (uint32_t tb = 0; tb < n; ++tb) {
      const std::span<const UpperRows::Entry> row = rows.Row(tb);
      neighbours += 2 * row.size();
      if (!row.empty()) shares[tb] = true;
      for (const UpperRows::Entry& entry : row) shares[entry.neighbour] = true;
    }
    statistics.shared_tbs = static_cast<uint64_t>(std::count(shares.begin(), shares.end(), true));
  }
  statistics.edges = neighbours / 2;
  const auto tbs = static_cast<double>(n);
  statistics.sp_score = 1 - static_cast<double>(neighbours) / (tbs * tbs);
  if (statistics.shared_tbs > 0) {
    statistics.degree_of_sharing =
        static_cast<double>(neighbours) / static_cast<double>(statistics.shared_tbs) / tbs;
  }
  return statistics;
}

}  // namespace flagstone
