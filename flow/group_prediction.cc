#include "flow/group_prediction.h"

#include <algorithm>
#include <utility>

#include "gpu_model/sm/occupancy.h"
#include "order/traffic_model.h"

namespace flagstone {
namespace {

// A gain below this is none: the model is not that exact.
constexpr double kLeastGain = 0.05;
// Fewer misses help a launch that waits for the L2 or for latencies most of its time.
constexpr double kWaits = 0.8;
// Where each sector is a request of its own, so many pass a port in a cycle. Measured: hotspot,
// srad and backprop under lrr on pascal and volta.
constexpr double kSectorRequests = 0.37;
constexpr double kSectorBytes = 32;

// The steps of the loops that are looked at, so that all TBs together have not many more of them.
uint32_t StepsOf(uint64_t tbs) {
  constexpr uint64_t kSteps = 100'000;
  return static_cast<uint32_t>(std::clamp<uint64_t>(kSteps / tbs, 4, 256));
}

// By the code and its trip counts, and what execution has counted where they do not tell.
LaunchWork WorkOf(const KernelLaunch& launch, const AddressAnalysis& addresses,
                  const KnownAccesses* known) {
  if (known == nullptr) return FindWork(launch, addresses);
  AddressAnalysis others = {addresses.loops, {}};
  for (const AddressForm& access : addresses.accesses) {
    const bool counted = std::binary_search(known->pcs.begin(), known->pcs.end(), access.pc);
    if (!counted) others.accesses.push_back(access);
  }
  LaunchWork work = FindWork(launch, others);
  work.warp_instructions = static_cast<double>(known->warp_instructions);
  work.requested_lines += static_cast<double>(known->lines);
  work.requested_bytes += static_cast<double>(known->lines) * kSectorBytes;
  work.rounds += static_cast<double>(known->warp_loads) /
                 static_cast<double>(launch.TbCount() * launch.WarpsPerTb());
  return work;
}

// What PAVER's queues cost on the machine, by the latencies of their blocks: `read` is that of a
// read of their memory.
HandOut HandOutOf(const MachineConfig& machine, double read) {
  if (machine.tb_queue_latency != 0) read = machine.tb_queue_latency;
  if (machine.tb_queue_block == TbQueueBlock::kPaverWide) return {2 * read, 1, 1};
  return {2 * read, read / machine.tb_queue_descriptors, read};
}

// The machine as the traffic model sees it.
ModelMachine ModelOf(const MachineConfig& machine, const KernelLaunch& launch,
                     const LaunchWork& work) {
  const OrderMachine shape = {.sms = machine.sm.count,
                              .tbs_per_sm = ComputeOccupancy(machine, launch).tbs_per_sm,
                              .chiplets = 1};
  ModelMachine model = MakeModelMachine(machine, shape, work, launch);
  model.warm = machine.l2.between_launches == BetweenLaunches::kWarm;
  if (machine.sm.request_sectors == 1) {
    const double ports = machine.sm.count / machine.interconnect.sms_per_port;
    model.l2_rate = std::min(model.l2_rate, kSectorRequests * ports * kSectorBytes);
  }
  return model;
}

// How often the L2 is read for what an L1 that thrashes reads once in the model. A TB's warps drift
// apart, and half of them fetch anew what the L1 cannot hold of a turn (assumption), if they ask
// for it.
double Drift(const LaunchWork& work, const KernelLaunch& launch, const MachineConfig& machine,
             const Traffic& traffic, uint64_t turn_bytes) {
  const double held = 1024.0 * machine.sm.l1.size_kib / static_cast<double>(turn_bytes);
  const double others = std::max(0.0, launch.WarpsPerTb() / 2.0 - 1) * std::max(0.0, 1 - held);
  const double asked = work.requested_lines * machine.sm.l1.line_bytes;
  return std::clamp(asked / std::max(traffic.l2_reads, 1.0), 1.0, 1 + others);
}

// The TBs that an SM runs first: under lrr, and of a group.
std::vector<uint32_t> OnFirstSm(const std::vector<uint32_t>& order, const OrderMachine& shape) {
  std::vector<uint32_t> together;
  for (size_t i = 0; i < order.size() && together.size() < shape.tbs_per_sm; i += shape.sms) {
    together.push_back(order[i]);
  }
  return together;
}
std::vector<uint32_t> FirstOf(const TbGroups& groups, const OrderMachine& shape) {
  std::vector<uint32_t> together = groups.groups.front();
  if (together.size() > shape.tbs_per_sm) together.resize(shape.tbs_per_sm);
  return together;
}

// The part of its time that a launch waits for the L2 or for latencies.
double Waits(const TimeBounds& bounds, double cycles) {
  return std::max(bounds.of[static_cast<size_t>(Level::kL2)],
                  bounds.of[static_cast<size_t>(Level::kLatency)]) /
         std::max(cycles, 1.0);
}

}  // namespace

GroupPrediction PredictGroups(const AddressAnalysis& addresses, const KernelLaunch& launch,
                              const KnownAccesses* known, const TbGroups& groups,
                              const MachineConfig& machine) {
  const uint64_t tbs = launch.TbCount();
  const LaunchWork work = WorkOf(launch, addresses, known);
  const ModelMachine model = ModelOf(machine, launch, work);
  TouchRequest touches;
  touches.unit_bytes = machine.sm.l1.sector_bytes;
  touches.most_steps = StepsOf(tbs);
  touches.known = known;
  const TouchPlan plan = PlanTouches(addresses, launch, touches);
  std::vector<uint32_t> in_id_order(tbs);
  for (uint32_t tb = 0; tb < tbs; ++tb) in_id_order[tb] = tb;

  // TBs that share lines need less of the L1: whether it thrashes is asked of each order anew.
  const auto predict = [&](const std::vector<uint32_t>& together, double first, auto run,
                           double* cycles, double* l2_bytes) {
    ModelMachine of = model;
    const uint64_t turn_bytes = plan.TurnBytes(together);
    ShrinkThrashedL1(turn_bytes, *launch.kernel, machine, &of);
    Traffic traffic = run(TrafficModel(plan, of));
    if (of.l1_bytes != model.l1_bytes) {
      traffic.l2_reads *= Drift(work, launch, machine, traffic, turn_bytes);
    }
    const TimeBounds bounds = FindBounds(model, work, traffic, tbs);
    *cycles = std::max({traffic.cycles, first + bounds.of[static_cast<size_t>(Level::kLatency)],
                        first + bounds.of[static_cast<size_t>(Level::kL2)]});
    *l2_bytes = traffic.L2();
    return bounds;
  };
  GroupPrediction result;
  const TimeBounds bounds = predict(
      OnFirstSm(in_id_order, model.shape), 0,
      [&](TrafficModel traffic) { return traffic.Run(in_id_order); }, &result.lrr_cycles,
      &result.lrr_l2_bytes);
  const HandOut hand_out = HandOutOf(machine, model.l2_latency);
  predict(
      FirstOf(groups, model.shape), hand_out.first,
      [&](TrafficModel traffic) { return traffic.Run(groups, hand_out); }, &result.cycles,
      &result.l2_bytes);
  result.waits = Waits(bounds, result.lrr_cycles);
  result.limit = kLevelNames[static_cast<size_t>(bounds.Limit())];
  if (result.waits < kWaits) {
    result.reason = GroupPrediction::Reason::kDoesNotWait;
  } else if (result.cycles > (1 - kLeastGain) * result.lrr_cycles) {
    result.reason = GroupPrediction::Reason::kGainsLittle;
  } else {
    result.reason = GroupPrediction::Reason::kGains;
  }
  return result;
}

}  // namespace flagstone
