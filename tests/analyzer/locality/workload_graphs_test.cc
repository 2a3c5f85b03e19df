// Graphs of the real workloads: against brute force at test size, against PAVER's Table 2 at paper
// size.
#include <gtest/gtest.h>

#include "analyzer/address/address_analysis.h"
#include "launch/workload.h"
#include "tests/analyzer/locality/brute_force.h"

namespace flagstone {
namespace {

class WorkloadGraphs : public testing::TestWithParam<std::string> {};

TEST_P(WorkloadGraphs, EqualBruteForceAtTestSize) {
  const Workload workload = Workload::Load(FindWorkload(GetParam()), "test");
  const BoundWorkload bound = Bind(workload);
  for (const KernelLaunch& launch : bound.launches) {
    const AddressAnalysis analysis = AnalyzeAddresses(launch, bound.memory);
    for (const AddressForm& access : analysis.accesses) {
      ASSERT_NE(access.address_class, AddressClass::kDeterministic) << "not in the brute force";
    }
    for (const Granularity granularity :
         {Granularity::kElement, Granularity::kSector, Granularity::kLine}) {
      const SharerSets sharers = FindSharers(analysis, launch, granularity);
      const brute_force::Result found = brute_force::Of(sharers, BuildGraph(sharers));
      const brute_force::Result expected = brute_force::Share(analysis, launch, granularity);
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
  return Summarize(BuildGraph(sharers), sharers);
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

TEST(PaperSize, VecaddSharesNothing) {
  const LocalityStatistics statistics = AtPaperSize("vecadd");
  EXPECT_EQ(statistics.edges, 0U);
  EXPECT_EQ(statistics.shared_tbs, 0U);
}

}  // namespace
}  // namespace flagstone
