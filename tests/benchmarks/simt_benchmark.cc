// Functional execution alone: warp instructions per CPU second, on every workload and on the tiled
// matmul that nvcc 13 compiled.
#include <benchmark/benchmark.h>

#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "base/paths.h"
#include "base/random.h"
#include "gpu_model/simt/executor.h"
#include "kernels/launch/launch_sequence.h"
#include "kernels/launch/workload.h"
#include "kernels/ptx/parser.h"

namespace {

void RunWorkload(benchmark::State& state, const std::string& name) {
  const flagstone::Workload workload =
      flagstone::Workload::Load(flagstone::FindWorkload(name), "paper");
  flagstone::BoundWorkload bound = flagstone::Bind(workload);
  uint64_t instructions = 0;
  for (auto _ : state) {
    flagstone::LaunchSequence sequence(&bound);
    while (const flagstone::KernelLaunch* launch = sequence.Next()) {
      instructions += flagstone::RunFunctionally(*launch, &bound.memory).warp_instructions;
    }
  }
  state.counters["warp_instructions_per_second"] =
      benchmark::Counter(static_cast<double>(instructions), benchmark::Counter::kIsRate);
}

void RunTiledMatmul(benchmark::State& state) {
  constexpr uint32_t kSize = 256;
  const auto module = flagstone::ptx::ParseFile(
      (flagstone::DataFolder() / "tests/unit/conformance/data/matmul_nvcc13.ptx").string());
  flagstone::DeviceMemory memory;
  flagstone::KernelLaunch launch;
  launch.module = module.get();
  launch.kernel = module->kernels.at(0).get();
  launch.grid = {kSize / 16, kSize / 16, 1};
  launch.block = {16, 16, 1};
  launch.parameters.resize(launch.kernel->parameter_bytes);
  flagstone::SplitMix64 random(1);
  size_t at = 0;
  for (const char* name : {"A", "B", "C"}) {
    const uint64_t address = memory.Allocate(name, uint64_t{kSize} * kSize * sizeof(float));
    std::memcpy(launch.parameters.data() + at, &address, sizeof(address));
    at += sizeof(address);
  }
  for (const auto& region : memory.regions()) {
    for (uint64_t i = 0; i < region.size; i += sizeof(float)) {
      const auto value = static_cast<float>(random.Unit());
      std::memcpy(memory.At(region.address + i), &value, sizeof(value));
    }
  }
  std::memcpy(launch.parameters.data() + at, &kSize, sizeof(kSize));
  uint64_t instructions = 0;
  for (auto _ : state) {
    instructions += flagstone::RunFunctionally(launch, &memory).warp_instructions;
  }
  state.counters["warp_instructions_per_second"] =
      benchmark::Counter(static_cast<double>(instructions), benchmark::Counter::kIsRate);
}
BENCHMARK(RunTiledMatmul)->Unit(benchmark::kMillisecond);

const int kRegistered = [] {
  for (const std::string& name : flagstone::ListWorkloads()) {
    benchmark::RegisterBenchmark(("functional/" + name).c_str(), RunWorkload, name)
        ->Unit(benchmark::kMillisecond);
  }
  return 0;
}();

}  // namespace
