// Address forms, footprints, sharer sets and locality graphs of the workloads at paper size, and of
// two larger launches of the same kernels.
#include <benchmark/benchmark.h>

#include <array>
#include <cstring>
#include <map>
#include <memory>
#include <string>

#include "analyzer/address/address_analysis.h"
#include "analyzer/locality/footprints.h"
#include "analyzer/locality/locality_graph.h"
#include "kernels/launch/workload.h"
#include "kernels/ptx/parser.h"

namespace {

using namespace flagstone;

struct Case {
  Workload workload;
  BoundWorkload bound;
  KernelLaunch launch;
};

const Case& Load(const std::string& name) {
  static std::map<std::string, std::unique_ptr<Case>> cases;
  std::unique_ptr<Case>& loaded = cases[name];
  if (!loaded) {
    loaded = std::make_unique<Case>();
    loaded->workload = Workload::Load(FindWorkload(name), "paper");
    loaded->bound = Bind(loaded->workload);
    loaded->launch = loaded->bound.launches.at(0);
  }
  return *loaded;
}

constexpr std::array kNames = {"vecadd", "matmul", "syrk", "hotspot", "spmv"};

void Parse(benchmark::State& state, const std::string& name) {
  const std::string file = Load(name).workload.launches.at(0).ptx.string();
  for (auto _ : state) benchmark::DoNotOptimize(ptx::ParseFile(file));
}

void Addresses(benchmark::State& state, const std::string& name) {
  const Case& loaded = Load(name);
  for (auto _ : state) {
    benchmark::DoNotOptimize(AnalyzeAddresses(loaded.launch, loaded.bound.memory));
  }
}

void SharersAndGraph(benchmark::State& state, const KernelLaunch& launch,
                     const DeviceMemory& memory, Granularity granularity) {
  const AddressAnalysis addresses = AnalyzeAddresses(launch, memory);
  uint64_t edges = 0;
  for (auto _ : state) {
    const LocalityGraph graph = BuildGraph(FindSharers(addresses, launch, granularity));
    edges = graph.EdgeCount();
  }
  state.counters["TBs"] = static_cast<double>(launch.TbCount());
  state.counters["edges"] = static_cast<double>(edges);
}

void Graph(benchmark::State& state, const std::string& name, Granularity granularity) {
  const Case& loaded = Load(name);
  SharersAndGraph(state, loaded.launch, loaded.bound.memory, granularity);
}

// The kernel on a larger square: the launch alone, no buffers are needed to analyse it.
void Scaled(benchmark::State& state, const std::string& name, uint32_t grid,
            const std::map<size_t, int32_t>& arguments) {
  const Case& loaded = Load(name);
  KernelLaunch launch = loaded.launch;
  launch.grid = {grid, grid, 1};
  for (const auto& [index, value] : arguments) {
    std::memcpy(launch.parameters.data() + launch.kernel->parameters.at(index)->offset, &value,
                sizeof(value));
  }
  // Far apart, so that the arrays stay apart at this size.
  for (size_t index = 0; index < launch.kernel->parameters.size(); ++index) {
    const ptx::Variable& parameter = *launch.kernel->parameters[index];
    if (parameter.SizeInBytes() != 8) continue;
    const uint64_t address = (index + 1) << 36;
    std::memcpy(launch.parameters.data() + parameter.offset, &address, sizeof(address));
  }
  SharersAndGraph(state, launch, loaded.bound.memory, Granularity::kElement);
}

void Register() {
  for (const std::string name : kNames) {
    const auto add = [&](const std::string& what, auto run) {
      benchmark::RegisterBenchmark((what + "/" + name).c_str(), run)->Unit(benchmark::kMillisecond);
    };
    add("parse", [name](benchmark::State& s) { Parse(s, name); });
    add("addresses", [name](benchmark::State& s) { Addresses(s, name); });
    add("graph/element", [name](benchmark::State& s) { Graph(s, name, Granularity::kElement); });
    add("graph/sector", [name](benchmark::State& s) { Graph(s, name, Granularity::kSector); });
    add("graph/line", [name](benchmark::State& s) { Graph(s, name, Granularity::kLine); });
  }
  benchmark::RegisterBenchmark("graph/matmul_2048", [](benchmark::State& s) {
    Scaled(s, "matmul", 128, {{3, 2048}});
  })->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark("graph/hotspot_1536", [](benchmark::State& s) {
    Scaled(s, "hotspot", 128, {{3, 1536}, {4, 1536}});
  })->Unit(benchmark::kMillisecond);
}

}  // namespace

int main(int argc, char** argv) {
  Register();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
