// Runs one block, Verilated for coverage, on random stimuli.
// usage: coverage_runner FILE.dat BLOCK NAME=VALUE...
#include <cstdio>
#include <string>
#include <vector>

#include "systemc/cosim/verilate.h"
#include "tests/blocks/stimuli/replay.h"

namespace flagstone {
namespace {

// Small kernels; the beginnings of large ones, for their settings; and all 2^16 TBs of some.
struct Stimuli {
  KernelSize size;
  uint64_t seeds, cycles;
};
constexpr Stimuli kPlan[] = {
    {KernelSize::kSmall, 6, 8000}, {KernelSize::kLarge, 400, 100}, {KernelSize::kLarge, 4, 70000}};

int Run(const std::string& file, const std::string& block, const std::vector<std::string>& values) {
  const BlockRow& row = FindBlock(block);
  const RtlParameters parameters = ChooseParameters(row, values);
  RtlParameters named;  // only those: a part's model may know others than its RTL
  for (const std::string& value : values) {
    const std::string name = value.substr(0, value.find('='));
    named.push_back({name, ParameterValue(parameters, name)});
  }
  const BlockAbi& abi = VerilateBlock(block, named, {.coverage = true});
  // One body, reset in whatever state a stimulus left it. It begins at zero: random bits before the
  // first reset would count as toggles.
  Replay replay(row, parameters, abi, 0);
  uint64_t seed = 1;
  for (const Stimuli& stimuli : kPlan) {
    for (const uint64_t end = seed + stimuli.seeds; seed < end; ++seed) {
      if (!replay.Differs(replay.Golden(seed, stimuli.cycles, stimuli.size))) continue;
      std::fprintf(stderr, "%s differs from its model, seed %llu\n", block.c_str(),
                   static_cast<unsigned long long>(seed));
      return 1;
    }
  }
  abi.write_coverage(replay.body(), file.c_str());
  return 0;
}

}  // namespace
}  // namespace flagstone

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  try {
    return flagstone::Run(argv[1], argv[2], {argv + 3, argv + argc});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "coverage_runner: %s\n", error.what());
    return 1;
  }
}
