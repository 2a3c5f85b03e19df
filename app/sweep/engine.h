// Engines that start `flagstone sweep work` elsewhere: GNU parallel, Slurm.
#ifndef FLAGSTONE_APP_SWEEP_ENGINE_H_
#define FLAGSTONE_APP_SWEEP_ENGINE_H_

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "app/results/result_store.h"
#include "app/sweep/batches.h"
#include "app/sweep/plan.h"
#include "app/sweep/state.h"

namespace flagstone {

struct EngineOptions {
  size_t jobs = 1;         // at once, on each host or in all of the cluster
  uint32_t retries = 0;    // of points that fail
  BatchLimits batches;     // but for its jobs
  std::string hosts;       // of GNU parallel's -S; empty: this one
  std::string submission;  // options for sbatch, split at spaces
  std::function<void(size_t ended)> progress;
};

// Work on the open points until none is left, or two rounds bring nothing on. A job that was killed
// leaves points open, which the next round takes. Throw kInternal where the engine is not installed
// or ends without any progress.
void RunOnParallel(const SweepPlan& plan, const ResultStore& store, const EngineOptions& options,
                   SweepState* state);
void RunOnSlurm(const SweepPlan& plan, const ResultStore& store, const EngineOptions& options,
                SweepState* state);

// For both: rounds of batches, each started by `launch` with the folder and the number of its
// files. `launch` returns when all have ended, with a line about what went wrong.
void RunInRounds(
    const SweepPlan& plan, const ResultStore& store, const EngineOptions& options,
    const std::function<std::string(const std::filesystem::path& folder, size_t batches)>& launch,
    SweepState* state);

// The shell's words for `flagstone sweep work` on batch `batch`, which is a word of the shell.
std::string WorkCommand(const SweepPlan& plan, const ResultStore& store,
                        const EngineOptions& options, const std::string& batch);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_SWEEP_ENGINE_H_
