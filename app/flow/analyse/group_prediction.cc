#include "app/flow/analyse/group_prediction.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "app/flow/analyse/group_touches.h"
#include "app/order/traffic_model.h"
#include "gpu_model/sm/occupancy.h"

namespace flagstone {
namespace {

// A gain below this is none: the model is not that exact. Time that groups save without traffic is
// not theirs: only sharing is what they are for.
constexpr double kLeastGain = 0.05;
// Fewer misses help a launch that waits for the L2 or for latencies most of its time.
constexpr double kWaits = 0.8;
// A saving this large is one whatever the launch waits for. Measured: conv3d on pascal and
// pascal_lines; imregionmax on pascal is predicted to save an eighth, and loses.
constexpr double kLargeGain = 0.15;
// What the model has `lrr` move is too little where the warps of a TB drift apart and each fetches
// a line for itself (syrk on fermi: a fifth of what is simulated); groups whose lines stay in the
// L1 keep what it says. So less than half the traffic is a gain where it costs no time. Where the
// lanes of a warp read far apart, its lines lie in the L1 for many turns, and more is too little.
// Measured: syrk and syr2k on pascal gain below this.
constexpr double kLittleTraffic = 0.5;
constexpr double kLittleOfScattered = 0.82;
constexpr uint64_t kScatteredLines = 16;  // of a warp's load, at least
constexpr double kNoTime = 0.01;
// TBs of far parts of the grid take each other's open rows of DRAM, which the model does not see. A
// launch that needs the DRAM for most of its time loses more by that than groups save.
constexpr double kDramHolds = 0.7;
// An SM with this many times its part of the instructions ends last, whatever the others save.
// Measured: histo on fermi, whose TBs count a range of bins each, and some ranges are nearly empty.
constexpr double kUneven = 1.2;
// Where each sector is a request of its own, so many pass a port in a cycle. Measured: hotspot,
// srad and backprop under lrr on pascal and volta.
constexpr double kSectorRequests = 0.37;

// By the code and its trip counts, and what execution has counted where they do not tell.
SmWork WorkOf(const KernelLaunch& launch, const AddressAnalysis& addresses,
              const RequestsOfAccess& requests, const KnownAccesses* known, const SmConfig& sm) {
  if (known == nullptr) return FindSmWork(launch, addresses, requests, sm);
  RequestsOfAccess by_code = requests;
  for (const AddressForm& access : addresses.accesses) {
    const bool only_data_tell = !access.is_store && access.pattern == AddressClass::kIndirect;
    if (only_data_tell || known->Holds(access.pc)) by_code[access.pc] = {};
  }
  SmWork work = FindSmWork(launch, addresses, by_code, sm);
  const auto warps = static_cast<double>(launch.TbCount() * launch.WarpsPerTb());
  work.instructions = static_cast<double>(known->warp_instructions) / warps;
  work.load_store += static_cast<double>(known->lines) / warps;
  work.requested_bytes += static_cast<double>(known->lines) * kSectorBytes / warps;
  work.rounds += static_cast<double>(known->warp_loads) / warps;
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
ModelMachine ModelOf(const MachineConfig& machine, const KernelLaunch& launch, const SmWork& work) {
  const OrderMachine shape = {.sms = machine.sm.count,
                              .tbs_per_sm = ComputeOccupancy(machine, launch).tbs_per_sm,
                              .chiplets = 1};
  ModelMachine model = MakeModelMachine(machine, shape, work, launch);
  model.warm = machine.l2.between_launches == BetweenLaunches::kWarm;
  if (machine.sm.request_sectors == 1) {
    const uint32_t ports = machine.sm.count / machine.interconnect.sms_per_port;
    model.l2_rate = std::min(model.l2_rate, kSectorRequests * ports * kSectorBytes);
  }
  return model;
}

// Of a launch, as far as it plays a part in whether its groups gain.
struct LaunchFacts {
  bool all_at_once = false;  // its TBs run
  bool needs_dram = false;   // for most of its time
  bool scattered = false;    // a load of it
};

// By the code; loads whose addresses only data tell by what execution has counted.
bool HasScatteredLoad(const AddressAnalysis& addresses, const RequestsOfAccess& requests,
                      const KnownAccesses* known) {
  if (known != nullptr && known->warp_loads > 0 &&
      known->lines >= kScatteredLines * known->warp_loads) {
    return true;
  }
  return std::any_of(addresses.accesses.begin(), addresses.accesses.end(),
                     [&requests](const AddressForm& access) {
                       return !access.is_store && access.pattern != AddressClass::kIndirect &&
                              requests.at(access.pc).lines >= double{kScatteredLines};
                     });
}

// How many times as much the busiest SM executes in these groups as in an even hand-out, where TBs
// differ in what they execute. More groups than SMs are handed out as SMs become free.
double Unevenness(const TbGroups& groups, const KnownAccesses* known, uint64_t tbs, uint32_t sms) {
  if (known == nullptr || known->tb_instructions.empty() || groups.groups.size() > sms) return 1;
  uint64_t most = 0;
  for (const std::vector<uint32_t>& group : groups.groups) {
    uint64_t instructions = 0;
    for (const uint32_t tb : group) instructions += known->tb_instructions[tb];
    most = std::max(most, instructions);
  }
  const uint64_t even = (tbs + sms - 1) / sms * known->warp_instructions / tbs;
  return static_cast<double>(most) / static_cast<double>(std::max<uint64_t>(even, 1));
}

// What groups that are predicted so are worth.
GroupPrediction::Reason Judge(const GroupPrediction& groups, const LaunchFacts& launch) {
  using enum GroupPrediction::Reason;
  const auto leaves = [&groups](double part_of_time, double part_of_traffic) {
    return groups.cycles <= part_of_time * groups.lrr_cycles &&
           groups.l2_bytes <= part_of_traffic * groups.lrr_l2_bytes;
  };
  if (launch.needs_dram) return kNeedsDram;
  const double little = launch.scattered ? kLittleOfScattered : kLittleTraffic;
  if (!launch.all_at_once && leaves(1 + kNoTime, little)) return kSavesTraffic;
  if (leaves(1 - kLargeGain, 1 - kLeastGain)) return kGains;
  if (groups.waits < kWaits) return kDoesNotWait;
  return leaves(1 - kLeastGain, 1 - kLeastGain) ? kGains : kGainsLittle;
}

// Groups that gain before others, then what takes less time, and of equal times less traffic.
bool IsBetter(const GroupPrediction& one, const GroupPrediction& other) {
  if (one.Groups() != other.Groups()) return one.Groups();
  if (one.cycles < (1 - kNoTime) * other.cycles) return true;
  return one.cycles <= (1 + kNoTime) * other.cycles && one.l2_bytes < other.l2_bytes;
}

// The part of its time that a launch waits for the L2 or for latencies.
double Waits(const TimeBounds& bounds, double cycles) {
  return std::max(bounds.of[static_cast<size_t>(Level::kL2)],
                  bounds.of[static_cast<size_t>(Level::kLatency)]) /
         std::max(cycles, 1.0);
}

}  // namespace

GroupPrediction PredictGroups(const AddressAnalysis& addresses, const KernelLaunch& launch,
                              const KnownAccesses* known,
                              std::span<const GroupCandidate> candidates,
                              const MachineConfig& machine) {
  const uint64_t tbs = launch.TbCount();
  const RequestsOfAccess requests = FindWarpRequests(addresses, launch);
  const SmWork work = WorkOf(launch, addresses, requests, known, machine.sm);
  const ModelMachine model = ModelOf(machine, launch, work);
  const TouchPlan plan = PlanGroupTouches(addresses, launch, requests, known, machine);
  std::vector<uint32_t> in_id_order(tbs);
  std::iota(in_id_order.begin(), in_id_order.end(), 0);
  TrafficModel traffic(plan, model);

  const auto bound = [&](const Traffic& of, double first, double* cycles, double* l2_bytes) {
    const TimeBounds bounds = FindBounds(model, work, of, launch);
    *cycles = std::max({of.cycles, first + bounds.of[static_cast<size_t>(Level::kLatency)],
                        first + bounds.of[static_cast<size_t>(Level::kL2)]});
    *l2_bytes = of.L2();
    return bounds;
  };
  GroupPrediction lrr;
  const TimeBounds bounds = bound(traffic.Run(in_id_order), 0, &lrr.lrr_cycles, &lrr.lrr_l2_bytes);
  lrr.waits = Waits(bounds, lrr.lrr_cycles);
  lrr.limit = kLevelNames[static_cast<size_t>(bounds.Limit())];
  const LaunchFacts facts = {
      .all_at_once = tbs <= model.shape.sms * uint64_t{model.shape.tbs_per_sm},
      .needs_dram = bounds.of[static_cast<size_t>(Level::kDram)] > kDramHolds * lrr.lrr_cycles,
      .scattered = HasScatteredLoad(addresses, requests, known)};
  std::optional<GroupPrediction> best;
  for (const GroupCandidate& candidate : candidates) {
    GroupPrediction one = lrr;
    const HandOut hand_out =
        candidate.queued ? HandOutOf(machine, model.l2_latency) : HandOut{0, 0, 0};
    bound(traffic.Run(*candidate.groups, hand_out), hand_out.first, &one.cycles, &one.l2_bytes);
    one.reason = Unevenness(*candidate.groups, known, tbs, model.shape.sms) > kUneven
                     ? GroupPrediction::Reason::kUneven
                     : Judge(one, facts);
    if (one.Groups()) one.runs = candidate.policy;
    if (!best || IsBetter(one, *best)) best = one;
  }
  return *best;
}

}  // namespace flagstone
