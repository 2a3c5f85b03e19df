// How bytes and TBs are dealt out to nodes.
#include "kernels/launch/node_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace flagstone {
namespace node_plan_test {

using testing::ElementsAre;

constexpr NodeShape kFour = {2, 2};

std::vector<uint32_t> Nodes(const NodeShape& shape, const DealUnits& units, uint64_t count) {
  std::vector<uint32_t> nodes;
  for (uint64_t i = 0; i < count; ++i) nodes.push_back(Deal(shape, units, i));
  return nodes;
}

TEST(Deal, GoesRoundTheGpusAndOfWhatEachGetsRoundItsChiplets) {
  EXPECT_THAT(Nodes(kFour, {4, 1}, 8), ElementsAre(0, 1, 0, 1, 2, 3, 2, 3));
  EXPECT_THAT(Nodes(kFour, {2, 1}, 8), ElementsAre(0, 1, 2, 3, 0, 1, 2, 3));
  // Of three a chiplet's unit of two is cut short; the next turn goes on where this one ended.
  EXPECT_THAT(Nodes(kFour, {3, 2}, 12), ElementsAre(0, 0, 1, 2, 2, 3, 1, 0, 0, 3, 2, 2));
}

TEST(Deal, InTurnByChipletOrByGpu) {
  EXPECT_THAT(Nodes(kFour, ChipletFirst(kFour, 1), 8), ElementsAre(0, 1, 2, 3, 0, 1, 2, 3));
  EXPECT_THAT(Nodes(kFour, GpuFirst(1), 8), ElementsAre(0, 2, 1, 3, 0, 2, 1, 3));
  EXPECT_THAT(Nodes(kFour, GpuFirst(2), 8), ElementsAre(0, 0, 2, 2, 1, 1, 3, 3));
}

TEST(Deal, PartsAreContiguousAndCoverAll) {
  EXPECT_THAT(Nodes(kFour, Parts(kFour, 8), 8), ElementsAre(0, 0, 1, 1, 2, 2, 3, 3));
  EXPECT_THAT(Nodes(kFour, Parts(kFour, 5), 5), ElementsAre(0, 0, 1, 1, 2));
  EXPECT_EQ(Deal(kFour, Parts(kFour, 10'000, 4096), 9'999), 2U);  // the third of three pages
  EXPECT_THAT(Nodes({1, 1}, Parts({1, 1}, 3), 3), ElementsAre(0, 0, 0));
}

TEST(Deal, PartsOfNothingAreThoseOfOneUnit) {
  EXPECT_EQ(Parts(kFour, 0), Parts(kFour, 1));
  EXPECT_EQ(Parts(kFour, 0, 4096), (DealUnits{8192, 4096}));
}

TEST(TbMap, DealsOutTbsRowsOrColumns) {
  const auto nodes = [](TbMap::Element element) {
    std::vector<uint32_t> result;
    const TbMap map = {element, {2, 1}};
    for (uint64_t tb = 0; tb < 8; ++tb) result.push_back(NodeOfTb(kFour, map, tb, 4));
    return result;
  };
  EXPECT_THAT(nodes(TbMap::Element::kTb), ElementsAre(0, 1, 2, 3, 0, 1, 2, 3));
  EXPECT_THAT(nodes(TbMap::Element::kRow), ElementsAre(0, 0, 0, 0, 1, 1, 1, 1));
  EXPECT_THAT(nodes(TbMap::Element::kColumn), ElementsAre(0, 1, 2, 3, 0, 1, 2, 3));
}

TEST(NodesOfTbs, AreThoseOfTheUnitsOrOfTheQueues) {
  NodePlan plan = {.tbs = {TbMap::Element::kColumn, {2, 1}}};
  EXPECT_THAT(NodesOfTbs(kFour, plan, 6, 3), ElementsAre(0, 1, 2, 0, 1, 2));
  plan.queues.resize(4);
  plan.queues[0].groups = {{5}, {0, 1}};
  plan.queues[3].groups = {{4, 2, 3}};
  EXPECT_THAT(NodesOfTbs(kFour, plan, 6, 3), ElementsAre(0, 0, 3, 3, 3, 0));
}

TEST(NodesOfTbs, HasEachTbInOneQueue) {
  NodePlan plan;
  plan.queues.resize(2);
  plan.queues[0].groups = {{0, 1}};
  plan.queues[1].groups = {{1}};
  EXPECT_ANY_THROW(NodesOfTbs(kFour, plan, 2, 1)) << "twice";
  plan.queues[1].groups = {{2}};
  EXPECT_ANY_THROW(NodesOfTbs(kFour, plan, 2, 1)) << "there is no such TB";
  EXPECT_ANY_THROW(NodesOfTbs(kFour, plan, 4, 1)) << "one is in none";
  EXPECT_THAT(NodesOfTbs(kFour, plan, 3, 1), ElementsAre(0, 0, 1));
}

}  // namespace node_plan_test
}  // namespace flagstone
