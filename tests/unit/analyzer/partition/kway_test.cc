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

TEST(Kway, TakesBisectionBelow64TbsForEachPart) {
  for (const uint32_t parts : {2U, 4U}) {
    for (const uint32_t tbs : {64 * parts - 1, 64 * parts}) {
      const PartGraph graph = MakePartGraph(RandomGraph(tbs, 3 * tbs, 1));
      std::vector<std::vector<uint32_t>> leaves = BisectIntoLeaves(graph, parts, 1);
      std::sort(leaves.begin(), leaves.end());
      EXPECT_EQ(CutKway(graph, parts, 1) == leaves, tbs / parts < 64) << tbs << " TBs";
    }
  }
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
