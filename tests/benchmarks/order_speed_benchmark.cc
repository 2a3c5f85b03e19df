// What `flagstone order` takes to answer: the kernels of order_quality on grids of about 16,384 and
// of a million TBs, from the workload file to the ranked candidates. CPU time of all threads; each
// line carries what is required of it. Names are machine/kernel/TBs:
//   order_speed_benchmark --benchmark_filter=h100
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "app/flow/studies/order_study.h"
#include "kernels/launch/workload.h"

namespace flagstone {
namespace {

// A launch's grid, and those of its arguments that go with it: by index, what they become.
struct Scaled {
  Dim3 grid;
  std::vector<std::pair<size_t, int32_t>> arguments;
};
struct Case {
  const char* kernel;
  std::vector<Scaled> launches;  // fewer than the workload has: the last one stands for the rest
};

std::vector<Case> Sixteen() {
  return {
      {"matmul", {{{128, 128, 1}, {{3, 2048}}}}},
      {"matmul_naive", {{{128, 128, 1}, {{3, 2048}}}}},
      {"matmul_tiled", {{{128, 128, 1}, {{4, 2048}}}}},
      {"gemm", {{{64, 256, 1}, {{5, 2048}, {6, 2048}, {7, 2048}}}}},
      {"gemm_tiled", {{{128, 128, 1}, {{3, 16384}}}}},
      {"gemm_batched", {{{32, 32, 16}, {{3, 4096}, {4, 4096}}}}},
      {"gemm_split_k", {{{64, 64, 4}, {{3, 8192}, {4, 8192}}}, {{262144, 1, 1}, {{2, 67108864}}}}},
      {"attention", {{{64, 32, 8}, {}}}},
      {"layer_norm", {{{16384, 1, 1}, {}}}},
      {"transpose", {{{128, 128, 1}, {{2, 4096}, {3, 4096}}}}},
      {"stencil", {{{126, 130, 1}, {{6, 132}}}}},
      {"hotspot", {{{128, 128, 1}, {{3, 1536}, {4, 1536}}}}},
      {"conv2d", {{{64, 256, 1}, {{2, 2048}}}}},
      {"conv_separable", {{{24, 683, 1}, {{2, 3072}}}, {{256, 64, 1}, {{2, 4096}, {3, 4096}}}}},
      {"laplace3d", {{{64, 256, 1}, {{0, 2048}, {1, 1024}, {3, 2048}}}}},
      {"hotspot3d", {{{32, 512, 1}, {{4, 2048}, {5, 2048}}}}},
      {"syrk", {{{64, 256, 1}, {{4, 2048}}}}},
      {"syr2k", {{{64, 256, 1}, {{5, 2048}}}}},
      {"backprop", {{{1, 16384, 1}, {}}}},
      {"demosaic", {{{128, 128, 1}, {{2, 2048}}}}},
  };
}

// Fields of fewer cells along z, so that 32 bits still tell each cell, and half a million TBs of
// attention. Other grids cannot be so large: matrices in tiles of 128 x 128 would have 2^34
// elements, and backprop has all its TBs along y.
std::vector<Case> Million() {
  return {
      {"matmul", {{{1024, 1024, 1}, {{3, 16384}}}}},
      {"matmul_naive", {{{1024, 1024, 1}, {{3, 16384}}}}},
      {"matmul_tiled", {{{1024, 1024, 1}, {{4, 16384}}}}},
      {"gemm", {{{512, 2048, 1}, {{5, 16384}, {6, 16384}, {7, 2048}}}}},
      {"gemm_split_k",
       {{{128, 128, 4}, {{3, 16384}, {4, 16384}}}, {{1048576, 1, 1}, {{2, 268435456}}}}},
      {"attention", {{{64, 32, 256}, {}}}},
      {"layer_norm", {{{1048576, 1, 1}, {{4, 512}}}}},
      {"transpose", {{{1024, 1024, 1}, {{2, 32768}, {3, 32768}}}}},
      {"stencil", {{{1022, 1022, 1}, {{5, 1024}, {6, 1024}}}}},
      {"hotspot", {{{1024, 1024, 1}, {{3, 12288}, {4, 12288}}}}},
      {"conv2d", {{{512, 2048, 1}, {{2, 16384}}}}},
      {"conv_separable",
       {{{192, 6144, 1}, {{2, 24576}}}, {{1536, 384, 1}, {{2, 24576}, {3, 24576}}}}},
      {"laplace3d", {{{512, 2048, 1}, {{0, 16384}, {1, 8192}, {2, 12}, {3, 16384}}}}},
      {"hotspot3d", {{{256, 4096, 1}, {{4, 16384}, {5, 16384}, {6, 4}}}}},
      {"syrk", {{{512, 2048, 1}, {{4, 16384}}}}},
      {"syr2k", {{{512, 2048, 1}, {{5, 16384}}}}},
      {"demosaic", {{{1024, 1024, 1}, {{2, 16384}}}}},
  };
}

Workload Load(const Case& of, bool large) {
  Workload workload = Workload::Load(FindWorkload(of.kernel), "paper");
  for (size_t i = 0; i < workload.launches.size(); ++i) {
    const Scaled& scaled = of.launches[std::min(i, of.launches.size() - 1)];
    LaunchSpec& launch = workload.launches[i];
    launch.grid = scaled.grid;
    for (const auto& [index, value] : scaled.arguments) {
      std::memcpy(launch.arguments.at(index).bytes.data(), &value, sizeof(value));
    }
  }
  // Contents are not needed, but places are.
  const uint64_t bytes = uint64_t{large ? 15U : 3U} << 30;
  for (BufferSpec& buffer : workload.buffers) {
    buffer.count = bytes / workload.buffers.size() / SizeInBytes(buffer.type);
  }
  return workload;
}

void Order(benchmark::State& state, const Case& of, const std::string& machine,
           double required_ms) {
  const bool large = required_ms >= 5000;
  OrderRequest request;
  request.options.machine = MachineConfig::Load(machine, {});
  OrderStudy study;
  for (auto _ : state) study = PredictOrders(request, Load(of, large));
  state.counters["TBs"] = static_cast<double>(study.launches.front().grid.Count());
  state.counters["orders"] = static_cast<double>(study.candidates.size());
  state.counters["required_ms"] = required_ms;
}

void Register() {
  const auto add = [](const std::vector<Case>& cases, const char* tbs, double required_ms) {
    for (const char* machine : {"fermi", "volta", "h100"}) {
      for (const Case& of : cases) {
        const std::string name = std::string(machine) + "/" + of.kernel + "/" + tbs;
        benchmark::RegisterBenchmark(
            name.c_str(), [=](benchmark::State& state) { Order(state, of, machine, required_ms); })
            ->Unit(benchmark::kMillisecond)
            ->MeasureProcessCPUTime()
            ->Iterations(1);
      }
    }
  };
  add(Sixteen(), "16384", 1000);
  add(Million(), "1000000", 5000);
}

}  // namespace
}  // namespace flagstone

int main(int argc, char** argv) {
  flagstone::Register();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
