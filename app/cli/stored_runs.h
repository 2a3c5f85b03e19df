// Many runs in processes of their own, each through the store of results.
#ifndef FLAGSTONE_APP_CLI_STORED_RUNS_H_
#define FLAGSTONE_APP_CLI_STORED_RUNS_H_

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "app/cli/store_options.h"
#include "app/flow/run/run_options.h"
#include "app/flow/run/stored_run.h"
#include "app/flow/run/worker_pool.h"

namespace flagstone {

// RunWorkers() (app/flow/run/worker_pool.h) over `count` pieces of work, whose results are records.
// What they say about the store is printed once, however many say it.
std::vector<WorkerOutcome> RunStored(
    size_t count, size_t jobs, const StoreOptions& options,
    const std::function<StoredRun(size_t index, const StoreUse& use)>& work,
    const std::function<void(size_t done)>& finished);

// The same of runs.
std::vector<WorkerOutcome> RunStored(size_t count, size_t jobs, const StoreOptions& options,
                                     const std::function<const RunOptions&(size_t)>& run,
                                     const std::function<void(size_t done)>& finished);

// "engine rtl, model; 4 of 6 results are from the store": which engines computed records, those
// that are null aside. Empty where there is none.
std::string EngineLine(const std::vector<WorkerOutcome>& outcomes);
// Warns of each workload that lacks the size that was asked for, once.
void WarnOfSizes(const std::vector<WorkerOutcome>& outcomes, bool without_sizes = true);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_CLI_STORED_RUNS_H_
