// The keys of a result that grow with the launch and the chip: where and when TBs ran, what each
// part of the chip counted, and counters over time.
#ifndef FLAGSTONE_APP_RESULTS_DETAIL_JSON_H_
#define FLAGSTONE_APP_RESULTS_DETAIL_JSON_H_

#include <vector>

#include "app/results/run_json.h"
#include "app/results/statistics_json.h"

namespace flagstone {

// Adds `timeline`, `groups`, `steals`, `loads`, `sms`, `l2_slices` and `dram_channels`; null where
// the launch has no detail, being one that a checkpoint has brought.
void PutDetail(const LaunchRecord& launch, const Counted& counted, Json* json);

// {gpu, sms}, each with `cycles`, the width of a bucket, and an array by bucket for each count.
Json CountersJson(const RunCounters& counters);
// The key `kernels` of a run.
Json KernelsJson(const std::vector<KernelListing>& kernels);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_RESULTS_DETAIL_JSON_H_
