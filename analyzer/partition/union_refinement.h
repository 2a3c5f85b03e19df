// Swaps TBs between groups so that the groups together read fewer distinct data.
#ifndef FLAGSTONE_ANALYZER_PARTITION_UNION_REFINEMENT_H_
#define FLAGSTONE_ANALYZER_PARTITION_UNION_REFINEMENT_H_

#include <cstdint>

#include "analyzer/partition/partitioners.h"

namespace flagstone::partition {

// The sum over groups of the distinct units that each reads, without what all TBs share. This is
// what an ideal L1 cache is filled with when a group runs at once.
uint64_t UnionUnits(const SharerSets& sharers, const TbGroups& groups);

// Lowers UnionUnits by swaps of two TBs, and by moves into groups with fewer than `capacity` TBs;
// the number of groups stays. Threshold accepting: a step may cost a little in the beginning, and
// the best state is kept. Deterministic for a seed; never worse than before. TBs ascend in each
// group of the result. `max_work` bounds the sets looked at.
TbGroups RefineUnion(const SharerSets& sharers, TbGroups groups, uint32_t capacity, uint64_t seed,
                     uint64_t max_work);

}  // namespace flagstone::partition

#endif  // FLAGSTONE_ANALYZER_PARTITION_UNION_REFINEMENT_H_
