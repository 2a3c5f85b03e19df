#include "app/flow/analyse/group_prediction.h"

#include <numeric>
#include <optional>
#include <vector>

#include "analyzer/replay/margin.h"
#include "analyzer/replay/replay.h"
#include "gpu_model/sm/occupancy.h"

namespace flagstone {
namespace {

// That are looked at under each candidate.
constexpr uint64_t kSteps = 4'000'000;

// What PAVER's queues cost on the machine, by the latencies of their blocks.
HandOut HandOutOf(const MachineConfig& machine) {
  // A read of their memory.
  const double l2 = static_cast<double>(machine.clock.core) / machine.clock.l2;
  double read = machine.tb_queue_latency;
  if (read == 0) read = machine.l2.pipeline_latency * l2 + 2.0 * machine.interconnect.latency;
  if (machine.tb_queue_block == TbQueueBlock::kPaverWide) return {2 * read, 1, 1};
  return {2 * read, read / machine.tb_queue_descriptors, read};
}

}  // namespace

GroupPrediction PredictGroups(replay::Traces* traces, const DeviceMemory& memory,
                              std::span<const GroupCandidate> candidates,
                              const MachineConfig& machine) {
  const KernelLaunch& launch = traces->launch();
  LaunchReplay replay(traces, machine, ComputeOccupancy(machine, launch).tbs_per_sm, memory,
                      machine.l2.between_launches == BetweenLaunches::kWarm, kSteps);
  std::vector<uint32_t> in_id_order(launch.TbCount());
  std::iota(in_id_order.begin(), in_id_order.end(), 0);
  const Replayed lrr = replay.Run(in_id_order);
  std::optional<Replayed> best;
  std::string_view policy;
  for (const GroupCandidate& candidate : candidates) {
    const HandOut hand_out = candidate.queued ? HandOutOf(machine) : HandOut();
    const Replayed groups = replay.Run(*candidate.groups, hand_out);
    if (best && best->cycles <= groups.cycles) continue;
    best = groups;
    policy = candidate.policy;
  }
  GroupPrediction result;
  result.lrr_cycles = lrr.cycles;
  result.lrr_l2_bytes = lrr.L2();
  result.limit = lrr.Limit();
  result.cycles = best->cycles;
  result.l2_bytes = best->L2();
  result.fastest = policy;
  if (!traces->skipped().empty()) {
    result.reason = GroupPrediction::Reason::kUnseen;
  } else if (best->cycles < (1 - replay::kMargin) * lrr.cycles) {
    result.reason = GroupPrediction::Reason::kGains;
    result.runs = policy;
  }
  return result;
}

}  // namespace flagstone
