// How long points take, from the results that the store holds already.
#ifndef FLAGSTONE_APP_SWEEP_ESTIMATE_H_
#define FLAGSTONE_APP_SWEEP_ESTIMATE_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "app/results/result_store.h"
#include "app/sweep/plan.h"
#include "app/sweep/state.h"

namespace flagstone {

class TimeEstimate {
 public:
  // Reads a few of the plan's results for each workload.
  TimeEstimate(const SweepPlan& plan, const SweepState& state, const ResultStore& store);

  // Wall-clock seconds of a point, on the hosts that computed the others: the mean of its workload,
  // or of all where its workload has no result. Nothing where there is none at all.
  std::optional<double> SecondsOf(size_t index) const;

 private:
  const SweepPlan& plan_;
  std::vector<std::optional<double>> by_workload_;
  std::optional<double> mean_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_APP_SWEEP_ESTIMATE_H_
