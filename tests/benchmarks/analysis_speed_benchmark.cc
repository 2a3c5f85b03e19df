// The analysis against the times that it has to keep on one core: from address forms to TB groups.
// Each line carries what is required of it; `peak_mib` is the process's, so run such a case alone.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "analyzer/address/address_analysis.h"
#include "analyzer/locality/footprints.h"
#include "analyzer/locality/locality_graph.h"
#include "app/flow/analyse/known_data.h"
#include "app/policy/policies.h"
#include "kernels/inputs/banded_matrix.h"
#include "kernels/launch/workload.h"
#include "kernels/ptx/parser.h"

namespace flagstone {
namespace {

constexpr PartitionRequest kFermi = {.sms = 15, .tbs_per_sm = 6};

struct Subject {
  Workload workload;
  DeviceMemory memory;
  KernelLaunch launch;
};

Subject Load(const std::string& name) {
  Subject subject;
  subject.workload = Workload::Load(FindWorkload(name), "paper");
  BoundWorkload bound = Bind(subject.workload);
  subject.launch = bound.launches.at(0);
  subject.memory = std::move(bound.memory);
  return subject;
}

void SetParameter(KernelLaunch& launch, size_t index, const void* value, size_t bytes) {
  std::memcpy(launch.parameters.data() + launch.kernel->parameters.at(index)->offset, value, bytes);
}

// The kernel on a grid of `side` x `side` TBs with these sizes in its arguments. Arrays have a name
// but no contents: none are needed to analyse affine addresses.
Subject Scale(const std::string& name, uint32_t side, const std::vector<size_t>& size_arguments,
              int32_t size) {
  Subject subject = Load(name);
  KernelLaunch& launch = subject.launch;
  launch.grid = {side, side, 1};
  for (const size_t index : size_arguments) SetParameter(launch, index, &size, sizeof(size));
  subject.memory = DeviceMemory();
  for (size_t index = 0; index < launch.kernel->parameters.size(); ++index) {
    if (launch.kernel->parameters[index]->SizeInBytes() != 8) continue;
    const uint64_t address = subject.memory.Allocate("array" + std::to_string(index), 256);
    SetParameter(launch, index, &address, sizeof(address));
  }
  return subject;
}

// y = A * x with a million rows of 25 elements on average in blocks of 256: 3,907 TBs.
Subject MillionRows() {
  Subject subject = Load("spmv");
  const SparseMatrix matrix =
      GenerateBandedMatrix({.rows = 1'000'000, .columns = 1'000'000, .per_row = 25, .seed = 1});
  subject.memory = DeviceMemory();
  const auto add = [&](size_t index, const char* name, uint64_t count) {
    const uint64_t address = subject.memory.Allocate(name, 4 * count);
    SetParameter(subject.launch, index, &address, sizeof(address));
    return address;
  };
  const auto fill = [&](uint64_t address, const auto& values) {
    for (size_t i = 0; i < values.size(); ++i) {
      const auto value = static_cast<int32_t>(values[i]);
      std::memcpy(subject.memory.At(address + 4 * i), &value, sizeof(value));
    }
  };
  const uint64_t row_start = add(0, "row_start", matrix.starts.size());
  const uint64_t column = add(1, "column", matrix.Elements());
  add(2, "value", matrix.Elements());
  add(3, "x", matrix.columns);
  add(4, "y", matrix.Rows());
  fill(row_start, matrix.starts);
  fill(column, matrix.column);
  const auto rows = static_cast<int32_t>(matrix.Rows());
  SetParameter(subject.launch, 5, &rows, sizeof(rows));
  subject.launch.block = {256, 1, 1};
  subject.launch.grid = {3907, 1, 1};
  return subject;
}

void Report(benchmark::State& state, const Subject& subject, double required_ms) {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  state.counters["TBs"] = static_cast<double>(subject.launch.TbCount());
  state.counters["required_ms"] = required_ms;
  state.counters["peak_mib"] = static_cast<double>(usage.ru_maxrss) / 1024;
}

void ParseAndAnalyze(benchmark::State& state, const std::string& name, double required_ms) {
  const Subject subject = Load(name);
  const std::string file = subject.workload.launches.at(0).ptx.string();
  for (auto _ : state) {
    benchmark::DoNotOptimize(ptx::ParseFile(file));
    benchmark::DoNotOptimize(AnalyzeAddresses(subject.launch, subject.memory));
  }
  Report(state, subject, required_ms);
}

// Footprints, sharer sets, the graph where the policy needs it, groups.
void GraphAndPartition(benchmark::State& state, const Subject& subject, const std::string& name,
                       bool known_data, double required_ms) {
  const Policy& policy = FindPolicy(name);
  const AddressAnalysis addresses = AnalyzeAddresses(subject.launch, subject.memory);
  DeviceMemory data = known_data ? subject.memory : DeviceMemory();
  TbGroups groups;
  for (auto _ : state) {
    KnownAccesses known;
    FootprintRequest request;
    if (known_data) {
      known = ExecuteForAddresses(addresses, subject.launch, &data, false);
      request.known = &known;
    }
    const SharerSets sharers =
        FindSharers(FindFootprints(addresses, subject.launch, request), Granularity::kElement);
    LocalityGraph graph;
    if (policy.needs_graph) graph = BuildGraph(sharers);
    const PartitionInput input = {subject.launch.grid, &sharers, &graph, CtaDirection::kX};
    groups = policy.partition(input, kFermi);
  }
  CheckCoversOnce(groups, static_cast<uint32_t>(subject.launch.TbCount()));
  Report(state, subject, required_ms);
}

using MakeSubject = Subject (*)();

void Register() {
  for (const char* name : {"syrk", "syr2k", "matmul"}) {
    benchmark::RegisterBenchmark((std::string("parse_and_addresses/") + name).c_str(),
                                 [name](benchmark::State& s) { ParseAndAnalyze(s, name, 5); })
        ->Unit(benchmark::kMillisecond);
  }
  const auto add = [](const char* policy, const char* name, MakeSubject make, double required_ms,
                      bool known_data = false) {
    benchmark::RegisterBenchmark(
        (std::string(policy) + "/" + name).c_str(),
        [=](benchmark::State& s) { GraphAndPartition(s, make(), policy, known_data, required_ms); })
        ->Unit(benchmark::kMillisecond);
  };
  // The largest last: the peak of memory does not go down again.
  add(
      "rb", "syrk_256", [] { return Load("syrk"); }, 3);
  add(
      "rb", "syr2k_256", [] { return Load("syr2k"); }, 3);
  add(
      "rb", "matmul_169", [] { return Load("matmul"); }, 3);
  add(
      "rb", "hotspot_1849", [] { return Load("hotspot"); }, 15);
  add(
      "hilbert", "srad_16384", [] { return Load("srad"); }, 5);
  add(
      "rb", "srad_16384", [] { return Load("srad"); }, 150);
  const MakeSubject matmul = [] { return Scale("matmul", 128, {3}, 2048); };
  add("tile", "matmul_16384", matmul, 10);
  add("rb", "matmul_16384", matmul, 700);
  const MakeSubject stencil = [] { return Scale("hotspot", 1000, {3, 4}, 12000); };
  add("hilbert", "stencil_1000000", stencil, 500);
  add("hilbert", "spmv_3907", MillionRows, 1500, true);
  add("rb", "spmv_3907", MillionRows, 1500, true);
  add("rb", "stencil_1000000", stencil, 12000);
}

}  // namespace
}  // namespace flagstone

int main(int argc, char** argv) {
  flagstone::Register();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
