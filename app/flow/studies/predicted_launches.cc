#include "app/flow/studies/predicted_launches.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <numeric>
#include <set>

#include "analyzer/replay/replay.h"
#include "analyzer/replay/tile_grid.h"
#include "app/flow/studies/alike_launches.h"
#include "base/all_cores.h"
#include "base/error.h"
#include "gpu_model/simt/executor.h"
#include "gpu_model/sm/occupancy.h"
#include "kernels/ptx/kernel.h"

namespace flagstone {
namespace {

// How often each launch of the workload runs; where data decide, once.
std::vector<uint64_t> TimesOf(const BoundWorkload& bound) {
  std::vector<uint64_t> times(bound.launches.size(), 1);
  for (const LaunchLoop& loop : bound.loops) {
    if (!loop.until_zero.empty()) continue;
    for (size_t i = 0; i < loop.count; ++i) times[loop.first + i] = loop.repeat;
  }
  return times;
}

// 0 tiles: none.
replay::TileGrid TilesOf(const OrderRequest& request, const KernelLaunch& launch,
                         replay::Traces* traces) {
  constexpr replay::TileGrid kNone;
  if (launch.grid.y != 1 || launch.grid.z != 1) return kNone;
  const auto tbs = static_cast<uint32_t>(launch.TbCount());
  const Dim3& asked = request.tiles;
  if (asked.x != 0) {
    if (asked.Count() == tbs) return {asked};
    ThrowBadInput("--tiles {}x{}x{}: expected {} tiles, one for each TB of kernel '{}'", asked.x,
                  asked.y, asked.z, tbs, launch.kernel->name);
  }
  const auto where = [&](uint32_t tb) { return traces->Where(tb); };
  return replay::FindTileGrid(tbs, where).value_or(kNone);
}

}  // namespace

PredictedLaunches::PredictedLaunches(const OrderRequest& request, BoundWorkload* bound,
                                     OrderStudy* study)
    : request_(request), bound_(*bound), study_(*study), analyzed_(bound->launches.size()) {
  const std::vector<uint64_t> times = TimesOf(bound_);
  for (size_t i = 0; i < analyzed_.size(); ++i) {
    OrderedLaunch& launch = study_.launches[i];
    launch.times = times[i];
    // Of known data, those that an earlier launch has left.
    if (!request_.options.known_data) analyzed_[i].alike = FindAlike(bound_, i);
    Analyze(i);
    const OrderedLaunch& alike = study_.launches[analyzed_[i].alike.value_or(i)];
    launch.machine = alike.machine;
    launch.skipped = analyzed_[analyzed_[i].alike.value_or(i)].traces->skipped();
  }
}

void PredictedLaunches::Analyze(size_t index) {
  Analyzed& analyzed = analyzed_[index];
  if (analyzed.alike) return;
  const KernelLaunch& launch = bound_.launches[index];
  const SmConfig& sm = request_.options.machine.sm;
  analyzed.addresses = AnalyzeAddresses(launch, bound_.memory);
  analyzed.traces = std::make_unique<replay::Traces>(launch, analyzed.addresses, sm);
  study_.launches[index].machine = ShapeOf(index);
  if (!request_.options.known_data || analyzed.traces->skipped().empty()) return;
  // The launches before have to make its data.
  FunctionalControl control;
  control.max_warp_instructions = request_.options.max_instructions;
  for (; executed_ < index; ++executed_) {
    RunFunctionally(bound_.launches[executed_], &bound_.memory, nullptr, nullptr, control);
  }
  ++executed_;
  const auto execute = [&](StepObserver observer, void* context) {
    RunFunctionally(launch, &bound_.memory, observer, context, control);
  };
  analyzed.traces = std::make_unique<replay::Traces>(launch, analyzed.addresses, sm, execute);
}

// What orders of the launch depend on. The grid of tiles behind the ids of one axis is that which
// is asked for, or as its addresses say. Throws kBadInput where it does not cover the grid.
OrderMachine PredictedLaunches::ShapeOf(size_t index) const {
  const MachineConfig& machine = request_.options.machine;
  const KernelLaunch& launch = bound_.launches[index];
  const replay::TileGrid behind = TilesOf(request_, launch, analyzed_[index].traces.get());
  OrderMachine shape = {.sms = machine.sm.count,
                        .tbs_per_sm = ComputeOccupancy(machine, launch).tbs_per_sm,
                        .chiplets = machine.numa.Nodes(),
                        .in_turn = machine.sm.tb_dealing == TbDealing::kInTurn,
                        .tiles = behind.tiles,
                        .tile_band = behind.band};
  // No more tiles are in flight than there are TBs.
  const uint32_t looping = study_.launches[index].looping_tbs;
  if (looping != 0) {
    shape.tbs_per_sm = std::min(shape.tbs_per_sm, (looping + shape.sms - 1) / shape.sms);
  }
  return shape;
}

std::vector<uint32_t> PredictedLaunches::LongestFirst(size_t launch) const {
  constexpr double kMostSteps = 10'000'000;  // of different TBs
  constexpr uint32_t kTried = 64;            // TBs that tell whether any differ
  replay::Traces& traces = *analyzed_[analyzed_[launch].alike.value_or(launch)].traces;
  std::vector<double> steps(bound_.launches[launch].TbCount());
  const double first = traces.Of(0).whole.steps;
  bool differ = false;
  for (uint64_t i = 0; i < kTried && !differ; ++i) {
    const auto tb = static_cast<uint32_t>(i * (steps.size() - 1) / (kTried - 1));
    differ = traces.Of(tb).whole.steps != first;
  }
  if (!differ) return {};
  std::set<const replay::Trace*> known;
  double all = 0;
  for (uint32_t tb = 0; tb < steps.size(); ++tb) {
    const replay::Trace& trace = traces.Of(tb);
    steps[tb] = trace.whole.steps;
    if (known.insert(&trace).second) all += steps[tb];
    if (all > kMostSteps) return {};
  }
  std::vector<uint32_t> tbs(steps.size());
  std::iota(tbs.begin(), tbs.end(), 0);
  std::stable_sort(tbs.begin(), tbs.end(),
                   [&](uint32_t a, uint32_t b) { return steps[a] > steps[b]; });
  return tbs;
}

void PredictedLaunches::Expect(size_t orders) {
  for (const Analyzed& launch : analyzed_) all_ += launch.alike ? 0 : orders;
}

void PredictedLaunches::Predict(uint64_t steps, std::span<OrderCandidate> orders) {
  for (OrderCandidate& order : orders) {
    order.predicted = {};
    order.launches.clear();
  }
  for (size_t i = 0; i < analyzed_.size(); ++i) {
    const std::optional<size_t> alike = analyzed_[i].alike;
    std::vector<Replayed> predicted;
    if (alike) {
      for (const OrderCandidate& order : orders) predicted.push_back(order.launches[*alike]);
      study_.launches[i].sample = study_.launches[*alike].sample;
      study_.launches[i].shares = study_.launches[*alike].shares;
    } else {
      predicted = PredictOne(i, steps, orders);
    }
    for (size_t o = 0; o < orders.size(); ++o) {
      orders[o].launches.push_back(predicted[o]);
      Replayed all = predicted[o];
      all *= static_cast<double>(study_.launches[i].times);
      orders[o].predicted += all;
    }
  }
}

std::vector<Replayed> PredictedLaunches::PredictOne(size_t index, uint64_t steps,
                                                    std::span<const OrderCandidate> orders) {
  const MachineConfig& machine = request_.options.machine;
  const bool warm =
      machine.l2.between_launches == BetweenLaunches::kWarm && !request_.options.cold_l2;
  OrderedLaunch& launch = study_.launches[index];
  replay::Traces& traces = *analyzed_[index].traces;
  std::vector<Replayed> predicted(orders.size());
  std::atomic<size_t> next = 0;
  std::mutex tells;
  OnAllCores(orders.size(), [&] {
    LaunchReplay replay(&traces, machine, launch.machine.tbs_per_sm, bound_.memory, warm, steps);
    for (size_t i = next++; i < orders.size(); i = next++) {
      predicted[i] =
          replay.Run(orders[i].order.Table(launch.grid, launch.machine, replay.sample().Tbs()));
      const std::scoped_lock lock(tells);
      launch.sample = replay.sample();
      if (request_.predicted) request_.predicted(++done_, all_);
    }
  });
  if (!analyzed_[index].shares) analyzed_[index].shares = traces.Share();
  launch.shares = *analyzed_[index].shares;
  return predicted;
}

}  // namespace flagstone
