// Which order of a workload's TBs takes the least time on a machine: predicted from the kernels'
// footprints for each candidate, and simulated for those that are asked for.
#ifndef FLAGSTONE_APP_FLOW_STUDIES_ORDER_STUDY_H_
#define FLAGSTONE_APP_FLOW_STUDIES_ORDER_STUDY_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/replay/sampling.h"
#include "app/flow/run/run_options.h"
#include "app/flow/run/stored_run.h"
#include "app/order/ranking.h"
#include "app/order/tb_order.h"
#include "app/results/run_json.h"
#include "base/spread.h"

namespace flagstone {

struct OrderRequest {
  RunOptions options;  // workload, machine, data, engine
  OrderLevel level = OrderLevel::kBoth;
  Dim3 tiles = {0, 0, 0};  // behind the ids of grids of one axis; 0: as the kernels say
  // Only these, beside identity; empty: the candidates.
  std::vector<std::string> orders;
  bool groups = false;  // the analyzer's groups of TBs are candidates too
  // Hears of predictions, of an order in a launch each; none: nobody.
  std::function<void(size_t done, size_t all)> predicted;
  StoreUse store;  // of what is simulated
};

struct Simulated {
  uint64_t cycles = 0;
  uint64_t l2_bytes = 0, dram_bytes = 0;  // as Replayed::L2() and Dram()
};

struct OrderCandidate {
  TbOrder order;
  Replayed predicted;  // of all launches
  std::vector<Replayed> launches;
  std::optional<Simulated> simulated;
  // Its simulated cycles, of identity's under the same setting (--perturb).
  std::optional<Spread> simulated_time;
  std::vector<Simulated> simulated_launches;
};

struct OrderedLaunch {
  std::string entry;
  Dim3 grid, block;
  // Of a persistent kernel: TBs that loop over the tiles, of which `grid` has one a TB, and the
  // line where the loop goes on. 0: none.
  uint32_t looping_tbs = 0;
  int loop_line = 0;
  OrderMachine machine;
  uint64_t times = 1;     // that it runs
  replay::Sample sample;  // that was looked at
  std::vector<SkippedLoad> skipped;
  bool shares = false;  // TBs touch the same data
  bool runs = true;     // else it can be analyzed alone: --data known cannot find what is left out
};

struct OrderStudy {
  std::string workload, machine;
  std::vector<OrderedLaunch> launches;
  // By rank: the first one is the advice. Those that were simulated come first, by their cycles.
  std::vector<OrderCandidate> candidates;
  std::string predicted_advice;  // the first one by prediction alone
  // Spearman's, over the simulated candidates, of which those within a per cent are equal; none
  // where all are.
  std::optional<double> l2_correlation, dram_correlation, time_correlation;
  std::vector<std::string> same_as_identity;  // orders asked for that are, on every grid
  double seconds = 0;                         // of the prediction

  const OrderCandidate& Identity() const;
  // Lines of the loads that no prediction has seen, ascending; empty where there are none, and
  // where simulation has the word. With them there is no advice.
  std::vector<int> Unseen() const;
};

// Gives orders of groups their TBs: of each grid, as the policy of the order's name groups them.
void FindGroups(const OrderRequest& request, const BoundWorkload& bound,
                std::vector<TbOrder>* orders);

OrderStudy PredictOrders(const OrderRequest& request, const Workload& workload);

// The machine with as many SMs, L2 slices and DRAM channels as let the smallest launch of a grid
// have four times the TBs that fit at once; unchanged where it has.
MachineConfig ScaleToWorkload(const MachineConfig& machine, const Workload& workload);

// Simulates identity and the first `top` candidates (0: all of them), `jobs` at once, under as many
// settings as request.options.perturb says, and ranks them by what came out. Identity stands before
// those that gain less than a per cent, or less than two deviations.
void SimulateOrders(const OrderRequest& request, const Workload& workload, size_t top, size_t jobs,
                    const std::function<void(size_t done, size_t all)>& progress,
                    OrderStudy* study);

// `text` by file name of each PTX file of the workload with the order applied, checked: parsed, run
// on the same inputs as the original, and equal to it in every bit of every buffer after every
// launch. Throws kRunFailed for a kernel whose result depends on the order of its TBs.
struct EmittedPtx {
  std::string file;  // the original's
  std::string text;
};
std::vector<EmittedPtx> EmitOrder(const OrderRequest& request, const Workload& workload,
                                  const OrderStudy& study, const TbOrder& order);

// Schema flagstone.order/1 (docs/results.md), but for version and command. With `detail`, the TB
// ids of orders on large grids are there too.
Json ToJson(const OrderStudy& study, bool detail);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_STUDIES_ORDER_STUDY_H_
