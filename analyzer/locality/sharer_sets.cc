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

DataDistribution Distribute(const SharerSets& sharers) {
  DataDistribution data;
  const auto count = [&data](bool several_tbs, uint64_t units, uint64_t several_warps) {
    (several_tbs ? data.inter_tb : data.unshared) += units - several_warps;
    (several_tbs ? data.both : data.intra_tb) += several_warps;
  };
  count(true, sharers.shared_by_all, sharers.shared_by_all_several_warps);
  for (const SharerFamily& family : sharers.families) {
    count(family.size > 1, family.weight * family.Sets(), family.several_warps * family.Sets());
  }
  return data;
}

}  // namespace flagstone
