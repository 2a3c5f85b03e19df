// A workload under one policy on one machine, launch by launch, with its checks: what `run` prints
// and `compare` sets side by side.
#ifndef FLAGSTONE_APP_FLOW_RUN_RUN_H_
#define FLAGSTONE_APP_FLOW_RUN_RUN_H_

#include "app/flow/run/launch_runner.h"
#include "app/flow/run/run_options.h"
#include "app/results/run_record.h"

namespace flagstone {

// Throws kBadInput for a name that is unknown, and for a slice of a workload whose checks are
// wanted.
RunRecord RunWorkload(const RunOptions& options);
// The same of the workload that the options name, which is loaded already.
RunRecord RunWorkload(const RunOptions& options, const Workload& workload);

// The same with TBs in another order.
RunRecord RunWorkload(const RunOptions& options, const Workload& workload,
                      const OrderOfLaunch& order);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_RUN_RUN_H_
