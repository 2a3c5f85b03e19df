// Whole simulated launches at paper size on volta: warp instructions per second, the gain of a
// second thread, peak memory, and how time grows with work.
//
// A rate is per second of CPU time with one thread, and of wall-clock time with more: those figures
// need a machine with as many idle cores.
#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "base/file.h"
#include "kernels/launch/launch_sequence.h"
#include "kernels/launch/workload.h"
#include "kernels/ptx/kernel.h"
#include "systemc/simulation.h"

namespace flagstone {
namespace {

// Linux starts the peak anew when a 5 is written here.
void ResetPeakMemory() { std::ofstream("/proc/self/clear_refs") << "5"; }

double PeakMegabytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::strtod(line.c_str() + 6, nullptr) * 1024 / 1e6;
  }
  return 0;
}

void SimulateOnVolta(benchmark::State& state, const Workload& workload, Engine engine,
                     uint32_t threads) {
  SimulateOptions options;
  options.machine = MachineConfig::Load("volta", {});
  options.engine = engine;
  options.threads = threads;
  uint64_t instructions = 0;
  uint64_t cycles = 0;
  ResetPeakMemory();
  for (auto _ : state) {
    state.PauseTiming();
    BoundWorkload bound = Bind(workload);
    state.ResumeTiming();
    LaunchSequence sequence(&bound);
    while (const KernelLaunch* launch = sequence.Next()) {
      LaunchRequest request;
      request.launch = launch;
      request.memory = &bound.memory;
      const LaunchStatistics statistics = Simulate(options, request).launch.statistics;
      instructions += statistics.warp_instructions;
      cycles += statistics.cycles;
    }
  }
  state.counters["warp_instructions_per_second"] =
      benchmark::Counter(static_cast<double>(instructions), benchmark::Counter::kIsRate);
  state.counters["cycles"] =
      benchmark::Counter(static_cast<double>(cycles), benchmark::Counter::kAvgIterations);
  state.counters["peak_MB"] = PeakMegabytes();
}

void Paper(benchmark::State& state, const std::string& name, Engine engine) {
  SimulateOnVolta(state, Workload::Load(FindWorkload(name), "paper"), engine,
                  static_cast<uint32_t>(state.range(0)));
}

// matmul of n x n.
Workload Matmul(int64_t n) {
  const std::filesystem::path original = FindWorkload("matmul");
  std::string text = ReadFile(original);
  const std::vector<std::pair<std::string, std::string>> changes = {
      {"43264", std::to_string(n * n)},
      {"{ s32 = 208 }", fmt::format("{{ s32 = {} }}", n)},
      {"[13, 13, 1]", fmt::format("[{0}, {0}, 1]", n / 16)},
      {"\"kernel.ptx\"", fmt::format("\"{}\"", (original.parent_path() / "kernel.ptx").string())}};
  for (const auto& [from, to] : changes) {
    for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
      text.replace(at, from.size(), to);
      at += to.size();
    }
  }
  const auto path = std::filesystem::temp_directory_path() / fmt::format("matmul-{}.toml", n);
  WriteFileAtomically(path, text);
  Workload workload = Workload::Load(path, "paper");
  std::filesystem::remove(path);
  return workload;
}

void Growth(benchmark::State& state) {
  SimulateOnVolta(state, Matmul(state.range(1)), Engine::kModel,
                  static_cast<uint32_t>(state.range(0)));
}

void OneThread(benchmark::internal::Benchmark* b) {
  b->ArgName("threads")->Arg(1)->Unit(benchmark::kMillisecond);
}
void TwoThreads(benchmark::internal::Benchmark* b) {
  b->ArgName("threads")->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();
}

BENCHMARK_CAPTURE(Paper, matmul_model, "matmul", Engine::kModel)->Apply(OneThread);
BENCHMARK_CAPTURE(Paper, matmul_rtl, "matmul", Engine::kRtl)->Apply(OneThread);
BENCHMARK_CAPTURE(Paper, syrk_model, "syrk", Engine::kModel)->Apply(OneThread);
BENCHMARK_CAPTURE(Paper, syrk_rtl, "syrk", Engine::kRtl)->Apply(OneThread);
BENCHMARK_CAPTURE(Paper, matmul_model, "matmul", Engine::kModel)->Apply(TwoThreads);
BENCHMARK_CAPTURE(Paper, matmul_rtl, "matmul", Engine::kRtl)->Apply(TwoThreads);
BENCHMARK_CAPTURE(Paper, syrk_model, "syrk", Engine::kModel)->Apply(TwoThreads);
BENCHMARK_CAPTURE(Paper, syrk_rtl, "syrk", Engine::kRtl)->Apply(TwoThreads);
BENCHMARK(Growth)
    ->ArgNames({"threads", "n"})
    ->ArgsProduct({{1}, {208, 416, 832}})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(Growth)
    ->ArgNames({"threads", "n"})
    ->ArgsProduct({{2}, {208, 416, 832}})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
}  // namespace flagstone
