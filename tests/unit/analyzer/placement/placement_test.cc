// The policies for several nodes on cases small enough to follow: which TB and which page goes
// where.
#include "analyzer/placement/placement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyzer/placement/placed.h"
#include "tests/unit/analyzer/placement/cases.h"

namespace flagstone {
namespace placement_test {

using testing::ElementsAre;

constexpr uint64_t kKiB = 1024;

TEST(Lasp, WithoutALoopGivesEachNodeItsPartOfTheArrayAndItsTbs) {
  const PlacementCase c({2, 2}, {8, 1, 1}, Streamed(16 * kKiB));
  const LaspDeal deal = c.Deal();
  EXPECT_EQ(deal.pages, (DealUnits{8192, 4096}));
  EXPECT_EQ(deal.tbs.units, (DealUnits{4, 2}));
  EXPECT_THAT(c.TbNodes(c.Lasp()), ElementsAre(0, 0, 1, 1, 2, 2, 3, 3));
  EXPECT_THAT(c.PageNodes(c.Lasp()), ElementsAre(0, 1, 2, 3));
}

TEST(RoundRobin, DealsTbsAndPagesOneByOne) {
  const PlacementCase c({2, 2}, {8, 1, 1}, Streamed(16 * kKiB));
  const NodePlan plan = PlanRoundRobin(c.input(), 1);
  EXPECT_THAT(c.TbNodes(plan), ElementsAre(0, 1, 2, 3, 0, 1, 2, 3));
  EXPECT_THAT(c.PageNodes(plan), ElementsAre(0, 1, 2, 3));
}

TEST(HCoda, KeepsTheTbsOfAPageTogetherAndGoesRoundTheGpusFirst) {
  PlacementCase c({2, 2}, {8, 1, 1}, Streamed(16 * kKiB));
  c.SetBlock(512);  // 2 KiB of 4-byte elements: two TBs a page
  const NodePlan plan = PlanCoda(c.input());
  EXPECT_THAT(c.TbNodes(plan), ElementsAre(0, 0, 2, 2, 1, 1, 3, 3));
  EXPECT_THAT(c.PageNodes(plan), ElementsAre(0, 2, 1, 3));
}

TEST(Lasp, FollowsTheStrideOfALoopOverTheGrid) {
  const PlacementCase c({2, 2}, {8, 1, 1}, Streamed(32 * kKiB, 16 * kKiB));
  EXPECT_THAT(c.TbNodes(c.Lasp()), ElementsAre(0, 0, 1, 1, 2, 2, 3, 3));
  EXPECT_THAT(c.PageNodes(c.Lasp()), ElementsAre(0, 1, 2, 3, 0, 1, 2, 3));
  const NodePlan kernel_wide = PlanKernelWide(c.input());
  EXPECT_THAT(c.TbNodes(kernel_wide), ElementsAre(0, 0, 1, 1, 2, 2, 3, 3));
  EXPECT_THAT(c.PageNodes(kernel_wide), ElementsAre(0, 0, 1, 1, 2, 2, 3, 3));
}

TEST(Lasp, GivesATbOfSeveralPagesAllOfThem) {
  const PlacementCase c({2, 2}, {8, 1, 1}, Streamed(64 * kKiB));
  EXPECT_EQ(c.Deal().pages, (DealUnits{32768, 16384}));
  EXPECT_THAT(c.TbNodes(c.Lasp()), ElementsAre(0, 0, 1, 1, 2, 2, 3, 3));
  EXPECT_THAT(c.PageNodes(c.Lasp()), ElementsAre(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3));
}

TEST(Lasp, BindsRowsOfTbsToTheNodeOfTheirRowsOfData) {
  const PlacementCase c({2, 2}, {1, 8, 1}, Shared(LocalityType::kRowHorizontal, 32 * kKiB));
  const LaspDeal deal = c.Deal();
  EXPECT_EQ(deal.pages, (DealUnits{16384, 4096}));
  EXPECT_EQ(deal.tbs.units, (DealUnits{4, 1}));
  EXPECT_THAT(c.TbNodes(c.Lasp()), ElementsAre(0, 1, 0, 1, 2, 3, 2, 3));
  EXPECT_THAT(c.PageNodes(c.Lasp()), ElementsAre(0, 1, 0, 1, 2, 3, 2, 3));
}

TEST(Lasp, BindsColumnsOfTbsToTheNodeOfTheirColumnsOfData) {
  // Rows of 32 KiB: blocks of 1,024 threads along x.
  PlacementCase wide({2, 2}, {8, 1, 1}, Shared(LocalityType::kColVertical, 64 * kKiB));
  wide.SetBlock(1024);
  EXPECT_THAT(wide.TbNodes(wide.Lasp()), ElementsAre(0, 1, 0, 1, 2, 3, 2, 3));
  EXPECT_THAT(wide.PageNodes(wide.Lasp()),
              ElementsAre(0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3));
  // Rows of 8 KiB: a page for each GPU, which its chiplets share.
  PlacementCase narrow({2, 2}, {8, 1, 1}, Shared(LocalityType::kColVertical, 32 * kKiB));
  narrow.SetBlock(256);
  const LaspDeal deal = narrow.Deal();
  EXPECT_EQ(deal.pages, (DealUnits{4096, 4096}));
  EXPECT_EQ(deal.tbs.units, (DealUnits{4, 2}));
  EXPECT_THAT(narrow.TbNodes(narrow.Lasp()), ElementsAre(0, 0, 1, 1, 2, 2, 3, 3));
  EXPECT_THAT(narrow.PageNodes(narrow.Lasp()), ElementsAre(0, 2, 1, 3, 0, 2, 1, 3));
}

TEST(HCoda, SendsHalfOfAStencilsRowsToAnotherGpu) {
  PlacementCase c({4, 4}, {128, 128, 1}, Streamed(16 * 1024 * kKiB));
  c.SetBlock(16, 16);
  const NodePlan plan = PlanCoda(c.input());
  EXPECT_EQ(plan.tbs.units, GpuFirst(64));
  // TB row y reads rows 16 y to 16 y + 15 of data, each of two pages.
  uint32_t off_gpu = 0, off_node = 0, all = 0;
  for (uint64_t tb = 0; tb < 128 * 128; ++tb) {
    const uint32_t node = NodeOfTb({4, 4}, plan.tbs, tb, 128);
    for (uint64_t row = 0; row < 16; ++row) {
      const uint64_t offset = (tb / 128 * 16 + row) * 8192 + tb % 128 * 64;
      const uint32_t home = Deal({4, 4}, plan.pages.at("array"), offset);
      off_gpu += home / 4 != node / 4 ? 1 : 0;
      off_node += home != node ? 1 : 0;
      ++all;
    }
  }
  EXPECT_EQ(off_gpu, all / 2);
  EXPECT_EQ(off_node, all / 8 * 7);
}

TEST(Lasp, DealsPagesByStrideWhereKernelWideHalvesThem) {
  // Fig. 3 of the paper: two TBs, a page each and then two pages on.
  const PlacementCase c({2, 1}, {2, 1, 1}, Streamed(16 * kKiB, 8 * kKiB));
  EXPECT_THAT(c.TbNodes(c.Lasp()), ElementsAre(0, 1));
  EXPECT_THAT(c.PageNodes(c.Lasp()), ElementsAre(0, 1, 0, 1));
  EXPECT_THAT(c.PageNodes(PlanKernelWide(c.input())), ElementsAre(0, 0, 1, 1));
}

TEST(Lasp, GivesAFullyConnectedLayersColumnsToTheGpuOfTheirPage) {
  // AlexNet's FC-2: rows of 16 KiB, 128 columns of TBs of 32 threads.
  PlacementCase c({4, 4}, {128, 4, 1}, Shared(LocalityType::kColVertical, 2048 * 16 * kKiB));
  c.SetBlock(32, 4);
  const LaspDeal deal = c.Deal();
  EXPECT_EQ(deal.pages, (DealUnits{4096, 4096}));
  EXPECT_EQ(deal.tbs.units, (DealUnits{32, 8}));
  for (uint64_t x = 0; x < 128; ++x) {
    EXPECT_EQ(NodeOfTb({4, 4}, deal.tbs, x, 128), x / 8);
    EXPECT_EQ(Deal({4, 4}, deal.pages, x * 128) / 4, x / 32);
  }
  EXPECT_EQ(PlanCoda(c.input()).tbs.units, GpuFirst(32));  // the same GPUs
}

TEST(Lasp, GoesByTbsWhereThereAreFewerLinesThanNodes) {
  const PlacementCase c({2, 2}, {8, 3, 1}, Shared(LocalityType::kRowHorizontal, 48 * kKiB));
  const LaspDeal deal = c.Deal();
  EXPECT_EQ(deal.tbs.element, TbMap::Element::kTb);
  EXPECT_EQ(deal.tbs.units, (DealUnits{12, 6}));
  EXPECT_EQ(deal.pages, (DealUnits{24576, 12288}));
}

TEST(Lasp, KeepsTbsWithTheirPagesWhereTheArrayIsNoMultipleOfThem) {
  // 16 TBs of 1 KiB, but for the end of the last: 8.2 TBs begin in the first GPU's two pages.
  const PlacementCase c({2, 2}, {16, 1, 1}, Streamed(15'968));
  EXPECT_THAT(c.TbNodes(c.Lasp()), ElementsAre(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3));
  EXPECT_THAT(c.PageNodes(c.Lasp()), ElementsAre(0, 1, 2, 3));
}

TEST(Lasp, PlacesEachArrayByItsOwnWishAndTbsByTheDecidingOnes) {
  PlacementCase c({2, 2}, {1, 8, 1}, Shared(LocalityType::kRowHorizontal, 32 * kKiB));
  c.Add("other", Streamed(64 * kKiB));
  const NodePlan plan = c.Lasp();
  EXPECT_EQ(plan.pages.at("array"), (DealUnits{16384, 4096}));
  EXPECT_EQ(plan.pages.at("other"), (DealUnits{32768, 16384}));
  EXPECT_THAT(c.TbNodes(plan), ElementsAre(0, 1, 0, 1, 2, 3, 2, 3));
  EXPECT_FALSE(plan.once);
  EXPECT_TRUE(PlanLasp(c.input(), *c.input().ladm, RemoteCaching::kOnce).once);
}

// Rows of 9 KiB and a bit for 16 TBs, 10 rows: a page lies where most of it is read, in each row.
TEST(Lasp, PagesDoNotDriftAwayWhereAPeriodIsNoMultipleOfThem) {
  constexpr uint64_t kRow = 9600;
  LadmArgument array = Streamed(10 * kRow, kRow);
  array.extents.turn_bytes = kRow;
  array.extents.tb_bytes = kRow / 16;
  const PlacementCase c({2, 2}, {16, 1, 1}, array);
  const LaspDeal deal = c.Deal();
  EXPECT_EQ(deal.tbs.units, (DealUnits{8, 4}));
  ASSERT_EQ(deal.owners.size(), 24U);
  uint64_t at_home = 0;
  for (uint64_t at = 0; at < 10 * kRow; ++at) {
    const uint64_t tb = at % kRow / (kRow / 16);
    if (deal.owners[at / 4096] == NodeOfTb({2, 2}, deal.tbs, tb, 16)) ++at_home;
  }
  // A node's part of a row is 2,400 bytes: pages hold two or three nodes' parts.
  EXPECT_GT(at_home, 10 * kRow / 2);
  EXPECT_EQ(c.Lasp().owners.at("array"), deal.owners);
}

// More TBs than the row has bytes for: the last of the grid have nothing to do.
TEST(Lasp, TakesTheBytesOfATbFromItsIndexAndNotFromTheGrid) {
  LadmArgument array = Streamed(4 * 60'000, 60'000);
  array.extents.turn_bytes = 64 * 1024;
  array.extents.tb_bytes = 1024;
  const PlacementCase c({2, 2}, {64, 1, 1}, array);
  const LaspDeal deal = c.Deal();
  EXPECT_EQ(deal.tbs.units, (DealUnits{30, 15}));  // of 58.6 with bytes
  EXPECT_EQ(deal.owners.at(0), 0);
  EXPECT_EQ(deal.owners.at(14), 3);  // the end of the first row, 2,656 of 4,096 bytes
  EXPECT_EQ(deal.owners.at(15), 0);  // begins 1,440 bytes into the second
}

TEST(Lasp, DealsPagesThatSeveralNodesShareAlikeToEachInTurn) {
  // Rows of 4,000 bytes, 16 columns of TBs: a page belongs to all four nodes alike.
  LadmArgument array = Shared(LocalityType::kColVertical, 400'000);
  array.extents.pitch_bytes = 4000;
  array.extents.column_bytes = 250;
  const PlacementCase c({2, 2}, {16, 4, 1}, array);
  std::vector<int> pages(4, 0);
  for (const uint8_t owner : c.Deal().owners) ++pages[owner];
  for (const int of_node : pages) EXPECT_NEAR(of_node, 24, 8);
}

TEST(Lasp, DealsOutThePagesOfAnArrayThatTbsGoAcross) {
  LadmArgument array = Streamed(64 * 1024);
  array.extents.column_bytes = 16'384;  // of a row of TBs, each to another 16 KiB
  array.extents.row_bytes = 64;
  const PlacementCase c({2, 2}, {4, 16, 1}, array);
  EXPECT_EQ(c.Deal().pages, GpuFirst(4096));
  EXPECT_EQ(c.Deal().tbs.units, (DealUnits{32, 16}));
  array.extents.row_bytes = 65'536;
  EXPECT_EQ(PlacementCase({2, 2}, {4, 16, 1}, array).Deal().pages, (DealUnits{32768, 16384}));
}

TEST(Lasp, TakesNoStrideOfALoopWithinATbForOneOverTheGrid) {
  // Each TB goes along 4 KiB of its own, 512 bytes a turn.
  LadmArgument array = Streamed(64 * 1024, 512);
  array.extents.turn_bytes = 15 * 4096 + 512;
  const PlacementCase c({2, 2}, {16, 1, 1}, array);
  EXPECT_EQ(c.Deal().pages, (DealUnits{32768, 16384}));
  EXPECT_EQ(c.Deal().tbs.units, (DealUnits{8, 4}));
}

TEST(Batches, LeavePagesToTheirFirstTouch) {
  const PlacementCase c({2, 2}, {12, 1, 1}, Streamed(16 * kKiB));
  const NodePlan plan = PlanBatches(c.input(), 3);
  EXPECT_TRUE(plan.first_touch);
  EXPECT_TRUE(plan.pages.empty());
  EXPECT_THAT(c.TbNodes(plan), ElementsAre(0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3));
}

// Two nodes, four TBs: LASP gives each node two TBs and two of four pages. The footprints say that
// TB 3 reads most of page 0, both nodes as much of page 1, and nobody of page 2.
TEST(Owners, PagesGoWhereMostOfThemIsReferredTo) {
  PlacementCase c({2, 1}, {4, 1, 1}, Streamed(4 * 4096));
  PlacementInput input = c.input();
  const auto base = static_cast<int64_t>(input.memory->regions()[0].address);
  Footprints loads, stores;
  loads.tb_count = stores.tb_count = 4;
  const auto reads = [&](Footprints* footprints, uint32_t tb, int64_t from, int64_t to) {
    if (footprints->arrays.empty()) {
      footprints->arrays.emplace_back().array = "array";
      footprints->arrays[0].grid = {4, 1, 1};
    }
    ArrayFootprints& array = footprints->arrays[0];
    array.shapes.push_back({{base + from, base + to}});
    array.classes.push_back(
        {static_cast<uint32_t>(array.shapes.size() - 1), {{tb, 0, 0}, {1, 1, 1}}, {0, 0, 0}});
  };
  reads(&loads, 0, 0, 1024);
  reads(&loads, 1, 4096, 5120);
  reads(&loads, 2, 5120, 6144);
  reads(&loads, 3, 1024, 3072);
  reads(&stores, 2, 3 * 4096, 4 * 4096);
  input.loads = &loads;
  input.stores = &stores;
  const NodePlan plan = PlanOwner(input);
  EXPECT_EQ(plan.tbs.units, (DealUnits{2, 2}));
  EXPECT_EQ(plan.owners.at("array"), (std::vector<uint8_t>{1, 0, NodePlan::kNoOwner, 1}));

  const Placed placed = WhatIsPlaced(input, plan);
  EXPECT_EQ(placed.tbs_of_node, (std::vector<uint64_t>{2, 2}));
  ASSERT_EQ(placed.arrays.size(), 1U);
  EXPECT_TRUE(placed.arrays[0].by_owner);
  EXPECT_EQ(placed.arrays[0].pages, (std::vector<uint64_t>{1, 3}));  // page 2 as LASP has it
}

TEST(Owners, ChunksGoToTheNodesInTurn) {
  PlacementCase c({1, 4}, {10, 1, 1}, Streamed(4 * 4096));
  const NodePlan plan = PlanRoundRobin(c.input(), 2);
  EXPECT_EQ(c.TbNodes(plan), (std::vector<uint32_t>{0, 0, 1, 1, 2, 2, 3, 3, 0, 0}));
  EXPECT_EQ(c.PageNodes(plan), (std::vector<uint32_t>{0, 1, 2, 3}));
}

}  // namespace placement_test
}  // namespace flagstone
