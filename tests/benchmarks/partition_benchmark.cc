// Time and quality of the partitioners on graphs shaped like PAVER's kernels (Table 2).
#include <benchmark/benchmark.h>

#include <cstdint>
#include <vector>

#include "analyzer/partition/bisection.h"
#include "analyzer/partition/partitioners.h"
#include "app/policy/policies.h"
#include "tests/unit/analyzer/partition/graphs.h"

namespace flagstone {
namespace {

using graphs::ExpandSets;
using graphs::MatmulSharers;
using graphs::StencilGraph;
using graphs::SyrkSharers;

LocalityGraph Hotspot1849() { return StencilGraph(43, 43, 32, 4); }
LocalityGraph Stencil16384() { return StencilGraph(128, 128, 32, 4); }

void PartitionGraph(benchmark::State& state, LocalityGraph (*make)(), const char* policy,
                    PartitionRequest request) {
  const LocalityGraph graph = make();
  const PartitionInput input = {.graph = &graph};
  const PartitionFunction partition = FindPolicy(policy).partition;
  TbGroups groups;
  for (auto _ : state) {
    groups = partition(input, request);
    benchmark::DoNotOptimize(groups.groups.data());
  }
  CheckCoversOnce(groups, graph.tb_count);
  state.counters["groups"] = static_cast<double>(groups.groups.size());
  state.counters["kept"] = KeptWeight(graph, groups);
}

void PartitionSets(benchmark::State& state, SharerSets (*make)(uint32_t, uint64_t), uint32_t tiles,
                   const char* policy, PartitionRequest request) {
  const SharerSets sharers = make(tiles, 1024);
  const LocalityGraph graph = ExpandSets(sharers);
  const PartitionInput input = {{tiles, tiles, 1}, &sharers, &graph, CtaDirection::kX};
  const PartitionFunction partition = FindPolicy(policy).partition;
  TbGroups groups;
  for (auto _ : state) {
    groups = partition(input, request);
    benchmark::DoNotOptimize(groups.groups.data());
  }
  state.counters["groups"] = static_cast<double>(groups.groups.size());
  state.counters["kept"] = KeptWeight(graph, groups);
  state.counters["union"] = UnionRatio(sharers, groups);
}

constexpr PartitionRequest kFermi = {.sms = 15, .tbs_per_sm = 6};
constexpr PartitionRequest kEight = {.sms = 15, .tbs_per_sm = 8};
constexpr PartitionRequest kThirtyTwo = {.sms = 8, .tbs_per_sm = 32};

BENCHMARK_CAPTURE(PartitionSets, matmul_169_rb, MatmulSharers, 13, "rb", kFermi);
BENCHMARK_CAPTURE(PartitionSets, matmul_169_kway, MatmulSharers, 13, "kway", kFermi);
BENCHMARK_CAPTURE(PartitionSets, matmul_169_mst, MatmulSharers, 13, "mst", kFermi);
BENCHMARK_CAPTURE(PartitionSets, syrk_256_rb, SyrkSharers, 16, "rb", kEight);
BENCHMARK_CAPTURE(PartitionSets, syrk_256_kway, SyrkSharers, 16, "kway", kEight);
BENCHMARK_CAPTURE(PartitionSets, syrk_256_mst, SyrkSharers, 16, "mst", kEight);
BENCHMARK_CAPTURE(PartitionSets, syrk_256_tile, SyrkSharers, 16, "tile", kEight);
BENCHMARK_CAPTURE(PartitionSets, syrk_256_hilbert, SyrkSharers, 16, "hilbert", kEight);
BENCHMARK_CAPTURE(PartitionSets, syrk_256_traffic, SyrkSharers, 16, "traffic", kEight);
BENCHMARK_CAPTURE(PartitionSets, syrk_256_rb_32, SyrkSharers, 16, "rb", kThirtyTwo);
BENCHMARK_CAPTURE(PartitionSets, syrk_256_traffic_32, SyrkSharers, 16, "traffic", kThirtyTwo);
BENCHMARK_CAPTURE(PartitionGraph, hotspot_1849_rb, Hotspot1849, "rb", kFermi);
BENCHMARK_CAPTURE(PartitionGraph, hotspot_1849_kway, Hotspot1849, "kway", kFermi);
BENCHMARK_CAPTURE(PartitionGraph, stencil_16384_rb, Stencil16384, "rb", kEight);
BENCHMARK_CAPTURE(PartitionGraph, stencil_16384_kway, Stencil16384, "kway", kEight);
BENCHMARK_CAPTURE(PartitionGraph, stencil_16384_mst, Stencil16384, "mst", kEight);

// Where METIS begins to pay: both bisect a square stencil graph of about `range` TBs in half.
LocalityGraph SquareStencil(int64_t tbs) {
  uint32_t width = 1;
  while (int64_t{width} * width < tbs) ++width;
  return StencilGraph(width, width, 32, 4);
}

LocalityGraph SquareSyrk(int64_t tbs) {
  uint32_t width = 1;
  while (int64_t{width} * width < tbs) ++width;
  return ExpandSets(SyrkSharers(width, 1024));
}

void BisectMetis(benchmark::State& state, LocalityGraph (*make)(int64_t)) {
  const partition::PartGraph graph = partition::MakePartGraph(make(state.range(0)));
  std::vector<int32_t> side;
  for (auto _ : state) side = partition::BisectByMetis(graph, graph.Size() / 2, 1);
  state.counters["cut"] = static_cast<double>(partition::CutWeight(graph, side));
}

void BisectGrowing(benchmark::State& state, LocalityGraph (*make)(int64_t)) {
  const partition::PartGraph graph = partition::MakePartGraph(make(state.range(0)));
  std::vector<int32_t> side;
  for (auto _ : state) side = partition::BisectByGrowing(graph, graph.Size() / 2);
  state.counters["cut"] = static_cast<double>(partition::CutWeight(graph, side));
}

BENCHMARK_CAPTURE(BisectMetis, stencil, SquareStencil)->RangeMultiplier(2)->Range(32, 2048);
BENCHMARK_CAPTURE(BisectGrowing, stencil, SquareStencil)->RangeMultiplier(2)->Range(32, 2048);
BENCHMARK_CAPTURE(BisectMetis, syrk, SquareSyrk)->RangeMultiplier(2)->Range(32, 1024);
BENCHMARK_CAPTURE(BisectGrowing, syrk, SquareSyrk)->RangeMultiplier(2)->Range(32, 1024);

}  // namespace
}  // namespace flagstone
