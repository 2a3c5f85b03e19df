// How many TBs an SM's L1 has room for, by what each of them reads (cache-fit; PAVER, TACO 2021,
// section 6.3).
#ifndef FLAGSTONE_APP_FLOW_ANALYSE_TB_FIT_H_
#define FLAGSTONE_APP_FLOW_ANALYSE_TB_FIT_H_

#include "app/flow/analyse/analyze.h"
#include "app/results/launch_record.h"

namespace flagstone {

// `analysis` is of a launch of so many TBs, as far as footprints. What loads read from global
// memory counts, by the sectors that they fill, or by lines. The first TB has room in any case;
// where nothing is read, or nothing is known, as many have as the SM holds.
TbFit FindTbFit(const LaunchAnalysis& analysis, uint64_t tbs, const CacheConfig& l1);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_ANALYSE_TB_FIT_H_
