#include "flow/order_study.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "analyzer/address/address_analysis.h"
#include "base/error.h"
#include "base/stopwatch.h"
#include "flow/known_data.h"
#include "gpu_model/sm/occupancy.h"
#include "launch/launch_sequence.h"
#include "order/candidates.h"
#include "ptx/kernel.h"

namespace flagstone {
namespace {

// An order that is said to gain less is not worth a change: the model is not that exact.
constexpr double kTie = 0.01;

// What of a launch is looked at, so that the answer does not take long: steps of a TB's loops, and
// TBs in the order.
struct Sampling {
  uint32_t steps = 1;
  uint64_t tbs = 0;
};
Sampling SamplingOf(uint64_t tbs, uint64_t window, size_t orders) {
  constexpr uint64_t kSteps = 1'000'000;  // of all TBs under all orders
  constexpr uint32_t kFewest = 8, kMost = 256;
  Sampling sampling = {kFewest, tbs};
  const uint64_t of_order = kSteps / orders;
  if (of_order / tbs >= kFewest) {
    sampling.steps = static_cast<uint32_t>(std::min<uint64_t>(of_order / tbs, kMost));
  } else {
    sampling.tbs = std::min(tbs, std::max(of_order / kFewest, 4 * window));
  }
  return sampling;
}

// How often each launch of the workload runs; where data decide, once.
std::vector<uint64_t> TimesOf(const BoundWorkload& bound) {
  std::vector<uint64_t> times(bound.launches.size(), 1);
  for (const LaunchLoop& loop : bound.loops) {
    if (!loop.until_zero.empty()) continue;
    for (size_t i = 0; i < loop.count; ++i) times[loop.first + i] = loop.repeat;
  }
  return times;
}

// Beside time, an order is worth the data that it saves, which cost energy and others' bandwidth.
constexpr double kWorthOfDram = 0.25, kWorthOfL2 = 0.02;

// Relative to identity's, which is 1.
double Score(const Prediction& order, const Prediction& identity, OrderLevel level) {
  const auto share = [](double value, double base) { return base > 0 ? value / base : 1; };
  const double l2 = share(order.traffic.L2(), identity.traffic.L2());
  const double dram = share(order.traffic.Dram(), identity.traffic.Dram());
  switch (level) {
    case OrderLevel::kL1:
      return l2;
    case OrderLevel::kL2:
      return dram;
    case OrderLevel::kBoth:
      break;
  }
  return (share(order.cycles, identity.cycles) + kWorthOfDram * dram + kWorthOfL2 * l2) /
         (1 + kWorthOfDram + kWorthOfL2);
}

void Rank(OrderLevel level, std::vector<OrderCandidate>* candidates) {
  const Prediction identity = candidates->front().predicted;
  const auto place = [&](const OrderCandidate& candidate) {
    if (candidate.order.name == "identity") return 1 - kTie;
    return Score(candidate.predicted, identity, level);
  };
  std::stable_sort(
      candidates->begin(), candidates->end(),
      [&](const OrderCandidate& a, const OrderCandidate& b) { return place(a) < place(b); });
}

OrderMachine ShapeOn(const MachineConfig& machine, const KernelLaunch& launch) {
  return {.sms = machine.sm.count,
          .tbs_per_sm = ComputeOccupancy(machine, launch).tbs_per_sm,
          .chiplets = machine.numa.Nodes()};
}

// Known accesses of the launches, where the data of each have to be made by those before.
class KnownData {
 public:
  KnownData(const OrderRequest& request, BoundWorkload* bound) : request_(request), bound_(*bound) {}

  // The launch's, as it finds the data when it runs first.
  KnownAccesses Of(size_t index, const AddressAnalysis& addresses) {
    FunctionalControl control;
    control.max_warp_instructions = request_.options.max_instructions;
    for (; next_ < index; ++next_) {
      RunFunctionally(bound_.launches[next_], &bound_.memory, nullptr, nullptr, control);
    }
    ++next_;
    return ExecuteForAddresses(addresses, bound_.launches[index], &bound_.memory, false, control);
  }

 private:
  const OrderRequest& request_;
  BoundWorkload& bound_;
  size_t next_ = 0;
};

}  // namespace

Prediction& Prediction::operator+=(const Prediction& other) {
  traffic.l2_reads += other.traffic.l2_reads;
  traffic.l2_writes += other.traffic.l2_writes;
  traffic.dram_reads += other.traffic.dram_reads;
  traffic.dram_writes += other.traffic.dram_writes;
  traffic.remote += other.traffic.remote;
  for (size_t i = 0; i < bounds.of.size(); ++i) bounds.of[i] += other.bounds.of[i];
  cycles += other.cycles;
  return *this;
}

const OrderCandidate& OrderStudy::Identity() const {
  return *std::find_if(candidates.begin(), candidates.end(), [](const OrderCandidate& candidate) {
    return candidate.order.name == "identity";
  });
}

OrderStudy PredictOrders(const OrderRequest& request, const Workload& workload) {
  Stopwatch watch;
  const RunOptions& options = request.options;
  const MachineConfig& machine = options.machine;
  OrderStudy study;
  study.workload = workload.name;
  study.machine = machine.name;
  BoundWorkload bound = options.known_data ? Bind(workload) : BindAddresses(workload);
  const std::vector<uint64_t> times = TimesOf(bound);
  std::vector<Dim3> grids;
  std::vector<OrderMachine> shapes;
  for (size_t i = 0; i < bound.launches.size(); ++i) {
    const KernelLaunch& launch = bound.launches[i];
    grids.push_back(launch.grid);
    shapes.push_back(ShapeOn(machine, launch));
    study.launches.push_back(
        {launch.kernel->name, launch.grid, launch.block, shapes.back(), times[i], 1, 0, {}, false});
  }
  std::vector<TbOrder> orders;
  if (request.orders.empty()) {
    orders = CandidateOrders(grids, shapes);
  } else {
    orders.emplace_back();
    for (const std::string& name : request.orders) {
      if (name != "identity") orders.push_back(ParseTbOrder(name));
    }
  }
  for (const TbOrder& order : orders) study.candidates.push_back({order, {}, {}, {}, {}});
  KnownData known_data(request, &bound);
  for (size_t i = 0; i < bound.launches.size(); ++i) {
    const KernelLaunch& launch = bound.launches[i];
    const AddressAnalysis addresses = AnalyzeAddresses(launch, bound.memory);
    KnownAccesses known;
    if (options.known_data) known = known_data.Of(i, addresses);
    const LaunchWork work = FindWork(launch, addresses);
    ModelMachine model = MakeModelMachine(machine, shapes[i], work, launch);
    model.warm = machine.l2.between_launches == BetweenLaunches::kWarm && !options.cold_l2;
    const Sampling sampling = SamplingOf(launch.TbCount(), shapes[i].Window(), orders.size());
    TouchRequest touches;
    touches.unit_bytes = machine.sm.l1.sector_bytes;
    touches.most_steps = sampling.steps;
    touches.known = options.known_data ? &known : nullptr;
    const TouchPlan plan = PlanTouches(addresses, launch, touches);
    study.launches[i].units_of = plan.scale;
    study.launches[i].tbs_of = sampling.tbs;
    study.launches[i].skipped = plan.skipped;
    study.launches[i].shares = plan.shares;
    TrafficModel traffic(plan, model);
    for (OrderCandidate& candidate : study.candidates) {
      Prediction predicted;
      predicted.traffic =
          traffic.Run(candidate.order.Table(launch.grid, shapes[i]), sampling.tbs);
      predicted.bounds = FindBounds(model, work, predicted.traffic, launch.TbCount());
      predicted.cycles = predicted.traffic.cycles;
      candidate.launches.push_back(predicted);
      for (uint64_t time = 0; time < times[i]; ++time) candidate.predicted += predicted;
    }
  }
  Rank(request.level, &study.candidates);
  study.seconds = watch.Lap();
  return study;
}

}  // namespace flagstone
