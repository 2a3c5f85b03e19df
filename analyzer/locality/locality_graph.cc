#include "analyzer/locality/locality_graph.h"

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace flagstone {
namespace {

// Sets of two or more TBs, as compressed rows: the sets that each TB is in.
struct Membership {
  std::vector<uint64_t> row_start;
  std::vector<uint32_t> set;
};

Membership MembershipOf(const SharerSets& sharers) {
  Membership members;
  members.row_start.assign(size_t{sharers.tb_count} + 1, 0);
  for (const SharerSet& set : sharers.sets) {
    if (set.tbs.size() < 2) continue;
    for (const uint32_t tb : set.tbs) ++members.row_start[tb + 1];
  }
  for (size_t tb = 0; tb < sharers.tb_count; ++tb) {
    members.row_start[tb + 1] += members.row_start[tb];
  }
  members.set.resize(members.row_start.back());
  std::vector<uint64_t> next(members.row_start.begin(), members.row_start.end() - 1);
  for (uint32_t s = 0; s < sharers.sets.size(); ++s) {
    if (sharers.sets[s].tbs.size() < 2) continue;
    for (const uint32_t tb : sharers.sets[s].tbs) members.set[next[tb]++] = s;
  }
  return members;
}

void CheckSize(const SharerSets& sharers) {
  uint64_t pairs = 0;
  for (const SharerSet& set : sharers.sets) {
    const uint64_t tbs = set.tbs.size();
    pairs += tbs * (tbs - 1) / 2;
    if (pairs > kMaxGraphPairs) {
      ThrowBadInput(
          "the locality graph of {} TBs would join more than {} pairs; too large to "
          "write out",
          sharers.tb_count, kMaxGraphPairs);
    }
  }
}

}  // namespace

LocalityGraph BuildGraph(const SharerSets& sharers) {
  CheckSize(sharers);
  const Membership members = MembershipOf(sharers);
  const uint32_t n = sharers.tb_count;
  // Each row's neighbours above the diagonal first; the others follow by symmetry.
  std::vector<uint64_t> upper_start(size_t{n} + 1, 0);
  std::vector<std::pair<uint32_t, uint64_t>> upper;
  std::vector<uint64_t> weight(n, 0);
  std::vector<uint32_t> touched;
  LocalityGraph graph;
  graph.tb_count = n;
  graph.universal_weight = sharers.shared_by_all;
  graph.row_start.assign(size_t{n} + 1, 0);
  for (uint32_t tb = 0; tb < n; ++tb) {
    touched.clear();
    for (uint64_t m = members.row_start[tb]; m < members.row_start[tb + 1]; ++m) {
      const SharerSet& set = sharers.sets[members.set[m]];
      for (auto it = std::upper_bound(set.tbs.begin(), set.tbs.end(), tb); it != set.tbs.end();
           ++it) {
        if (weight[*it] == 0) touched.push_back(*it);
        weight[*it] += set.weight;
      }
    }
    std::sort(touched.begin(), touched.end());
    for (const uint32_t other : touched) {
      upper.emplace_back(other, weight[other]);
      weight[other] = 0;
      ++graph.row_start[other + 1];
    }
    graph.row_start[tb + 1] += touched.size();
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
      put(tb, upper[e].first, upper[e].second);
      put(upper[e].first, tb, upper[e].second);
    }
  }
  return graph;
}

LocalityStatistics Summarize(const LocalityGraph& graph, const SharerSets& sharers) {
  LocalityStatistics statistics;
  const uint64_t n = graph.tb_count;
  statistics.tbs = n;
  statistics.total_references = sharers.total_references;
  if (n == 0) return statistics;
  uint64_t neighbours = 0;  // over all TBs
  if (graph.universal_weight > 0) {
    neighbours = n * (n - 1);
    statistics.shared_tbs = n > 1 ? n : 0;
  } else {
    neighbours = graph.neighbour.size();
    for (size_t tb = 0; tb < n; ++tb) {
      if (graph.row_start[tb + 1] > graph.row_start[tb]) ++statistics.shared_tbs;
    }
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
