#include "flow/event_wave.h"

#include <algorithm>

#include "base/clocked.h"
#include "launch/device_memory.h"
#include "systemc/cosim/lockstep_mismatch.h"

namespace flagstone {
namespace {

// Simulates the launch for its wave alone.
void SimulateForWave(const RunOptions& options, LaunchRequest request, const WaveRequest& wave) {
  KernelLaunch launch = *request.launch;
  launch.findings = nullptr;  // they are known already
  request.launch = &launch;
  RunOptions again = options;
  again.wave = wave;
  again.wave_on = {};
  again.detail = again.load_logs = false;
  Simulate(again, request);
}

}  // namespace

SimulationResult SimulateWithWaveOfMismatch(const RunOptions& options, const LaunchRequest& request,
                                            const std::string& wave_file) {
  if (options.engine != Engine::kLockstep) return Simulate(options, request);
  const bool asked = options.wave_on.event == WaveEvent::kMismatch;
  const DeviceMemory before = *request.memory;
  RunOptions first = options;
  if (asked) first.wave = {};
  try {
    return Simulate(first, request);
  } catch (const LockstepMismatch& mismatch) {
    RethrowWithWave(
        mismatch, asked ? options.wave.file : wave_file,
        [&](const WaveRequest& wave) {
          *request.memory = before;
          SimulateForWave(options, request, wave);
        },
        asked ? options.wave_on.before + 1 : kLockstepWaveCycles);
  }
}

SimulationResult SimulateWithWaveOfEvent(const RunOptions& options, const LaunchRequest& request,
                                         const std::string& mismatch_file) {
  const DeviceMemory before = *request.memory;
  RunOptions first = options;
  first.wave = {};
  SimulationResult result = SimulateWithWaveOfMismatch(first, request, mismatch_file);
  if (!result.event) return result;
  WaveRequest wave = options.wave;
  const uint64_t cycle = result.event->cycle;
  wave.from = cycle - std::min(cycle, options.wave_on.before);
  wave.to = cycle + std::min(options.wave_on.after, kNever - 1 - cycle);
  if (wave.scope.empty()) wave.scope = {result.event->path};
  DeviceMemory memory = before;
  LaunchRequest again = request;
  again.memory = &memory;
  again.counters = nullptr;
  again.stop_cycle = wave.to + 1;
  SimulateForWave(first, again, wave);
  return result;
}

}  // namespace flagstone
