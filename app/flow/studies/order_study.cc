#include "app/flow/studies/order_study.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <set>
#include <utility>

#include "analyzer/address/address_analysis.h"
#include "app/flow/analyse/known_data.h"
#include "app/flow/studies/alike_launches.h"
#include "app/flow/studies/order_sampling.h"
#include "app/order/candidates.h"
#include "base/all_cores.h"
#include "base/error.h"
#include "base/stopwatch.h"
#include "gpu_model/sm/occupancy.h"
#include "kernels/launch/launch_sequence.h"
#include "kernels/ptx/kernel.h"

namespace flagstone {
namespace {

// No more than the turns of its longest loop, or one for so much straight-line code.
uint64_t StepsOf(const AddressAnalysis& addresses) {
  uint64_t steps = 1 + addresses.accesses.size() / 16;
  for (const CountedLoop& loop : addresses.loops) {
    steps = std::max<uint64_t>(steps, loop.known || loop.bounded ? loop.trip_count : 1);
  }
  return steps;
}

// Loops that follow one another in the kernel: each is looked at in steps of its own.
uint32_t LoopsOf(const AddressAnalysis& addresses) {
  std::set<uint32_t> outermost;
  for (const AddressForm& access : addresses.accesses) {
    if (!access.loops.empty()) outermost.insert(access.loops.front());
  }
  return std::max(1U, static_cast<uint32_t>(outermost.size()));
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

// By score; identity stands before those that are as good but for ties.
void Rank(OrderLevel level, std::vector<OrderCandidate>* candidates) {
  const Prediction identity = candidates->front().predicted;
  const auto place = [&](const OrderCandidate& candidate) {
    return candidate.order.name == "identity" ? kScoreOfIdentity
                                              : Score(candidate.predicted, identity, level);
  };
  std::stable_sort(
      candidates->begin(), candidates->end(),
      [&](const OrderCandidate& a, const OrderCandidate& b) { return place(a) < place(b); });
}

// Warps that no barrier holds together drift apart.
bool HasBarrier(const ptx::Kernel& kernel) {
  return std::any_of(kernel.instructions.begin(), kernel.instructions.end(),
                     [](const ptx::Instruction& i) { return i.opcode == ptx::Opcode::kBar; });
}

OrderMachine ShapeOn(const MachineConfig& machine, const KernelLaunch& launch) {
  return {.sms = machine.sm.count,
          .tbs_per_sm = ComputeOccupancy(machine, launch).tbs_per_sm,
          .chiplets = machine.numa.Nodes(),
          .in_turn = machine.sm.tb_dealing == TbDealing::kInTurn};
}

// The launch's TBs under each candidate, as far as they are looked at.
std::vector<std::vector<uint32_t>> TablesOf(const std::vector<OrderCandidate>& candidates,
                                            const KernelLaunch& launch, const OrderMachine& shape,
                                            uint64_t tbs) {
  std::vector<std::vector<uint32_t>> tables(candidates.size());
  ForEachOnAllCores(tables.size(), [&](size_t i) {
    tables[i] = candidates[i].order.Table(launch.grid, shape, tbs);
  });
  return tables;
}

// Adds each candidate's prediction for a launch; as many at once as there are cores.
void PredictAll(const TouchPlan& plan, const ModelMachine& model, const SmWork& work,
                const KernelLaunch& launch, const std::vector<std::vector<uint32_t>>& tables,
                std::vector<OrderCandidate>* candidates) {
  std::atomic<size_t> next = 0;
  const auto predict = [&] {
    TrafficModel traffic(plan, model);
    for (size_t i = next++; i < candidates->size(); i = next++) {
      OrderCandidate& candidate = (*candidates)[i];
      Prediction predicted;
      predicted.traffic = traffic.Run(tables[i], launch.TbCount());
      predicted.bounds = FindBounds(model, work, predicted.traffic, launch);
      predicted.cycles = predicted.traffic.cycles;
      candidate.launches.push_back(predicted);
    }
  };
  OnAllCores(candidates->size(), predict);
}

// Whether an earlier launch has told already what the orders do to this one.
bool CopyAlike(const BoundWorkload& bound, size_t launch, OrderStudy* study) {
  const std::optional<size_t> alike = FindAlike(bound, launch);
  if (!alike) return false;
  const OrderedLaunch& known = study->launches[*alike];
  OrderedLaunch& copy = study->launches[launch];
  copy.units_of = known.units_of;
  copy.tbs_of = known.tbs_of;
  copy.skipped = known.skipped;
  copy.shares = known.shares;
  for (OrderCandidate& candidate : study->candidates) {
    const Prediction predicted = candidate.launches[*alike];
    candidate.launches.push_back(predicted);
  }
  return true;
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

const OrderCandidate& OrderStudy::Identity() const {
  return *std::find_if(candidates.begin(), candidates.end(), [](const OrderCandidate& candidate) {
    return candidate.order.name == "identity";
  });
}

std::vector<int> OrderStudy::Unseen() const {
  if (candidates.front().simulated) return {};
  std::set<int> lines;
  for (const OrderedLaunch& launch : launches) {
    for (const SkippedLoad& load : launch.skipped) lines.insert(load.line);
  }
  return {lines.begin(), lines.end()};
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
    study.launches.push_back({launch.kernel->name,
                              launch.grid,
                              launch.block,
                              shapes.back(),
                              times[i],
                              1,
                              0,
                              {},
                              false,
                              launch.kernel->refusals.empty()});
  }
  std::vector<TbOrder> orders;
  if (request.orders.empty()) {
    orders = CandidateOrders(grids, shapes);
  } else {
    orders.emplace_back();
    for (const std::string& name : request.orders) {
      if (name == "identity") continue;
      orders.push_back(ParseTbOrder(name));
      if (IsIdentity(orders.back(), grids, shapes)) study.same_as_identity.push_back(name);
    }
  }
  if (request.groups) {
    std::vector<std::string> names = {"rb", "traffic"};
    if (machine.sm.tb_dealing == TbDealing::kInTurn) {
      names.insert(names.end(), {"rb+wave", "traffic+wave"});
    }
    for (const std::string& name : names) {
      const bool asked = std::any_of(orders.begin(), orders.end(),
                                     [&](const TbOrder& order) { return order.name == name; });
      if (!asked) orders.push_back(ParseTbOrder(name));
    }
  }
  FindGroups(request, bound, &orders);
  for (const TbOrder& order : orders) study.candidates.push_back({order, {}, {}, {}, {}});
  // Nodes have slices of their own, each with a part of the data.
  std::optional<AddressMap> slices;
  if (machine.numa.Nodes() == 1) slices.emplace(machine);
  KnownData known_data(request, &bound);
  for (size_t i = 0; i < bound.launches.size(); ++i) {
    if (!options.known_data && CopyAlike(bound, i, &study)) continue;
    const KernelLaunch& launch = bound.launches[i];
    const AddressAnalysis addresses = AnalyzeAddresses(launch, bound.memory);
    KnownAccesses known;
    if (options.known_data) known = known_data.Of(i, addresses);
    const RequestsOfAccess requests = FindWarpRequests(addresses, launch);
    const SmWork work = FindSmWork(launch, addresses, requests, machine.sm);
    ModelMachine model = MakeModelMachine(machine, shapes[i], work, launch);
    model.warm = machine.l2.between_launches == BetweenLaunches::kWarm && !options.cold_l2;
    const uint32_t most_parts = HasBarrier(*launch.kernel) ? 1 : launch.WarpsPerTb();
    const OrderSampling sampling = SampleLaunch(launch.TbCount(), shapes[i].Window(), orders.size(),
                                                most_parts, LoopsOf(addresses), StepsOf(addresses));
    TouchRequest touches;
    touches.requests = &requests;
    touches.slices = slices ? &*slices : nullptr;
    touches.parts = sampling.parts;
    touches.unit_bytes = model.l1_bytes == 0 ? kSectorBytes : machine.sm.l1.sector_bytes;
    touches.most_steps = sampling.steps;
    touches.known = options.known_data ? &known : nullptr;
    const std::vector<std::vector<uint32_t>> tables =
        TablesOf(study.candidates, launch, shapes[i], sampling.tbs);
    if (sampling.tbs < launch.TbCount()) {
      touches.tbs = TbsOfAny(tables, launch.TbCount());
      touches.most_units =
          std::min(touches.most_units, MostUnits(touches.tbs.size(), sampling.tbs, orders.size()));
      model.warm_from = WarmFrom(bound.memory, model.l2_bytes);
    }
    const TouchPlan plan = PlanTouches(addresses, launch, touches);
    study.launches[i].units_of = plan.scale;
    study.launches[i].tbs_of = sampling.tbs;
    study.launches[i].skipped = plan.skipped;
    study.launches[i].shares = plan.shares;
    PredictAll(plan, model, work, launch, tables, &study.candidates);
  }
  for (OrderCandidate& candidate : study.candidates) {
    for (size_t i = 0; i < times.size(); ++i) {
      for (uint64_t t = 0; t < times[i]; ++t) candidate.predicted += candidate.launches[i];
    }
  }
  Rank(request.level, &study.candidates);
  study.predicted_advice = study.candidates.front().order.name;
  study.seconds = watch.Lap();
  return study;
}

}  // namespace flagstone
