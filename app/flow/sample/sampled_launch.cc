#include "app/flow/sample/sampled_launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "app/flow/sample/sampler.h"
#include "app/flow/sample/wave_sequence.h"
#include "gpu_model/sm/occupancy.h"

namespace flagstone {
namespace {

constexpr double kFirstShare = 1.0 / 24;  // of a launch's waves, whose time is taken at first

SimulationResult Whole(const SimulateOptions& options, const LaunchRequest& launch,
                       std::string why) {
  SimulationResult result = Simulate(options, launch);
  SampleRecord& sample = result.launch.sample.emplace();
  sample.tbs = launch.launch->TbCount();
  sample.whole = std::move(why);
  return result;
}

}  // namespace

SimulationResult SimulateSampled(const SimulateOptions& options, const LaunchRequest& launch,
                                 const SampleRequest& request) {
  std::string why = WhyOnlyWhole(launch, options.machine.numa.Nodes() > 1);
  if (!why.empty()) return Whole(options, launch, std::move(why));
  const Occupancy occupancy = ComputeOccupancy(options.machine, *launch.launch);
  const WaveSequence sequence(launch, {options.machine.sm.count, occupancy.tbs_per_sm});
  why = fmt::format("it has {:.1f} waves of TBs", sequence.waves());
  if (sequence.waves() < kFewestWaves) return Whole(options, launch, std::move(why));
  Sampler sampler(options, launch, request, sequence);
  sampler.FillL2();
  uint32_t samples =
      std::max(Sampler::kFewestSamples, static_cast<uint32_t>(kFirstShare * sequence.waves()));
  bool tried = false;
  while (samples != 0 && sampler.MayTry(samples)) {
    tried = true;
    std::optional<SimulationResult> result = sampler.Try(samples, &why, &samples);
    if (result) return std::move(*result);
  }
  if (!tried)
    why = fmt::format("a sample would be more than half of its {:.1f} waves", sequence.waves());
  sampler.Restore();
  return Whole(options, launch, std::move(why));
}

}  // namespace flagstone
