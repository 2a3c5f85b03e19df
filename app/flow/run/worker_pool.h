// Independent pieces of work in processes of their own: SystemC has one kernel per process.
#ifndef FLAGSTONE_APP_FLOW_RUN_WORKER_POOL_H_
#define FLAGSTONE_APP_FLOW_RUN_WORKER_POOL_H_

#include <functional>
#include <optional>
#include <vector>

#include "app/results/run_json.h"

namespace flagstone {

// NOLINTNEXTLINE(bugprone-exception-escape): moving Json asserts, and does not throw
struct WorkerOutcome {
  Json result;          // null where the work threw
  int exit_code = 0;    // of the Error's kind, else 0
  std::string message;  // of the Error
  bool died = false;    // by a signal, or out of memory: it may succeed when it is tried again
};

// Calls work(i) for each i that `next` gives, until it gives none, at most `jobs` at once, each in
// a process of its own. `finished` is called in this process after each, in any order. Ends early,
// with the workers stopped, when Interrupted() becomes true.
void StreamWorkers(size_t jobs, const std::function<std::optional<size_t>()>& next,
                   const std::function<Json(size_t)>& work,
                   const std::function<void(size_t index, WorkerOutcome outcome)>& finished);

// Calls work(0) ... work(count - 1), at most `jobs` at once; outcomes come in index order, whatever
// the order of completion. `finished` is called in this process after each. Ends early, with the
// workers stopped, when Interrupted() becomes true: outcomes not reached have exit code 130.
std::vector<WorkerOutcome> RunWorkers(size_t count, size_t jobs,
                                      const std::function<Json(size_t)>& work,
                                      const std::function<void(size_t done)>& finished);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_RUN_WORKER_POOL_H_
