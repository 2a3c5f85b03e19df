#include "flow/order_study.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>
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

// What of a launch is looked at, so that the answer does not take long: steps of a TB's loops, and
// TBs in the order.
struct Sampling {
  uint32_t steps = 1;
  uint64_t tbs = 0;
};
Sampling SamplingOf(uint64_t tbs, uint64_t window, size_t orders) {
  constexpr uint64_t kSteps = 500'000;  // of all TBs under all orders
  constexpr uint32_t kFewest = 4, kMost = 256;
  Sampling sampling = {kFewest, tbs};
  const uint64_t of_order = kSteps / orders;
  if (of_order / tbs >= kFewest) {
    sampling.steps = static_cast<uint32_t>(std::min<uint64_t>(of_order / tbs, kMost));
  } else {
    sampling.tbs = std::min(tbs, std::max(of_order / kFewest, 2 * window));
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

// Gains that are below these are not worth a change: the model is not that exact, and orders that
// move the same data differ by some per cent in simulated time, as TBs fall in and out of step.
constexpr double kTimeTie = 0.08, kDramTie = 0.08;
// Beside time, an order is worth the data that it saves, which cost energy and others' bandwidth,
// where they are more than some MiB.
constexpr double kWorthOfDram = 0.25, kFewBytes = 8 << 20;
constexpr double kOrderOfTies = 1e-3;

// Relative to identity's.
double Share(double value, double identity) { return identity > 0 ? value / identity : 1; }
double WithTies(double share, double tie) { return std::abs(share - 1) < tie ? 1 : share; }

// What the data that an order saves at a level can save of the time: no more than their share of
// it.
double Possible(double saved, const Prediction& identity, Level level) {
  const double bound = identity.bounds.of[static_cast<size_t>(level)];
  return saved * std::min(1.0, 2 * bound / std::max(identity.cycles, 1.0));
}

// The time of an order, relative to identity's. Who waits for whom in the model may be chance: a
// gain counts as far as the data that are saved explain it.
double CredibleTime(const Prediction& order, const Prediction& identity) {
  const double gain = 1 - Share(order.cycles, identity.cycles);
  const auto saved = [](double value, double base) {
    return std::max(0.0, 1 - Share(value, base));
  };
  const double explained = std::max(
      {Possible(saved(order.traffic.L2(), identity.traffic.L2()), identity, Level::kL2),
       Possible(saved(order.traffic.Dram(), identity.traffic.Dram()), identity, Level::kDram),
       Possible(saved(order.traffic.remote, identity.traffic.remote), identity, Level::kRemote)});
  return 1 - std::min(gain, explained);
}

// Low is good; identity has 1.
double Score(const Prediction& order, const Prediction& identity, OrderLevel level) {
  const double l2 = Share(order.traffic.L2(), identity.traffic.L2());
  const double dram = Share(order.traffic.Dram(), identity.traffic.Dram());
  const double time = CredibleTime(order, identity);
  if (level == OrderLevel::kL1) return l2;
  if (level == OrderLevel::kL2) return dram;
  const bool few = std::abs(identity.traffic.Dram() - order.traffic.Dram()) < kFewBytes;
  const double sure_dram = few ? 1 : WithTies(dram, kDramTie);
  const double sure = (WithTies(time, kTimeTie) + kWorthOfDram * sure_dram) / (1 + kWorthOfDram);
  return sure + kOrderOfTies * (time + dram + l2 - 3);
}

// By score; identity stands before those that are as good but for ties.
void Rank(OrderLevel level, std::vector<OrderCandidate>* candidates) {
  const Prediction identity = candidates->front().predicted;
  const auto place = [&](const OrderCandidate& candidate) {
    if (candidate.order.name == "identity") return 1 - 2 * kOrderOfTies;
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

// Adds each candidate's prediction for a launch; as many at once as there are cores.
void PredictAll(const TouchPlan& plan, const ModelMachine& model, const LaunchWork& work,
                const KernelLaunch& launch, uint64_t tbs, std::vector<OrderCandidate>* candidates) {
  std::atomic<size_t> next = 0;
  const auto predict = [&] {
    TrafficModel traffic(plan, model);
    for (size_t i = next++; i < candidates->size(); i = next++) {
      OrderCandidate& candidate = (*candidates)[i];
      Prediction predicted;
      predicted.traffic =
          traffic.Run(candidate.order.Table(launch.grid, model.shape, tbs), launch.TbCount());
      predicted.bounds = FindBounds(model, work, predicted.traffic, launch.TbCount());
      predicted.cycles = predicted.traffic.cycles;
      candidate.launches.push_back(predicted);
    }
  };
  const size_t cores = std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::thread> others;
  for (size_t i = 1; i < std::min(cores, candidates->size()); ++i) others.emplace_back(predict);
  predict();
  for (std::thread& other : others) other.join();
}

// Known accesses of the launches, where the data of each have to be made by those before.
class KnownData {
 public:
  KnownData(const OrderRequest& request, BoundWorkload* bound)
      : request_(request), bound_(*bound) {}

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
  if (request.groups) {
    for (const char* name : {"rb", "traffic", "rb+wave", "traffic+wave"}) {
      const bool asked = std::any_of(orders.begin(), orders.end(),
                                     [&](const TbOrder& order) { return order.name == name; });
      if (!asked) orders.push_back(ParseTbOrder(name));
    }
  }
  FindGroups(request, bound, &orders);
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
    ShrinkThrashedL1(plan.TurnBytes() * shapes[i].tbs_per_sm, *launch.kernel, machine, &model);
    PredictAll(plan, model, work, launch, sampling.tbs, &study.candidates);
    for (OrderCandidate& candidate : study.candidates) {
      for (uint64_t t = 0; t < times[i]; ++t) candidate.predicted += candidate.launches.back();
    }
  }
  Rank(request.level, &study.candidates);
  study.predicted_advice = study.candidates.front().order.name;
  study.seconds = watch.Lap();
  return study;
}

}  // namespace flagstone
