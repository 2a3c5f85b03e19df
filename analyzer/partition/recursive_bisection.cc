// PAVER's recursive bi-partition (section 4.3) with exact sizes.
#include "analyzer/partition/recursive_bisection.h"

#include <algorithm>
#include <utility>

#include "analyzer/partition/bisection.h"
#include "analyzer/partition/prim_order.h"
#include "base/error.h"

namespace flagstone {
namespace partition {
namespace {

class Tree {
 public:
  Tree(uint32_t leaves, uint64_t seed) : seed_(seed) { leaves_.reserve(leaves); }

  // Depth first, left child first; depth is log2 of the leaves. Takes `graph` by value so that a
  // parent's memory is gone before its children split.
  void Grow(PartGraph graph, uint32_t leaves) {
    if (leaves == 1) {
      leaves_.push_back(std::move(graph.tb));
      return;
    }
    if (leaves == graph.Size()) {
      for (const uint32_t tb : graph.tb) leaves_.push_back({tb});
      return;
    }
    uint32_t first_leaves = (leaves + 1) / 2;
    uint32_t second_leaves = leaves - first_leaves;
    const uint32_t size = FirstSize(graph.Size(), leaves, first_leaves);
    const std::vector<int32_t> side = Bisect(graph, size, seed_);
    auto [first, second] = Split(graph, side);
    // Which side is left is free: the lowest TB decides, so that METIS's labels do not show.
    if (second.tb.front() < first.tb.front()) {
      std::swap(first, second);
      std::swap(first_leaves, second_leaves);
    }
    graph = PartGraph();
    Grow(std::move(first), first_leaves);
    Grow(std::move(second), second_leaves);
  }

  std::vector<std::vector<uint32_t>> Leaves() && { return std::move(leaves_); }

 private:
  // TBs for the first `first_leaves` of `leaves`, such that all can have floor or ceil of
  // size / leaves: with size a multiple of leaves, that many times the leaf's size.
  static uint32_t FirstSize(uint32_t size, uint32_t leaves, uint32_t first_leaves) {
    const uint32_t small = size / leaves;
    const uint32_t large_leaves = size % leaves;  // of small + 1 TBs
    const auto share =
        static_cast<uint32_t>((uint64_t{large_leaves} * first_leaves + leaves / 2) / leaves);
    const uint32_t second_leaves = leaves - first_leaves;
    const uint32_t least = large_leaves > second_leaves ? large_leaves - second_leaves : 0;
    return first_leaves * small + std::clamp(share, least, std::min(large_leaves, first_leaves));
  }

  uint64_t seed_;
  std::vector<std::vector<uint32_t>> leaves_;
};

}  // namespace

std::vector<std::vector<uint32_t>> BisectIntoLeaves(PartGraph graph, uint32_t leaves,
                                                    uint64_t seed) {
  Tree tree(leaves, seed);
  tree.Grow(std::move(graph), leaves);
  return std::move(tree).Leaves();
}

uint32_t LeafCount(uint32_t tbs, const PartitionRequest& request) {
  if (tbs == 0) return 0;
  const uint32_t fit = std::max((tbs - 1) / request.tbs_per_sm + 1, std::min(tbs, request.sms));
  if (request.leaves == LeafCounts::kFit) return fit;
  const uint64_t even = uint64_t{(fit - 1) / request.sms + 1} * request.sms;
  return even <= tbs ? static_cast<uint32_t>(even) : fit;
}

void CheckRequest(const PartitionRequest& request) {
  if (request.sms == 0 || request.tbs_per_sm == 0) {
    ThrowInternal("partition for {} SMs with {} TBs each, expected at least 1 of both", request.sms,
                  request.tbs_per_sm);
  }
}

}  // namespace partition

namespace {

TbGroups BisectIntoGroups(const LocalityGraph& graph, uint32_t leaves,
                          const PartitionRequest& request) {
  TbGroups groups;
  groups.steal_enable = true;
  if (graph.tb_count == 0) return groups;
  groups.groups =
      partition::BisectIntoLeaves(partition::MakePartGraph(graph), leaves, request.seed);
  if (request.order == LeafOrder::kIds) {
    // TBs of a leaf ascend.
    std::sort(groups.groups.begin(), groups.groups.end(),
              [](const auto& a, const auto& b) { return a.front() < b.front(); });
  }
  partition::PrimSorter sorter(graph);
  for (std::vector<uint32_t>& group : groups.groups) sorter.Sort(group);
  return groups;
}

}  // namespace

TbGroups PartitionByRecursiveBisection(const LocalityGraph& graph,
                                       const PartitionRequest& request) {
  partition::CheckRequest(request);
  return BisectIntoGroups(graph, partition::LeafCount(graph.tb_count, request), request);
}

TbGroups PartitionByStrictBisection(const LocalityGraph& graph, const PartitionRequest& request) {
  partition::CheckRequest(request);
  const uint32_t tbs = graph.tb_count;
  const uint32_t largest = std::max(1U, request.tbs_per_sm - 1);
  uint64_t leaves = 1;  // halves of halves
  while (leaves * largest < tbs) leaves *= 2;
  const auto wanted = static_cast<uint32_t>(std::min<uint64_t>(leaves, tbs));
  return BisectIntoGroups(graph, std::max(wanted, std::min(tbs, request.sms)), request);
}

}  // namespace flagstone
