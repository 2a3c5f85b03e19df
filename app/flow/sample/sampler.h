// Simulates parts of one launch and says what the whole would have been.
#ifndef FLAGSTONE_APP_FLOW_SAMPLE_SAMPLER_H_
#define FLAGSTONE_APP_FLOW_SAMPLE_SAMPLER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/flow/sample/extrapolation.h"
#include "app/flow/sample/l2_replay.h"
#include "app/flow/sample/launch_state.h"
#include "app/flow/sample/loop_sampler.h"
#include "app/flow/sample/sampled_launch.h"
#include "app/flow/sample/wave_sequence.h"
#include "systemc/simulation.h"

namespace flagstone {

class Sampler {
 public:
  // What it is given must outlive it. `loop` leaves out iterations too; null: none are.
  Sampler(const SimulateOptions& options, const LaunchRequest& launch, const SampleRequest& request,
          const WaveSequence& sequence, const LoopSampler* loop);

  // First: executes waves until the L2 holds nothing from before, if that happens. What a launch
  // does before is no measure of what it does later.
  void FillL2();
  // Whether so many waves may be sampled: half of the launch is left out, and they come before the
  // last ones.
  bool MayTry(uint32_t samples) const;
  // None where the waves' times do not agree, or TBs are not alike: `why` says it, and `more` how
  // many waves might do; 0: none.
  std::optional<SimulationResult> Try(uint32_t samples, std::string* why, uint32_t* more);
  // As if nothing had been simulated or executed.
  void Restore() const { before_.Restore(); }

  static constexpr uint32_t kFewestSamples = 3;  // that give a deviation

 private:
  double WavesOf(uint32_t samples) const;  // that are simulated with so many sampled ones
  // The beginning, in which the L2 fills up, has a sample of its own.
  bool Parted() const;
  double Tail() const;  // waves
  // The launch in which only the TBs of `lists` run, with marks from half wave `begin` on.
  LaunchRequest PartOf(WaveSequence::Lists lists, uint64_t begin, uint32_t samples) const;
  std::vector<uint32_t> Flat(const WaveSequence::Lists& lists) const;
  std::vector<uint32_t> LeftOut(const std::vector<uint32_t>& simulated) const;
  // The first waves, while the L2 fills up: as far as the last mark.
  std::string Beginning(uint32_t samples, SimulationResult* result);
  // Why what is counted cannot be known; empty: it is.
  std::string Simulate(const LaunchRequest& part, SimulationResult* result) const;
  std::string WhyNot(const Estimate& estimate, double ratio, uint32_t samples,
                     uint32_t* more) const;
  void Execute(const std::vector<uint32_t>& simulated, uint64_t from, SimulationResult* result);
  // Names of TBs as the whole launch has them.
  void PutIds(const WaveSequence::Lists& lists, LaunchDetail* detail) const;

  const SimulateOptions& options_;
  const LaunchRequest& launch_;
  const SampleRequest& request_;
  const WaveSequence& sequence_;
  const LoopSampler* const loop_;
  const LaunchState before_;
  FunctionalControl silent_;
  L2Replay replay_;
  uint64_t filling_ = 0;  // waves until the L2 holds nothing from before; 0: at once, or never
  std::optional<DeviceMemory> filled_;  // where the launch is parted: the memory after these
};

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_SAMPLE_SAMPLER_H_
