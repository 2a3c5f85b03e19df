// The table of a sweep: a row for each point, in the plan's order, with nothing of the hosts.
#ifndef FLAGSTONE_APP_SWEEP_COLLECT_H_
#define FLAGSTONE_APP_SWEEP_COLLECT_H_

#include <functional>
#include <string>
#include <vector>

#include "app/results/columns.h"
#include "app/results/result_store.h"
#include "app/sweep/plan.h"
#include "app/sweep/state.h"

namespace flagstone {

struct SweepColumn {
  enum class Type : uint8_t { kText, kInteger, kReal, kBoolean };
  std::string name;  // "sm_l1_size_kib"
  Type type = Type::kText;
};

// Machine, workload, size, variant, policy, warp scheduler, prefetcher and each axis; `status`
// (done, failed or open) and `message`; then `statistics`, empty where a point is not done.
std::vector<SweepColumn> SweepColumns(const SweepPlan& plan, const std::vector<Column>& statistics);

// The figures that `compare --csv` shows, of all statistics, and whether checks passed.
std::vector<Column> DefaultStatistics(const SweepPlan& plan);

// Gives the rows one after another, each with a value for each of SweepColumns(): null where it has
// none. A damaged result makes its point open again.
void ForEachRow(const SweepPlan& plan, const SweepState& state, const ResultStore& store,
                const std::vector<Column>& statistics,
                const std::function<void(const std::vector<Json>& row)>& visit);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_SWEEP_COLLECT_H_
