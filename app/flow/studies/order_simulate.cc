// Candidates of app/flow/studies/order_study.h in the simulator, and how well they were predicted.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <string>

#include "app/flow/run/stored_run.h"
#include "app/flow/run/worker_pool.h"
#include "app/flow/studies/order_study.h"
#include "app/flow/studies/tile_launches.h"
#include "app/policy/policies.h"
#include "app/results/perturbed_json.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/pearson.h"
#include "gpu_model/memory/packet.h"
#include "gpu_model/sm/occupancy.h"
#include "kernels/ptx/parser.h"

namespace flagstone {
namespace {

constexpr uint64_t kWindows = 4;  // of TBs in flight that a launch should have at least

// Of a launch's record, or of the totals of a run.
Simulated FromRecord(const Json& record) {
  const Json& dram = record["dram"];
  return {.cycles = record["cycles"].get<uint64_t>(),
          .l2_bytes = record["l2"]["accesses"].get<uint64_t>() * kSectorBytes,
          .dram_bytes =
              (dram["reads"].get<uint64_t>() + dram["writes"].get<uint64_t>()) * kSectorBytes};
}

// The order in what names the result: the tables decide it, whatever the order is called.
std::string IdentityOf(const TbOrder& order, const OrderStudy& study) {
  if (order.name == "identity") return "";
  Fnv1a hash;
  for (const OrderedLaunch& launch : study.launches) {
    for (const uint32_t tb : order.Table(launch.grid, launch.machine)) hash.Add(uint64_t{tb});
  }
  return fmt::format("order {:016x}\n", hash.Value());
}

// The workload with the order in the loops of its persistent kernels.
Workload WithLoopsOrdered(const Workload& workload, const OrderStudy& study, const TbOrder& order) {
  const bool loops = std::any_of(study.launches.begin(), study.launches.end(),
                                 [](const OrderedLaunch& known) { return known.looping_tbs != 0; });
  if (!loops) return workload;
  Workload ordered = workload;
  const std::vector<std::string> texts = WithTileOrders(workload, study, order);
  for (size_t m = 0; m < texts.size(); ++m) {
    ordered.modules[m] = ptx::Parse(texts[m], workload.modules[m]->file);
  }
  return ordered;
}

// The hand-out of a launch's TBs: those of a persistent kernel stay as they are.
std::vector<uint32_t> HandOutOf(const KernelLaunch& launch, const OrderStudy& study,
                                const TbOrder& order) {
  const auto same_shape = [&](const OrderedLaunch& known) {
    const bool loops = known.looping_tbs != 0;
    const Dim3 grid = loops ? Dim3{known.looping_tbs, 1, 1} : known.grid;
    return known.entry == launch.kernel->name && grid.x == launch.grid.x &&
           grid.y == launch.grid.y && grid.z == launch.grid.z;
  };
  const OrderedLaunch& known =
      *std::find_if(study.launches.begin(), study.launches.end(), same_shape);
  if (known.looping_tbs == 0) return order.Table(launch.grid, known.machine);
  std::vector<uint32_t> ids(launch.TbCount());
  std::iota(ids.begin(), ids.end(), 0);
  return ids;
}

// Values that differ by less than this share of the smaller one count as equal.
constexpr double kSame = 0.01;

// Ranks from the smallest on; equal values have the mean of their ranks.
std::vector<double> Ranks(const std::vector<double>& values) {
  std::vector<size_t> by_value(values.size());
  std::iota(by_value.begin(), by_value.end(), 0);
  std::sort(by_value.begin(), by_value.end(),
            [&](size_t a, size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (size_t i = 0; i < by_value.size();) {
    size_t end = i;
    while (end < by_value.size() && values[by_value[end]] <= values[by_value[i]] * (1 + kSame)) {
      ++end;
    }
    for (size_t k = i; k < end; ++k) {
      ranks[by_value[k]] = static_cast<double>(i + end - 1) / 2;
    }
    i = end;
  }
  return ranks;
}

std::optional<double> Spearman(const std::vector<double>& a, const std::vector<double>& b) {
  return Pearson(Ranks(a), Ranks(b));
}

void Correlate(OrderStudy* study) {
  std::vector<double> l2[2], dram[2], time[2];
  for (const OrderCandidate& candidate : study->candidates) {
    if (!candidate.simulated) continue;
    l2[0].push_back(candidate.predicted.L2());
    l2[1].push_back(static_cast<double>(candidate.simulated->l2_bytes));
    dram[0].push_back(candidate.predicted.Dram());
    dram[1].push_back(static_cast<double>(candidate.simulated->dram_bytes));
    time[0].push_back(candidate.predicted.cycles);
    time[1].push_back(static_cast<double>(candidate.simulated->cycles));
  }
  study->l2_correlation = Spearman(l2[0], l2[1]);
  study->dram_correlation = Spearman(dram[0], dram[1]);
  study->time_correlation = Spearman(time[0], time[1]);
}

// The candidate's cycles, of identity's, setting by setting.
Spread TimeOf(const Json& record, const Json& identity) {
  const auto ratio = [](const Json& run, const Json& base) -> std::optional<double> {
    return run["totals"]["cycles"].get<double>() / base["totals"]["cycles"].get<double>();
  };
  return Spread::Of(FiguresOf(record, identity, ratio));
}

bool IsFaster(const Spread& time) { return time.mean < 1 - kSame && !time.IsEqual(); }

void RankBySimulation(std::vector<OrderCandidate>* candidates) {
  const auto place = [](const OrderCandidate& candidate) {
    if (!candidate.simulated) return std::numeric_limits<double>::infinity();
    if (candidate.order.name == "identity") return 1.0;
    const Spread& time = *candidate.simulated_time;
    return IsFaster(time) ? time.mean : 1 + time.mean;
  };
  std::stable_sort(
      candidates->begin(), candidates->end(),
      [&](const OrderCandidate& a, const OrderCandidate& b) { return place(a) < place(b); });
}

}  // namespace

MachineConfig ScaleToWorkload(const MachineConfig& machine, const Workload& workload) {
  BoundWorkload bound = BindAddresses(workload);
  const TileLaunches tiles(workload, &bound);
  // Launches of a few TBs beside large ones would shrink the machine to nothing.
  uint64_t most = 0;
  for (const KernelLaunch& launch : bound.launches) most = std::max(most, launch.TbCount());
  double share = 1;
  for (const KernelLaunch& launch : bound.launches) {
    if (launch.TbCount() * 4 < most) continue;
    const uint64_t window =
        uint64_t{machine.sm.count} * ComputeOccupancy(machine, launch).tbs_per_sm;
    share = std::min(
        share, static_cast<double>(launch.TbCount()) / static_cast<double>(kWindows * window));
  }
  return replay::PartOf(machine, share);
}

void SimulateOrders(const OrderRequest& request, const Workload& workload, size_t top, size_t jobs,
                    const std::function<void(size_t done, size_t all)>& progress,
                    OrderStudy* study) {
  std::vector<size_t> chosen;
  for (size_t i = 0; i < study->candidates.size(); ++i) {
    const bool identity = study->candidates[i].order.name == "identity";
    if (top == 0 || i < top || identity) chosen.push_back(i);
  }
  RunOptions options = request.options;
  options.policy = DefaultPolicy(options.machine);
  options.values = Values::kSlice;
  options.skip_checks = true;
  const auto work = [&](size_t index) -> Json {
    const TbOrder& order = study->candidates[chosen[index]].order;
    const OrderOfLaunch table = [&](const KernelLaunch& launch) {
      return HandOutOf(launch, *study, order);
    };
    Json lines = Json::array();
    StoreUse use = request.store;
    use.say = [&](const std::string& line) { lines.push_back(line); };
    const StoredRun run = RunThroughStore(options, WithLoopsOrdered(workload, *study, order),
                                          {table, IdentityOf(order, *study)}, use, options.version);
    return {{"record", run.record}, {"lines", lines}};
  };
  const std::vector<WorkerOutcome> outcomes =
      RunWorkers(chosen.size(), jobs, work, [&](size_t done) { progress(done, chosen.size()); });
  const auto is_identity = [&](size_t i) { return study->candidates[i].order.name == "identity"; };
  const size_t identity =
      static_cast<size_t>(std::find_if(chosen.begin(), chosen.end(), is_identity) - chosen.begin());
  std::set<std::string> said;
  for (const WorkerOutcome& outcome : outcomes) {
    if (!outcome.result.is_null()) continue;
    const std::string message = outcome.message.empty() ? "a simulation died" : outcome.message;
    throw Error(static_cast<ErrorKind>(outcome.exit_code == 0 ? 3 : outcome.exit_code), message);
  }
  for (size_t i = 0; i < chosen.size(); ++i) {
    const WorkerOutcome& outcome = outcomes[i];
    for (const Json& line : outcome.result["lines"]) said.insert(line);
    const Json& record = outcome.result["record"];
    OrderCandidate& candidate = study->candidates[chosen[i]];
    candidate.simulated = FromRecord(record["totals"]);
    candidate.simulated_time = TimeOf(record, outcomes[identity].result["record"]);
    candidate.simulated_launches.clear();
    for (const Json& launch : record["launches"]) {
      candidate.simulated_launches.push_back(FromRecord(launch));
    }
  }
  for (const std::string& line : said) request.store.say(line);
  Correlate(study);
  RankBySimulation(&study->candidates);
}

}  // namespace flagstone
