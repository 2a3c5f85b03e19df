// Warp instructions per CPU second of whole simulated launches at paper size on volta.
#include <benchmark/benchmark.h>

#include <string>

#include "launch/launch_sequence.h"
#include "launch/workload.h"
#include "systemc/simulation.h"

namespace flagstone {
namespace {

void Simulate(benchmark::State& state, const std::string& name, Engine engine) {
  const Workload workload = Workload::Load(FindWorkload(name), "paper");
  const MachineConfig machine = MachineConfig::Load("volta", {});
  uint64_t instructions = 0;
  for (auto _ : state) {
    state.PauseTiming();
    BoundWorkload bound = Bind(workload);
    state.ResumeTiming();
    LaunchSequence sequence(&bound);
    while (const KernelLaunch* launch = sequence.Next()) {
      SimulationRequest request;
      request.machine = &machine;
      request.launch = launch;
      request.memory = &bound.memory;
      request.engine = engine;
      instructions += flagstone::Simulate(request).statistics.warp_instructions;
    }
  }
  // A rate is per second of CPU time.
  state.counters["warp_instructions_per_second"] =
      benchmark::Counter(static_cast<double>(instructions), benchmark::Counter::kIsRate);
}

BENCHMARK_CAPTURE(Simulate, matmul_model, "matmul", Engine::kModel)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Simulate, matmul_rtl, "matmul", Engine::kRtl)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Simulate, syrk_model, "syrk", Engine::kModel)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Simulate, syrk_rtl, "syrk", Engine::kRtl)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace flagstone
