// Simulates some iterations of a loop in all TBs of a launch and says what the whole would have
// been.
#ifndef FLAGSTONE_APP_FLOW_SAMPLE_LOOP_SAMPLER_H_
#define FLAGSTONE_APP_FLOW_SAMPLE_LOOP_SAMPLER_H_

#include <cstdint>
#include <optional>
#include <string>

#include "app/flow/sample/launch_state.h"
#include "app/flow/sample/loop_choice.h"
#include "app/flow/sample/sampled_launch.h"
#include "systemc/simulation.h"

namespace flagstone {

// A warp does the first iterations of the loop and the last ones; between them is a gap. What goes
// on between L2 and DRAM in the gap is counted by the addresses of what is executed there. For all
// else there are two measures of an iteration: what a longer beginning adds, and what a longer end
// adds. Their mean stands for the iterations left out; how far apart they are is half the interval.
// What a gap costs, since warps wait for one another there, is known from a run with two, and taken
// off.
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

 private:
  // What is measured by the first attempt, at least: iterations, and instructions of a warp. The
  // next attempt measures twice as much.
  static constexpr uint32_t kIterations = 8, kInstructions = 2048;
  static constexpr double kMost = 0.5;  // of the launch

  uint32_t First() const;                          // iterations that the first attempt measures
  uint32_t Settle() const { return First() / 2; }  // before them
  double ShareOf(uint32_t measured) const;
  // With so many iterations before and behind the gap; in its midst too, if not 0.
  SimulationResult Run(uint32_t before, uint32_t amidst, uint32_t behind);
  // Runs that differ from the shortest one in one thing each.
  struct Runs {
    SimulationResult shortest, two_gaps, longer_end, longer_beginning;
  };
  // The whole by these. None: they do not fit together.
  std::optional<SimulationResult> Whole(const Runs& runs, std::string* why) const;

  const SimulateOptions& options_;
  const LaunchRequest& launch_;
  const SampleRequest& request_;
  std::optional<LaunchState> before_;  // from Try on
  KernelLaunch only_needed_;           // computes what the timing hangs on
  std::optional<ChosenLoop> loop_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_SAMPLE_LOOP_SAMPLER_H_
