#include "app/flow/sample/sampled_launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "app/flow/sample/loop_sampler.h"
#include "app/flow/sample/sampler.h"
#include "app/flow/sample/wave_sequence.h"
#include "gpu_model/sm/occupancy.h"

namespace flagstone {
namespace {

constexpr double kFirstShare = 1.0 / 24;  // of a launch's waves, whose time is taken at first

uint32_t FirstSamples(const WaveSequence& sequence) {
  return std::max(Sampler::kFewestSamples, static_cast<uint32_t>(kFirstShare * sequence.waves()));
}

// At least the part of the launch that a sample of TBs simulates: a wave before, one behind.
double ShareOfTbs(const WaveSequence& sequence) {
  if (sequence.waves() < kFewestWaves) return 1;
  return (2 + FirstSamples(sequence)) / sequence.waves();
}

SimulationResult Whole(const SimulateOptions& options, const LaunchRequest& launch,
                       std::string why) {
  SimulationResult result = Simulate(options, launch);
  SampleRecord& sample = result.launch.sample.emplace();
  sample.tbs = launch.launch->TbCount();
  sample.whole = std::move(why);
  return result;
}

// Of a launch of so many waves, some are simulated. None, with the reason: they do not tell of the
// others.
std::optional<SimulationResult> SampleTbs(const SimulateOptions& options,
                                          const LaunchRequest& launch, const SampleRequest& request,
                                          const WaveSequence& sequence, const LoopSampler* loop,
                                          std::string* why) {
  if (launch.tb_scheduler->Sequence() == TbSequence::kGrid) {
    *why = "its TB scheduler goes by rows and columns of the grid";
    return std::nullopt;
  }
  *why = fmt::format("it has {:.1f} waves of TBs", sequence.waves());
  if (sequence.waves() < kFewestWaves) return std::nullopt;
  Sampler sampler(options, launch, request, sequence, loop);
  sampler.FillL2();
  uint32_t samples = FirstSamples(sequence);
  bool tried = false;
  while (samples != 0 && sampler.MayTry(samples)) {
    tried = true;
    std::optional<SimulationResult> result = sampler.Try(samples, why, &samples);
    if (result) return result;
  }
  if (!tried) {
    *why = fmt::format("a sample would be more than half of its {:.1f} waves", sequence.waves());
  }
  sampler.Restore();
  return std::nullopt;
}

}  // namespace

SimulationResult SimulateSampled(const SimulateOptions& options, const LaunchRequest& launch,
                                 const SampleRequest& request) {
  std::string why = WhyOnlyWhole(launch, options.machine.numa.Nodes() > 1);
  if (!why.empty()) return Whole(options, launch, std::move(why));
  const Occupancy occupancy = ComputeOccupancy(options.machine, *launch.launch);
  const WaveSequence sequence(launch, {options.machine.sm.count, occupancy.tbs_per_sm});
  LoopSampler loop(options, launch, request);
  std::string why_loop = loop.WhyNot();
  const bool has_loop = why_loop.empty();
  const auto tbs = [&](const LoopSampler* also) {
    return SampleTbs(options, launch, request, sequence, also, &why);
  };
  // What simulates least comes first.
  std::optional<SimulationResult> result;
  if (has_loop && sequence.waves() >= kFewestWaves) result = tbs(&loop);
  const bool loop_next = has_loop && loop.Share() < ShareOfTbs(sequence);
  if (!result && loop_next) result = loop.Try(&why_loop);
  if (!result) result = tbs(nullptr);
  if (!result && has_loop && !loop_next) result = loop.Try(&why_loop);
  if (result) return std::move(*result);
  return Whole(options, launch, why + "; " + why_loop);
}

}  // namespace flagstone
