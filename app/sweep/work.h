// Computes points of a sweep in processes of this machine.
#ifndef FLAGSTONE_APP_SWEEP_WORK_H_
#define FLAGSTONE_APP_SWEEP_WORK_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "app/results/result_store.h"
#include "app/sweep/plan.h"
#include "app/sweep/state.h"

namespace flagstone {

struct PointToRun {
  size_t index = 0;
  uint32_t attempts = 0;  // that have failed
};

// Those that SweepState::Open() gives.
std::vector<PointToRun> OpenPoints(const SweepState& state, uint32_t retries);

struct SweepWork {
  size_t jobs = 1;  // processes at once
  uint32_t retries = 0;
  bool fresh = false;  // compute also what is there
  std::function<void(size_t ended)> progress;
};

// Puts results and failures into the store. Ends early when Interrupted() becomes true. Throws
// kInternal where the store cannot be written, once the points that run have ended.
void RunPoints(const SweepPlan& plan, const SweepState& state, const ResultStore& store,
               const std::vector<PointToRun>& points, const SweepWork& work);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_SWEEP_WORK_H_
