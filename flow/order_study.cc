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

// An order that gains less is not worth a change (and ties go to identity).
constexpr double kTie = 0.005;

CacheLevels LevelsOf(const MachineConfig& machine, const OrderMachine& shape, bool cold) {
  const auto kib = [](uint64_t size) { return size * 1024; };
  CacheLevels levels;
  levels.machine = shape;
  const bool l1 = machine.sm.l1.global == L1Global::kCached;
  levels.l1_bytes = l1 ? kib(machine.sm.l1.size_kib) : 0;
  levels.stores_evict = machine.sm.l1.write_policy == WritePolicy::kWriteThroughEvict;
  levels.l2_bytes = kib(uint64_t{machine.l2.slices} * machine.l2.cache.size_kib);
  levels.nodes = machine.numa.Nodes();
  levels.caches_remote = machine.numa.remote_caching != 0;
  levels.warm = machine.l2.between_launches == BetweenLaunches::kWarm && !cold;
  return levels;
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

double Score(const OrderCandidate& candidate, OrderLevel level) {
  switch (level) {
    case OrderLevel::kL1:
      return candidate.predicted.traffic.L2();
    case OrderLevel::kL2:
      return candidate.predicted.traffic.Dram();
    case OrderLevel::kBoth:
      break;
  }
  return candidate.predicted.cycles;
}

void Rank(OrderLevel level, std::vector<OrderCandidate>* candidates) {
  const double identity = Score(candidates->front(), level);
  const auto place = [&](const OrderCandidate& candidate) {
    const double score = Score(candidate, level);
    if (candidate.order.name == "identity") return identity * (1 - kTie);
    return score;
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
        {launch.kernel->name, launch.grid, launch.block, shapes.back(), times[i], 1, {}, false});
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
  for (TbOrder& order : orders) study.candidates.push_back({std::move(order), {}, {}, {}, {}});
  KnownData known_data(request, &bound);
  for (size_t i = 0; i < bound.launches.size(); ++i) {
    const KernelLaunch& launch = bound.launches[i];
    const AddressAnalysis addresses = AnalyzeAddresses(launch, bound.memory);
    KnownAccesses known;
    if (options.known_data) known = known_data.Of(i, addresses);
    const LaunchTouches touches = FindTouches(addresses, launch, machine.sm.l1.sector_bytes,
                                              options.known_data ? &known : nullptr);
    study.launches[i].units_of = touches.coarse.scale;
    study.launches[i].skipped = touches.coarse.skipped;
    study.launches[i].shares = touches.coarse.shares;
    const LaunchWork work = FindWork(launch, addresses);
    const CacheLevels levels = LevelsOf(machine, shapes[i], options.cold_l2);
    for (OrderCandidate& candidate : study.candidates) {
      Prediction predicted;
      predicted.traffic =
          PredictTraffic(touches, candidate.order.Table(launch.grid, shapes[i]), levels);
      predicted.bounds =
          FindBounds(machine, shapes[i], work, predicted.traffic, launch.TbCount());
      predicted.cycles = predicted.bounds.Total();
      candidate.launches.push_back(predicted);
      for (uint64_t time = 0; time < times[i]; ++time) candidate.predicted += predicted;
    }
  }
  Rank(request.level, &study.candidates);
  study.seconds = watch.Lap();
  return study;
}

}  // namespace flagstone
