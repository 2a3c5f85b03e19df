// Points of a sweep in files, one for each job of an engine that runs elsewhere.
#ifndef FLAGSTONE_APP_SWEEP_BATCHES_H_
#define FLAGSTONE_APP_SWEEP_BATCHES_H_

#include <cstddef>
#include <filesystem>
#include <vector>

#include "app/sweep/estimate.h"
#include "app/sweep/state.h"
#include "app/sweep/work.h"

namespace flagstone {

struct BatchLimits {
  double seconds = 600;  // of a batch, by the estimate; a point without one counts as a second
  size_t jobs = 1;     // at once: there are several batches for each, where there are enough points
  size_t most = 1000;  // batches; with more points they last longer
};

// Writes files 0, 1, ... into `folder`, whose points follow each other, and gives their number.
size_t WriteBatches(const SweepState& state, const std::vector<PointToRun>& points,
                    const TimeEstimate& estimate, const BatchLimits& limits,
                    const std::filesystem::path& folder);

// Throws kBadInput where the batch is of another plan, or was written by another build.
std::vector<PointToRun> ReadBatch(const SweepState& state, const std::filesystem::path& file);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_SWEEP_BATCHES_H_
