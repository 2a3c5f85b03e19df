// How one launch is simulated: the hardware, how this host goes about it, and what is kept.
// What differs from launch to launch is a LaunchRequest (systemc/simulation.h).
#ifndef FLAGSTONE_SYSTEMC_SIMULATE_OPTIONS_H_
#define FLAGSTONE_SYSTEMC_SIMULATE_OPTIONS_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "gpu_model/machines/machine.h"
#include "systemc/cosim/engine.h"

namespace flagstone {

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

struct SimulateOptions {
  // The hardware.
  MachineConfig machine;
  bool cold_l2 = false;  // default: the copies into device memory have warmed the L2 (assumption)

  // How it is simulated. None of these changes a result.
  Engine engine = Engine::kRtl;
  uint32_t threads = 1;                // that the SMs are split over
  uint64_t max_cycles = 0;             // of a launch; 0: no limit. Reaching it is a failed run
  bool force_reverse_samples = false;  // SMs sample in the reverse order: for tests of that order
  bool force_every_tick = false;  // never skip an idle block or time: for tests of the skipping

  // What is kept beside the totals.
  bool miss_classes = false;  // count misses by class
  bool detail = false;        // LaunchRecord::detail and RunRecord::counters
  bool load_logs = false;     // LaunchRecord::load_logs
  WaveRequest wave;
  WaveTrigger wave_on;  // with an event: the window of `wave` follows from it

  // How the caller follows it.
  std::function<void(const Progress&)> progress;   // about every 100,000 cycles
  const std::atomic<bool>* interrupted = nullptr;  // polled; true ends the run early
};

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_SIMULATE_OPTIONS_H_
