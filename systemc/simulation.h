// One launch on one machine: the SystemC co-simulation as a function call.
#ifndef FLAGSTONE_SYSTEMC_SIMULATION_H_
#define FLAGSTONE_SYSTEMC_SIMULATION_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "analyzer/partition/tb_groups.h"
#include "gpu_model/blocks/tb_scheduler/tb_settings.h"
#include "gpu_model/machines/machine.h"
#include "gpu_model/sm/load_log.h"
#include "gpu_model/sm/occupancy.h"  // ComputeOccupancy
#include "gpu_model/stats/statistics.h"
#include "launch/device_memory.h"
#include "launch/kernel_launch.h"
#include "systemc/bodies/engine.h"

namespace flagstone {

class Timeline;

struct Progress {
  uint64_t launch = 0;    // launches before this one
  uint64_t launches = 0;  // of the run; 0 where nobody knows yet
  uint64_t cycle = 0;     // of the launch, as all below
  uint64_t tbs_completed = 0;
  uint64_t tbs = 0;
  uint64_t warp_instructions = 0;
};

struct SimulationRequest {
  const MachineConfig* machine = nullptr;
  const KernelLaunch* launch = nullptr;
  DeviceMemory* memory = nullptr;  // read and written by the kernel; the queue image is put in it
  Dispatcher dispatcher = Dispatcher::kLrr;
  TbGroups groups;  // for kPaver
  // For the dispatchers with registers: their contents for this launch; empty: zeros.
  std::function<TbSettings(const TbLaunchShape& shape)> settings;
  std::string warp_scheduler;  // empty: the machine's
  std::string prefetcher;      // empty: the machine's
  Engine engine = Engine::kRtl;
  uint64_t max_cycles = 0;  // 0: no limit. Reaching it is a failed run
  bool cold_l2 = false;  // default: the copies into device memory have warmed the L2 (assumption)
  WaveRequest wave;
  Timeline* timeline = nullptr;               // takes this launch as its next one
  std::vector<LoadLog>* load_logs = nullptr;  // takes the global loads of each SM
  bool miss_classes = false;                  // count the L1's load misses by class
  uint32_t threads = 1;  // that the SMs are split over; results are the same for any number
  bool force_reverse_samples = false;  // SMs sample in the reverse order: for tests of that order
  bool force_every_tick = false;  // never skip an idle block or time: for tests of the skipping
  std::function<void(const Progress&)> progress;   // about every 100,000 cycles
  const std::atomic<bool>* interrupted = nullptr;  // polled; true ends the run early
};

struct BlockBody {
  std::string path;  // "gpu.tb_scheduler"; "gpu.sm*.prefetcher": that of every SM
  std::string body;  // "model", "rtl", "lockstep"
};

struct SimulationResult {
  LaunchStatistics statistics;
  std::vector<LoadPrefetches> load_prefetches;  // by pc; without a prefetcher: empty
  Occupancy occupancy;
  std::vector<BlockBody> blocks;
  uint64_t lockstep_cycles = 0;  // compared
  bool interrupted = false;
};

// Throws kRunFailed for a memory fault, a lockstep difference, a deadlock ("no progress for N
// cycles: ..." with which warps wait for what), or the cycle limit.
SimulationResult Simulate(const SimulationRequest& request);

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_SIMULATION_H_
