// METIS's k-way method and recursive bisection, and which of them cuts how many TBs.
#include "analyzer/partition/kway.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "analyzer/partition/metis_partition.h"
#include "analyzer/partition/recursive_bisection.h"
#include "base/error.h"
#include "tests/unit/analyzer/partition/graphs.h"

namespace flagstone::partition {
namespace kway_test {

using graphs::RandomGraph;
using graphs::StencilGraph;

std::vector<std::vector<uint32_t>> Bisected(const PartGraph& graph, uint32_t parts) {
  std::vector<std::vector<uint32_t>> leaves = BisectIntoLeaves(graph, parts, 1);
  std::sort(leaves.begin(), leaves.end());
  return leaves;
}

TEST(Kway, IsMetissHoweverFewTbsAPartHas) {
  for (const uint32_t tbs : {kMinMetisVertices, 4 * 64U, 1024U}) {
    const PartGraph graph = MakePartGraph(RandomGraph(tbs, 3 * tbs, 1));
    EXPECT_NE(CutKway(graph, 4, 1), Bisected(graph, 4)) << tbs << " TBs";
    EXPECT_EQ(CutByBisection(graph, 4, 1), Bisected(graph, 4)) << tbs << " TBs";
  }
}

TEST(Kway, BisectsWhatMetisCannotCut) {
  const PartGraph small = MakePartGraph(RandomGraph(kMinMetisVertices - 1, 64, 1));
  EXPECT_EQ(CutKway(small, 4, 1), Bisected(small, 4));
  const PartGraph unconnected = MakePartGraph(StencilGraph(64, 1, 0, 0));
  EXPECT_EQ(CutKway(unconnected, 4, 1), Bisected(unconnected, 4));
}

uint32_t LargestPart(MetisMethod method) {
  const PartGraph graph = MakePartGraph(StencilGraph(48, 48, 32, 4));
  std::vector<uint32_t> size(16);
  for (const int32_t part : RunMetis(graph, std::vector<uint32_t>(16, 144), method, 1)) {
    ++size[static_cast<size_t>(part)];
  }
  return *std::max_element(size.begin(), size.end());
}

TEST(Metis, KeepsToSizesMoreStrictlyWhereItBisects) {
  EXPECT_LE(LargestPart(MetisMethod::kRecursive), 145U);
  EXPECT_GT(LargestPart(MetisMethod::kKway), 145U);
}

TEST(Metis, TakesNoGraphsThatItCannotCut) {
  const std::vector<uint32_t> halves = {kMinMetisVertices / 2,
                                        kMinMetisVertices - kMinMetisVertices / 2};
  const auto run = [](uint32_t vertices, const std::vector<uint32_t>& targets) {
    return RunMetis(MakePartGraph(StencilGraph(vertices, 1, 1, 0)), targets,
                    MetisMethod::kRecursive, 1);
  };
  EXPECT_EQ(run(kMinMetisVertices, halves).size(), kMinMetisVertices);
  EXPECT_THROW(run(kMinMetisVertices - 1, halves), Error);
  EXPECT_THROW(run(kMinMetisVertices, {kMinMetisVertices}), Error);
}

}  // namespace kway_test
}  // namespace flagstone::partition
