// What `sweep plan` and `sweep status` print.
#ifndef FLAGSTONE_APP_CLI_SWEEP_PAGES_H_
#define FLAGSTONE_APP_CLI_SWEEP_PAGES_H_

#include <string>

#include "app/results/result_store.h"
#include "app/sweep/plan.h"
#include "app/sweep/state.h"

namespace flagstone {

// A row for each point, or for the first twenty, and the time that is left.
std::string SweepPlanPage(const SweepPlan& plan, const SweepState& state, const ResultStore& store,
                          bool all);

// How many points are done, failed and open; why some failed; the time that is left.
std::string SweepStatusPage(const SweepPlan& plan, const SweepState& state,
                            const ResultStore& store);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_CLI_SWEEP_PAGES_H_
