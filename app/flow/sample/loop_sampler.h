// Simulates some iterations of a loop in all TBs of a launch and says what the whole would have
// been.
#ifndef FLAGSTONE_APP_FLOW_SAMPLE_LOOP_SAMPLER_H_
#define FLAGSTONE_APP_FLOW_SAMPLE_LOOP_SAMPLER_H_

#include <cstdint>
#include <optional>
#include <string>

#include "app/flow/sample/launch_state.h"
#include "app/flow/sample/loop_choice.h"
#include "app/flow/sample/loop_extrapolation.h"
#include "app/flow/sample/sampled_launch.h"
#include "systemc/simulation.h"

namespace flagstone {

// A warp does the first iterations of the loop and the last ones; between them is a gap.
class LoopSampler {
 public:
  // What it is given must outlive it.
  LoopSampler(const SimulateOptions& options, const LaunchRequest& launch,
              const SampleRequest& request);

  // Why the loop's iterations cannot be left out; empty: they can.
  std::string WhyNot() const;
  // The part of the launch that the first attempt simulates.
  double Share() const { return ShareOf(First()); }
  // None, with the reason, where the iterations do not settle before half of the launch is
  // simulated; the state is then as if nothing had been.
  std::optional<SimulationResult> Try(std::string* why);
  // Simulates TBs of the launch, or the launch until the last mark: totals, marks and the sample's
  // half widths are those of all their iterations. Why they are not known, else; the state has then
  // changed all the same.
  std::string Simulate(LaunchRequest part, SimulationResult* result) const {
    return Simulate(std::move(part), First(), result);
  }

 private:
  // What is measured by the first attempt, at least: iterations, and instructions of a warp.
  static constexpr uint32_t kIterations = 8, kInstructions = 2048;
  static constexpr double kMost = 0.5;  // of the launch

  LoopWindow First() const;
  double ShareOf(const LoopWindow& window) const;
  std::string Simulate(LaunchRequest part, const LoopWindow& window,
                       SimulationResult* result) const;
  std::string Extend(const LaunchRequest& part, const LoopWindow& window,
                     SimulationResult* result) const;

  const SimulateOptions& options_;
  const LaunchRequest& launch_;
  const SampleRequest& request_;
  KernelLaunch only_needed_;  // computes what the timing hangs on
  std::optional<ChosenLoop> loop_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_SAMPLE_LOOP_SAMPLER_H_
