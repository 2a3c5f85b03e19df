// One launch after another of a run: what a workload's launches and those of a program share.
#ifndef FLAGSTONE_APP_FLOW_RUN_LAUNCH_RUNNER_H_
#define FLAGSTONE_APP_FLOW_RUN_LAUNCH_RUNNER_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "app/flow/run/launch_policy.h"
#include "app/flow/run/run_options.h"
#include "app/policy/policy.h"
#include "app/results/run_record.h"
#include "gpu_model/memory/kept_caches.h"
#include "gpu_model/memory/page_table.h"
#include "kernels/launch/device_memory.h"
#include "kernels/launch/kernel_launch.h"
#include "systemc/simulation.h"

namespace flagstone {

// The order of a launch's TBs: TB i of the hardware does the work of TB order[i].
using OrderOfLaunch = std::function<std::vector<uint32_t>(const KernelLaunch& launch)>;

// What it is given must outlive it. Throws kBadInput for options that RequireSampleable refuses. It
// adds to the record's blocks, kernels, analysis time and lockstep cycles, and says there whether
// the launch was interrupted; the launch's own record it gives back.
class LaunchRunner {
 public:
  // `several`: launches may follow one another, so that waves get numbered files.
  LaunchRunner(const RunOptions& options, const Policy& policy, bool several, RunRecord* record);
  ~LaunchRunner();

  // Analyses, where the policy asks for it, and simulates a launch, after the cycles of
  // record->totals; `count`: of the run, 0 where nobody knows yet.
  LaunchRecord Run(const KernelLaunch& launch, uint64_t count, DeviceMemory* memory);
  // Executes it without timing: only the counts of instructions and TBs are known then.
  LaunchRecord Execute(const KernelLaunch& launch, uint64_t count, DeviceMemory* memory);

  // Launches come from these, again and again; without them each is another one.
  void SetLaunches(std::span<const KernelLaunch> launches) { launches_ = launches; }
  // What analyses find is in `store`, and kept there: of a workload with this hash.
  void SetStore(const ResultStore& store, uint64_t input_hash) {
    if (!policy_.takes_file) known_.store.emplace(store, options_, policy_, input_hash);
  }
  // Of the launches that it simulates from now on.
  void SetOrder(OrderOfLaunch order) { order_ = std::move(order); }

  // Where the machine keeps what its instruction caches hold, the kernel's code is now loaded
  // behind that of the kernels before it; a launch loads its own where nobody has.
  void LoadCode(const ptx::Kernel& kernel);

  PageTable* pages() { return &pages_; }
  KeptCaches* caches() { return &caches_; }
  // After a checkpoint has brought the launches before.
  void SetIndex(uint64_t launches_before) { index_ = launches_before; }

 private:
  void AddKernel(const ptx::Kernel& kernel);
  // With the wave that the options ask for; the first event of the run takes it.
  SimulationResult Simulate(const LaunchRequest& request);

  const RunOptions& options_;
  const Policy& policy_;
  uint64_t NumberOf(const KernelLaunch& launch) const {
    return launches_.empty() ? index_ : static_cast<uint64_t>(&launch - launches_.data());
  }

  std::span<const KernelLaunch> launches_;
  OrderOfLaunch order_;  // none: that of the ids
  bool several_;
  RunRecord* record_;
  uint64_t index_ = 0;  // launches of the run before the next
  KnownAnalyses known_;
  std::unique_ptr<KeptGpu> gpu_;
  PageTable pages_;  // of several nodes
  KeptCaches caches_;
  std::map<const ptx::Kernel*, uint64_t> code_at_;  // of its kernels, one after the other
  uint64_t code_end_ = 0;
};

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_RUN_LAUNCH_RUNNER_H_
