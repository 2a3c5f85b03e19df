#include "app/flow/run/event_wave.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "base/clocked.h"
#include "kernels/launch/device_memory.h"
#include "systemc/cosim/lockstep_mismatch.h"

namespace flagstone {
namespace {

// What a simulation of a launch changes, as it was before.
class StateBefore {
 public:
  explicit StateBefore(const LaunchRequest& request) : memory_(*request.memory) {
    if (request.l2 != nullptr) l2_ = *request.l2;
    if (request.read_only != nullptr) read_only_ = *request.read_only;
    if (request.pages != nullptr) pages_ = *request.pages;
  }

  // Simulates the launch from this state for its wave alone, and leaves what the request names.
  void SimulateForWave(const RunOptions& options, LaunchRequest request, const WaveRequest& wave) {
    KernelLaunch launch = *request.launch;
    launch.findings = nullptr;  // they are known already
    request.launch = &launch;
    request.memory = &memory_;
    if (request.l2 != nullptr) request.l2 = &l2_;
    if (request.read_only != nullptr) request.read_only = &read_only_;
    if (request.pages != nullptr) request.pages = &*pages_;
    RunOptions again = options;
    again.wave = wave;
    again.wave_on = {};
    again.detail = again.load_logs = false;
    Simulate(again, request);
  }

 private:
  DeviceMemory memory_;
  std::vector<TagArray> l2_;
  std::vector<std::vector<TagArray>> read_only_;
  std::optional<PageTable> pages_;
};

// In lockstep; a mismatch is thrown with its wave.
SimulationResult SimulateLockstep(const RunOptions& options, const LaunchRequest& request,
                                  const std::string& wave_file, StateBefore& before) {
  const bool asked = options.wave_on.event == WaveEvent::kMismatch;
  RunOptions first = options;
  if (asked) first.wave = {};
  try {
    return Simulate(first, request);
  } catch (const LockstepMismatch& mismatch) {
    RethrowWithWave(
        mismatch, asked ? options.wave.file : wave_file,
        [&](const WaveRequest& wave) { before.SimulateForWave(options, request, wave); },
        asked ? options.wave_on.before + 1 : kLockstepWaveCycles);
  }
}

}  // namespace

SimulationResult SimulateWithWaveOfMismatch(const RunOptions& options, const LaunchRequest& request,
                                            const std::string& wave_file) {
  if (options.engine != Engine::kLockstep) return Simulate(options, request);
  StateBefore before(request);
  return SimulateLockstep(options, request, wave_file, before);
}

SimulationResult SimulateWithWaveOfEvent(const RunOptions& options, const LaunchRequest& request,
                                         const std::string& mismatch_file) {
  StateBefore before(request);
  RunOptions first = options;
  first.wave = {};
  SimulationResult result = options.engine == Engine::kLockstep
                                ? SimulateLockstep(first, request, mismatch_file, before)
                                : Simulate(first, request);
  if (!result.event) return result;
  WaveRequest wave = options.wave;
  const uint64_t cycle = result.event->cycle;
  wave.from = cycle - std::min(cycle, options.wave_on.before);
  wave.to = cycle + std::min(options.wave_on.after, kNever - 1 - cycle);
  if (wave.scope.empty()) wave.scope = {result.event->path};
  LaunchRequest again = request;
  again.counters = nullptr;
  again.stop_cycle = wave.to + 1;
  before.SimulateForWave(first, again, wave);
  return result;
}

}  // namespace flagstone
