// Groups that let the least data into the L1 caches: the best start there is, refined by swaps.
#include <algorithm>
#include <utility>

#include "analyzer/partition/partitioners.h"
#include "analyzer/partition/recursive_bisection.h"
#include "analyzer/partition/union_refinement.h"

namespace flagstone {
namespace {

// Up to here the graph costs less than the refinement does.
constexpr uint64_t kMaxStartPairs = uint64_t{1} << 23;

// Sets looked at: a few seconds at most; with a fifth of it per TB, syrk with 32 TBs at once keeps
// 0.137 of its footprint in place of 0.123.
constexpr uint64_t kWorkPerTb = 20000;
constexpr uint64_t kMaxWork = uint64_t{1} << 27;

}  // namespace

TbGroups PartitionByTraffic(const Dim3& grid, const SharerSets& sharers,
                            const PartitionRequest& request) {
  partition::CheckRequest(request);
  if (sharers.tb_count == 0) return {{}, true};
  TbGroups best = PartitionByTiles(grid, request);
  uint64_t best_units = partition::UnionUnits(sharers, best);
  const auto offer = [&](TbGroups groups) {
    const uint64_t units = partition::UnionUnits(sharers, groups);
    if (units >= best_units) return;
    best_units = units;
    best = std::move(groups);
  };
  offer(PartitionByHilbert(grid, request));
  if (sharers.PairCount() <= kMaxStartPairs) {
    offer(PartitionByRecursiveBisection(BuildGraph(sharers), request));
  }
  const uint64_t work = std::min(kMaxWork, kWorkPerTb * sharers.tb_count);
  return partition::RefineUnion(sharers, std::move(best), request.tbs_per_sm, request.seed, work);
}

}  // namespace flagstone
