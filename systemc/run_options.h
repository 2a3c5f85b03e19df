// What a user asks of a run: one struct from the command line to the simulation.
//
// A new option is a field here, its registration in app/cli/ (options.cc for several verbs, run.cc
// for `run` alone), and the place that reads it. Nothing in between copies options field by field.
// What differs from launch to launch is a LaunchRequest (systemc/simulation.h).
#ifndef FLAGSTONE_SYSTEMC_RUN_OPTIONS_H_
#define FLAGSTONE_SYSTEMC_RUN_OPTIONS_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gpu_model/machines/machine.h"
#include "kernels/launch/workload.h"
#include "systemc/cosim/engine.h"

namespace flagstone {

// What is executed: every instruction, or only what addresses, predicates and control need (the
// timing is the same; gpu_model/simt/value_slice.h).
enum class Values : uint8_t { kFull, kSlice };
std::string_view ToString(Values values);  // "full", "slice"

struct Progress {
  uint64_t launch = 0;    // launches before this one
  uint64_t launches = 0;  // of the run; 0 where nobody knows yet
  uint64_t cycle = 0;     // of the launch, as all below
  uint64_t tbs_completed = 0;
  uint64_t tbs = 0;
  uint64_t warp_instructions = 0;
};

// What a wave may begin at, in place of a cycle: the first steal of the TB scheduler, the first
// prefetch that enters an L1, a difference between model and RTL.
enum class WaveEvent : uint8_t { kNone, kSteal, kFirstPrefetch, kMismatch };
std::string_view ToString(WaveEvent event);  // "none", "steal", "first-prefetch", "mismatch"

struct WaveTrigger {
  WaveEvent event = WaveEvent::kNone;
  uint64_t before = 200, after = 200;  // core cycles around the event's that the wave holds
};

// Writes a buffer's bytes to a file.
struct BufferDump {
  std::string buffer, file;
};

struct RunOptions {
  // What runs.
  std::string workload;  // name or path
  std::string size = "test";
  InputFiles files;               // in the place of its inputs and buffers
  Values values = Values::kFull;  // a slice has no results to check: it needs skip_checks
  bool skip_checks = false;
  bool functional = false;  // execute without timing: no policy, no machine, no cycles

  // The hardware.
  MachineConfig machine;
  std::string policy = "lrr";  // a name that FindPolicy knows (app/policy/policies.h)
  std::string warp_scheduler;  // empty: the machine's
  std::string prefetcher;      // empty: the machine's
  bool cold_l2 = false;  // default: the copies into device memory have warmed the L2 (assumption)

  // The analysis before a launch.
  uint64_t seed = 1;        // of the partitioner
  bool known_data = false;  // it may execute launches to find addresses
  bool l1_fills = false;    // find AnalysisSummary::fills

  // How it is simulated. None of these changes a result.
  Engine engine = Engine::kRtl;
  uint32_t threads = 1;                // that the SMs are split over
  uint64_t max_cycles = 0;             // of a launch; 0: no limit. Reaching it is a failed run
  uint64_t max_instructions = 0;       // of warps, in a launch that is only executed; 0: no limit
  std::string version;                 // of the program: a checkpoint belongs to one
  std::string checkpoint;              // a file to save after each launch; empty: none
  std::string resume;                  // a checkpoint to go on from; empty: none
  bool force_reverse_samples = false;  // SMs sample in the reverse order: for tests of that order
  bool force_every_tick = false;  // never skip an idle block or time: for tests of the skipping

  // What is kept beside the totals.
  bool check_races = false;       // on shared memory
  std::vector<BufferDump> dumps;  // written after the last launch
  bool miss_classes = false;      // count misses by class
  bool detail = false;            // LaunchRecord::detail and RunRecord::counters
  bool load_logs = false;         // LaunchRecord::load_logs
  WaveRequest wave;
  WaveTrigger wave_on;  // with an event: the window of `wave` follows from it

  // How the caller follows it.
  std::function<void(const Progress&)> progress;   // about every 100,000 cycles
  const std::atomic<bool>* interrupted = nullptr;  // polled; true ends the run early

  const std::string& WarpSchedulerName() const {
    return warp_scheduler.empty() ? machine.sm.warp_scheduler : warp_scheduler;
  }
  const std::string& PrefetcherName() const {
    return prefetcher.empty() ? machine.sm.prefetcher : prefetcher;
  }
};

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_RUN_OPTIONS_H_
