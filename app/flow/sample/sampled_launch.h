// A launch by some of its TBs: a first wave, waves until their time is stable, and the last ones,
// cycle by cycle; the totals of the rest by those of the waves. A launch that has too few waves, or
// whose waves never take the same time, is simulated whole.
//
// Hardware policies run as they are, on fewer TBs. What is assumed: TBs that are left out are like
// those that run beside them, which their instructions are compared for (tb_work.h), and caches
// hold at the last waves what the sampled ones left.
#ifndef FLAGSTONE_APP_FLOW_SAMPLE_SAMPLED_LAUNCH_H_
#define FLAGSTONE_APP_FLOW_SAMPLE_SAMPLED_LAUNCH_H_

#include "gpu_model/simt/executor.h"
#include "systemc/simulation.h"

namespace flagstone {

// A launch of fewer waves is simulated whole: a sample would be half of it.
inline constexpr double kFewestWaves = 11;
inline constexpr double kLeastSamplePercent = 0.1, kMostSamplePercent = 50;

struct SampleRequest {
  double percent = 0;         // of the cycles: half of their 95 % interval is at most that
  bool execute = true;        // the TBs that are left out, without timing and after the others
  FunctionalControl control;  // of what is executed
};

// Simulates the launch. Its record says what was sampled, or why it was simulated whole. Throws as
// Simulate does.
SimulationResult SimulateSampled(const SimulateOptions& options, const LaunchRequest& launch,
                                 const SampleRequest& request);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_SAMPLE_SAMPLED_LAUNCH_H_
