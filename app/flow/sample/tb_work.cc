#include "app/flow/sample/tb_work.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <vector>

#include "base/random.h"
#include "base/spread.h"

namespace flagstone {
namespace {

constexpr uint64_t kDrawn = 32;  // TBs of either list

std::vector<uint32_t> Draw(std::span<const uint32_t> tbs, SplitMix64* random) {
  const uint64_t parts = std::min<uint64_t>(kDrawn, tbs.size());
  std::vector<uint32_t> drawn;
  for (uint64_t i = 0; i < parts; ++i) {
    const uint64_t first = tbs.size() * i / parts, end = tbs.size() * (i + 1) / parts;
    drawn.push_back(tbs[first + random->Below(end - first)]);
  }
  return drawn;
}

}  // namespace

TbWork WorkOf(const KernelLaunch& launch, const DeviceMemory& memory, std::span<const uint32_t> tbs,
              const FunctionalControl& control) {
  constexpr uint64_t kSeed = 1;
  SplitMix64 random(kSeed);
  DeviceMemory copy = memory;
  KernelLaunch quiet = launch;
  quiet.findings = nullptr;
  const std::vector<uint32_t> drawn = Draw(tbs, &random);
  FunctionalControl only = control;
  only.only = drawn;
  only.progress = nullptr;
  using Counts = std::unordered_map<uint64_t, uint64_t>;
  Counts counts;
  RunFunctionally(
      quiet, &copy,
      [](void* context, uint64_t tb, uint32_t /*warp*/, const StepResult& /*result*/) {
        ++(*static_cast<Counts*>(context))[tb];
      },
      &counts, only);
  std::vector<double> instructions;
  for (const uint32_t tb : drawn) instructions.push_back(static_cast<double>(counts[tb]));
  const Spread spread = Spread::Of(instructions);
  return {spread.mean, spread.deviation / std::sqrt(static_cast<double>(spread.count))};
}

}  // namespace flagstone
