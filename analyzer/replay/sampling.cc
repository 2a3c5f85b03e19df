#include "analyzer/replay/sampling.h"

#include <algorithm>
#include <cmath>

namespace flagstone::replay {
namespace {

constexpr double kShortWaves = 3;    // that are looked at by their first steps, if there is time
constexpr double kFewestSteps = 32;  // of a warp
// Of one wave of TBs on a few SMs: longer ones are cut short.
constexpr double kLongest = 1'000'000;

}  // namespace

MachineConfig PartOf(const MachineConfig& machine, double share) {
  if (share >= 1 || machine.numa.Nodes() > 1) return machine;
  MachineConfig part = machine;
  const auto of = [&](uint32_t whole) {
    return std::max(1U, static_cast<uint32_t>(std::lround(share * whole)));
  };
  part.sm.count = of(machine.sm.count);
  part.interconnect.sms_per_port = std::min(machine.interconnect.sms_per_port, part.sm.count);
  while (part.sm.count % part.interconnect.sms_per_port != 0) --part.sm.count;
  part.dram.channels = of(machine.dram.channels);
  part.l2.slices = machine.l2.slices / machine.dram.channels * part.dram.channels;
  // The permutation by a polynomial is for more slices.
  constexpr uint32_t kFewestOfIpoly = 9;
  if (part.l2.slice_hash == SliceHash::kIpoly && part.l2.slices < kFewestOfIpoly) {
    part.l2.slice_hash = SliceHash::kRotated;
  }
  part.name = machine.name;
  return part;
}

Sample ChooseSample(const LaunchSize& launch, const MachineConfig& machine, uint64_t most) {
  Sample sample;
  sample.tbs = sample.short_tbs = launch.tbs;
  const auto tbs = static_cast<double>(launch.tbs), half = static_cast<double>(most) / 2;
  sample.whole = most == 0 || tbs * launch.steps <= 2 * half;
  if (sample.whole) return sample;
  const uint32_t sms = machine.sm.count;
  const double window = static_cast<double>(sms) * launch.tbs_per_sm;
  const double fewest = std::ceil(static_cast<double>(sms) / machine.dram.channels);
  const double longest = std::max(half, kLongest) / (fewest * launch.tbs_per_sm * launch.warps);
  const double warp_steps = std::max(launch.steps / launch.warps, 1.0);
  if (warp_steps > longest) sample.steps = static_cast<uint32_t>(longest);
  // Waves before SMs: TBs may differ along the grid.
  const double waves = std::max(tbs / window, 1.0);
  const double of_sm = launch.tbs_per_sm * launch.warps * std::min(warp_steps, longest);
  const double looked_at = std::clamp(half / (fewest * of_sm), 1.0, waves);
  sample.tbs = std::min<uint64_t>(launch.tbs, static_cast<uint64_t>(std::ceil(looked_at * window)));
  sample.sms = static_cast<uint32_t>(
      std::clamp(std::floor(half / (looked_at * of_sm)), fewest, static_cast<double>(sms)));
  if (machine.numa.Nodes() > 1) sample.sms = 0;

  const double affordable = half / (kFewestSteps * launch.warps * window);
  const double in_flight = std::min(tbs, std::clamp(affordable, 1.0, kShortWaves) * window);
  const double short_steps = std::max<double>(half / (in_flight * launch.warps), kFewestSteps);
  if (short_steps < warp_steps) sample.short_steps = static_cast<uint32_t>(short_steps);
  sample.short_tbs = static_cast<uint64_t>(
      std::clamp(half / (std::min(short_steps, warp_steps) * launch.warps), in_flight, tbs));
  return sample;
}

}  // namespace flagstone::replay
