// One launch on one machine: the SystemC co-simulation as a function call.
#ifndef FLAGSTONE_SYSTEMC_SIMULATION_H_
#define FLAGSTONE_SYSTEMC_SIMULATION_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/results/run_record.h"
#include "gpu_model/blocks/tb_scheduler/descriptor.h"
#include "gpu_model/blocks/tb_scheduler/tb_settings.h"
#include "gpu_model/memory/page_table.h"
#include "gpu_model/memory/tag_array.h"
#include "gpu_model/sm/group_sizes.h"
#include "gpu_model/sm/loop_sample.h"
#include "kernels/launch/device_memory.h"
#include "kernels/launch/kernel_launch.h"
#include "kernels/launch/node_plan.h"
#include "kernels/launch/tb_groups.h"
#include "systemc/loop_progress.h"
#include "systemc/simulate_options.h"

namespace flagstone {

class KeptGpu;

// What differs from launch to launch of a run.
struct LaunchRequest {
  const KernelLaunch* launch = nullptr;
  DeviceMemory* memory = nullptr;  // read and written by the kernel; the queue image is put in it
  const TbSchedulerDescriptor* tb_scheduler = FindTbScheduler("lrr");
  StealRule steal_rule = StealRule::kWhenFree;  // where the groups say that TBs are stolen
  TbGroups groups;                              // for a TB scheduler with a queue
  // TB i of the hardware does the work of TB order[i]; empty: its own. An order of fewer TBs than
  // the launch has: only these run. The kernel sees the whole grid, the TB scheduler a row of them.
  std::vector<uint32_t> order;
  // Keeps the totals as they are when so many TBs have been issued: ascending.
  std::vector<uint64_t> marks;
  const LoopSample* loop = nullptr;  // of one node; null: all iterations are simulated
  bool stop_at_marks = false;        // ends at the last one, as if interrupted
  // For the TB schedulers with registers: their contents for this launch; empty: zeros.
  std::function<TbSettings(const TbLaunchShape& shape)> settings;
  // By pc: the loads whose addresses depend on loaded data, which a compiler tells a prefetcher
  // (IndirectLoads). Needed where there is a prefetcher, or marks of leading warps that end.
  std::vector<bool> indirect_loads;
  // For a warp scheduler whose group the software sizes.
  GroupSizes group_sizes;
  // Of a machine of several nodes, both; the TB scheduler and groups above are not used then.
  NodePlan plan;
  PageTable* pages = nullptr;  // of the run, with the plan's pages placed
  // With BetweenLaunches::kKeep: what the L2 slices hold, node after node, before and after; empty:
  // nothing. Null: they begin with nothing.
  std::vector<TagArray>* l2 = nullptr;
  // With ReadOnlyCaches::kKeep, both: what these caches hold, SM after SM, before and after (empty:
  // nothing), and where the kernel's code lies, in bytes from where code begins. Null: they begin
  // with nothing.
  std::vector<std::vector<TagArray>>* read_only = nullptr;
  uint64_t code_offset = 0;
  // Of a run of several launches, which the same machine has: its GPU; null before the first one.
  // Null: the launch makes one of its own.
  std::unique_ptr<KeptGpu>* gpu = nullptr;
  uint64_t number = 0;  // among the workload's launches
  uint64_t index = 0;   // launches of the run before this one
  uint64_t count = 0;   // of the run; 0 where nobody knows yet
  // With SimulateOptions::detail: takes counters over time, from `first_cycle` of the run on; null:
  // nobody.
  RunCounters* counters = nullptr;
  uint64_t first_cycle = 0;
  uint64_t stop_cycle = ~uint64_t{0};  // ends there, as if interrupted

  uint64_t Tbs() const { return order.empty() ? launch->TbCount() : order.size(); }
  bool OfAllTbs() const { return Tbs() == launch->TbCount(); }
};

// The first event of SimulateOptions::wave_on in a launch.
struct SeenEvent {
  uint64_t cycle = 0;
  std::string path;  // of the block: "gpu.tb_scheduler", "gpu.sm3.prefetcher"
};

struct SimulationResult {
  LaunchRecord launch;  // but for the analysis
  std::vector<BlockBody> blocks;
  uint64_t lockstep_cycles = 0;  // compared
  bool interrupted = false;
  std::optional<SeenEvent> event;          // of SimulateOptions::wave_on, if it came about
  LoopProgress loop;                       // under LaunchRequest::loop
  std::vector<LaunchStatistics> at_marks;  // of those of LaunchRequest::marks that were reached
};

// Reads of `options` the hardware, how it is simulated and what is kept; policy, workload and
// checkpoints are the caller's. Throws kRunFailed for a memory fault, a lockstep difference, a
// deadlock ("no progress for N cycles: ..." with which warps wait for what), or the cycle limit.
SimulationResult Simulate(const SimulateOptions& options, const LaunchRequest& request);

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_SIMULATION_H_
