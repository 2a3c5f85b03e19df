// Graphs of the real workloads: at test size against what the kernels really load, at paper size
// against PAVER's Table 2.
#include <gtest/gtest.h>

#include "analyzer/address/address_analysis.h"
#include "kernels/launch/workload.h"
#include "tests/unit/analyzer/executed_accesses.h"
#include "tests/unit/analyzer/locality/brute_force.h"

namespace flagstone {
namespace workload_graphs_test {

// Units that each TB loaded, by executing the kernel; loads through loaded values are left out, as
// in the analysis. The unit of an array is that of its smallest load.
std::vector<brute_force::Units> Executed(const AddressAnalysis& analysis,
                                         const ExecutedAccesses& executed, uint32_t tb_count,
                                         Granularity granularity) {
  std::map<std::string, uint32_t> element;
  const auto is_static_load = [](const AddressForm& access) {
    return !access.is_store && access.address_class != AddressClass::kIndirect;
  };
  for (const AddressForm& access : analysis.accesses) {
    if (!is_static_load(access)) continue;
    uint32_t& bytes = element.try_emplace(access.array, access.bytes).first->second;
    bytes = std::min(bytes, access.bytes);
  }
  std::vector<brute_force::Units> loaded(tb_count);
  for (const AddressForm& access : analysis.accesses) {
    if (!is_static_load(access)) continue;
    const uint64_t unit = Bytes(granularity, element.at(access.array));
    for (uint32_t tb = 0; tb < tb_count; ++tb) {
      const auto found = executed.find({access.pc, tb});
      if (found == executed.end()) continue;
      for (const uint64_t u : UnitsOf(found->second, access.bytes, unit)) {
        loaded[tb].insert({access.array, u});
      }
    }
  }
  return loaded;
}

class WorkloadGraphs : public testing::TestWithParam<std::string> {};

TEST_P(WorkloadGraphs, HoldWhatTheTbsReallyLoadAtTestSize) {
  const Workload workload = Workload::Load(FindWorkload(GetParam()), "test");
  BoundWorkload bound = Bind(workload);
  for (const KernelLaunch& launch : bound.launches) {
    const AddressAnalysis analysis = AnalyzeAddresses(launch, bound.memory);
    const ExecutedAccesses executed = RunAndRecord(launch, &bound.memory);
    for (const Granularity granularity :
         {Granularity::kElement, Granularity::kSector, Granularity::kLine}) {
      const SharerSets sharers = FindSharers(analysis, launch, granularity);
      const brute_force::Result found = brute_force::Of(sharers, BuildGraph(sharers));
      const brute_force::Result expected = brute_force::Share(
          Executed(analysis, executed, static_cast<uint32_t>(launch.TbCount()), granularity));
      EXPECT_EQ(found.sets, expected.sets);
      EXPECT_EQ(found.pairs, expected.pairs);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(EveryWorkload, WorkloadGraphs, testing::ValuesIn(ListWorkloads()),
                         [](const auto& workload) {
                           std::string name = workload.param;
                           for (char& c : name) {
                             if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
                           }
                           return name;
                         });

LocalityStatistics AtPaperSize(const std::string& name) {
  const Workload workload = Workload::Load(FindWorkload(name), "paper");
  const BoundWorkload bound = Bind(workload);
  const KernelLaunch& launch = bound.launches.at(0);
  const SharerSets sharers =
      FindSharers(AnalyzeAddresses(launch, bound.memory), launch, Granularity::kElement);
  const LocalityStatistics statistics = Summarize(sharers);
  EXPECT_EQ(statistics.edges, BuildGraph(sharers).EdgeCount());
  return statistics;
}

// Off-diagonal non-zeros that follow from Table 2's sparsity scores.
TEST(PaperSize, MatmulHas4056NonZerosFor169Tbs) {
  const LocalityStatistics statistics = AtPaperSize("matmul");
  EXPECT_EQ(statistics.tbs, 169U);
  EXPECT_EQ(2 * statistics.edges, 4056U);
  EXPECT_NEAR(statistics.sp_score, 0.857988166, 5e-10);
  EXPECT_EQ(statistics.total_references, 2U * 208 * 208);
}

TEST(PaperSize, HotspotHas14280NonZerosFor1849Tbs) {
  const LocalityStatistics statistics = AtPaperSize("hotspot");
  EXPECT_EQ(statistics.tbs, 1849U);
  EXPECT_EQ(2 * statistics.edges, 14280U);
  EXPECT_NEAR(statistics.sp_score, 0.995823097, 5e-10);
  EXPECT_EQ(statistics.total_references, 524288U);
}

TEST(PaperSize, PathfinderIsAChainOf463Tbs) {
  const LocalityStatistics statistics = AtPaperSize("pathfinder");
  EXPECT_EQ(statistics.tbs, 463U);
  EXPECT_EQ(2 * statistics.edges, 924U);
  EXPECT_NEAR(statistics.sp_score, 0.995689675, 5e-10);
  EXPECT_EQ(statistics.total_references, 2100000U);
}

TEST(PaperSize, TpacfHas10300NonZerosFor201Tbs) {
  const LocalityStatistics statistics = AtPaperSize("tpacf");
  EXPECT_EQ(statistics.tbs, 201U);
  EXPECT_EQ(2 * statistics.edges, 10300U);
  EXPECT_NEAR(statistics.sp_score, 0.745055815, 5e-10);
}

TEST(PaperSize, VecaddSharesNothing) {
  const LocalityStatistics statistics = AtPaperSize("vecadd");
  EXPECT_EQ(statistics.edges, 0U);
  EXPECT_EQ(statistics.shared_tbs, 0U);
}

}  // namespace workload_graphs_test
}  // namespace flagstone
