// Algorithm 1 on the real workloads' forms, and the weights beside the distances.
#include "analyzer/cta_mapping/cta_mapping.h"

#include <gtest/gtest.h>

#include "analyzer/address/address_analysis.h"
#include "analyzer/locality/locality_graph.h"
#include "kernels/launch/workload.h"

namespace flagstone {
namespace cta_mapping_test {

CtaMapping Of(const std::string& name) {
  const Workload workload = Workload::Load(FindWorkload(name), "paper");
  const BoundWorkload bound = Bind(workload);
  const KernelLaunch& launch = bound.launches.at(0);
  const AddressAnalysis addresses = AnalyzeAddresses(launch, bound.memory);
  const Footprints footprints = FindFootprints(addresses, launch);
  const CtaMapping mapping = AnalyzeCtaMapping(
      addresses, launch, bound.memory, FindSharers(footprints, Granularity::kElement), &footprints);
  EXPECT_EQ(mapping.unsolved_pairs, 0U) << name;
  return mapping;
}

TEST(CtaDirection, IsThatOfTheLongerDistance) {
  EXPECT_EQ(DirectionOf(0, 0), CtaDirection::kRoundRobin);
  EXPECT_EQ(DirectionOf(1, 0), CtaDirection::kX);
  EXPECT_EQ(DirectionOf(0, 1), CtaDirection::kY);
  EXPECT_EQ(DirectionOf(4, 4), CtaDirection::kX);
  EXPECT_EQ(DirectionOf(4, 5), CtaDirection::kY);
}

// All TBs of a grid row read the same rows of A, all of a column the same columns of B.
TEST(CtaMapping, OfMatmulReachesAcrossTheWholeGrid) {
  const CtaMapping mapping = Of("matmul");
  EXPECT_EQ(mapping.distance_x, 12) << mapping.symbolic_x;
  EXPECT_EQ(mapping.distance_y, 12) << mapping.symbolic_y;
  EXPECT_EQ(mapping.direction, CtaDirection::kX);
  EXPECT_EQ(mapping.weight_x, 208U * 208);
  EXPECT_EQ(mapping.weight_y, 208U * 208);
}

// A stencil's halo reaches the next TB. On linear addresses a line that wraps around the image's
// edge would make it the whole row of the grid.
TEST(CtaMapping, OfHotspotReachesTheNextTbs) {
  const CtaMapping mapping = Of("hotspot");
  EXPECT_EQ(mapping.distance_y, 1) << mapping.symbolic_y;
  EXPECT_GT(mapping.distance_x, 0) << mapping.symbolic_x;
  EXPECT_LE(mapping.distance_x, 4);  // a block of 128 bytes against 48 bytes from TB to TB
  EXPECT_GT(mapping.weight_y, 0U);
}

TEST(CtaMapping, OfVecaddIsRoundRobin) {
  const CtaMapping mapping = Of("vecadd");
  EXPECT_EQ(mapping.distance_x, 0) << mapping.symbolic_x;
  EXPECT_EQ(mapping.direction, CtaDirection::kRoundRobin);
  EXPECT_EQ(mapping.weight_x, 0U);
}

TEST(CtaMappingWeights, CountUnitsThatTwoTbsOfALineRead) {
  SharerSets sharers;
  sharers.tb_count = 12;  // 4 x 3
  const auto add = [&](std::vector<uint32_t> tbs, uint64_t weight) { sharers.Add(tbs, weight); };
  add({0, 1}, 5);      // a row
  add({1, 5, 9}, 7);   // a column
  add({0, 5}, 100);    // neither
  add({4, 5, 8}, 11);  // both
  add({3}, 1000);
  CtaMapping mapping;
  SumWeights(sharers, {4, 3, 1}, mapping);
  EXPECT_EQ(mapping.weight_x, 16U);
  EXPECT_EQ(mapping.weight_y, 18U);
}

}  // namespace cta_mapping_test
}  // namespace flagstone
