#include "analyzer/locality/sharer_sets.h"

#include <limits>

#include "analyzer/locality/locality_graph.h"

namespace flagstone {

void SharerSets::Add(std::span<const uint32_t> tbs, uint64_t weight) {
  SharerFamily family;
  family.weight = weight;
  family.offsets_begin = offsets.size();
  family.size = static_cast<uint32_t>(tbs.size());
  family.anchor = tbs.front();
  for (const uint32_t tb : tbs) offsets.push_back(tb - family.anchor);
  families.push_back(family);
}

uint64_t SharerSets::PairCount() const {
  uint64_t pairs = 0;
  for (const SharerFamily& family : families) {
    const uint64_t of_set = uint64_t{family.size} * (family.size - 1) / 2;
    uint64_t of_family = 0;
    if (__builtin_mul_overflow(of_set, family.Sets(), &of_family) ||
        __builtin_add_overflow(pairs, of_family, &pairs)) {
      return std::numeric_limits<uint64_t>::max();
    }
  }
  return pairs;
}

namespace {

// `times(tbs)`: how often a datum counts that so many TBs read.
template <class Times>
DataDistribution DistributeBy(const SharerSets& sharers, Times times) {
  DataDistribution data;
  const auto count = [&](uint64_t tbs, uint64_t units, uint64_t several_warps) {
    (tbs > 1 ? data.inter_tb : data.unshared) += (units - several_warps) * times(tbs);
    (tbs > 1 ? data.both : data.intra_tb) += several_warps * times(tbs);
  };
  count(sharers.tb_count, sharers.shared_by_all, sharers.shared_by_all_several_warps);
  for (const SharerFamily& family : sharers.families) {
    count(family.size, family.weight * family.Sets(), family.several_warps * family.Sets());
  }
  return data;
}

}  // namespace

DataDistribution Distribute(const SharerSets& sharers) {
  return DistributeBy(sharers, [](uint64_t /*tbs*/) { return uint64_t{1}; });
}

DataDistribution DistributeReads(const SharerSets& sharers) {
  return DistributeBy(sharers, [](uint64_t tbs) { return tbs; });
}

}  // namespace flagstone
