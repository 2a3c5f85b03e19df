// The high-priority group of each loop, on loads whose lines are counted by hand. A line has 128 B.
#include "analyzer/cta_mapping/warp_group.h"

#include <gtest/gtest.h>

#include "tests/unit/analyzer/cta_mapping/accesses.h"

namespace flagstone {
namespace warp_group_test {

using accesses::Load;
using accesses::Loop;
using Reason = WarpGroup::Reason;

constexpr uint64_t kLine = 128;

KernelLaunch LaunchOf(Dim3 grid, Dim3 block) {
  KernelLaunch launch;
  launch.grid = grid;
  launch.block = block;
  return launch;
}

// Of the L1's lines.
WarpGroupRequest InTbs(uint64_t lines) { return {.resident_warps = 48, .l1_bytes = lines * kLine}; }
WarpGroupRequest Along(CtaDirection direction, int64_t distance, uint64_t lines) {
  return {.direction = direction,
          .reuse_distance = distance,
          .resident_warps = 48,
          .l1_bytes = lines * kLine};
}

// Each thread walks along a row of its own: a warp has 32 lines, and keeps them for 32 trips.
AddressAnalysis RowsOfThreads() {
  constexpr int64_t kRow = 4096;
  return {{Loop(1024)}, {Load(0, {kRow, 0, 0}, {256 * kRow, 0, 0}, {4})}};
}

TEST(WarpGroups, AreAsManyWarpsAsTheL1HasRoomForWhereEachUsesItsLinesAgain) {
  const KernelLaunch launch = LaunchOf({64}, {256});
  const auto groups = FindWarpGroups(RowsOfThreads(), launch, InTbs(128));
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[0].loop, WarpGroup::kNoLoop);
  EXPECT_EQ(groups[0].reason, Reason::kNoLoads);
  EXPECT_EQ(groups[0].size, 0U);
  EXPECT_EQ(groups[1].loop, 0U);
  EXPECT_EQ(groups[1].reuse_warps, 0U);
  EXPECT_EQ(groups[1].fitting_warps, 4U);
  EXPECT_EQ(groups[1].bound, 8U);
  EXPECT_EQ(groups[1].reason, Reason::kNone);
  EXPECT_EQ(groups[1].size, 4U);
  // One line more does not make room for another warp, 32 do.
  EXPECT_EQ(FindWarpGroups(RowsOfThreads(), launch, InTbs(159))[1].size, 4U);
  EXPECT_EQ(FindWarpGroups(RowsOfThreads(), launch, InTbs(160))[1].size, 5U);
}

TEST(WarpGroups, HaveOneWarpWhereNotEvenOneFits) {
  const auto groups = FindWarpGroups(RowsOfThreads(), LaunchOf({64}, {256}), InTbs(16));
  EXPECT_EQ(groups[1].fitting_warps, 0U);
  EXPECT_EQ(groups[1].size, 1U);
}

TEST(WarpGroups, AreNotNamedWhereAllWarpsOfATbFit) {
  const auto groups = FindWarpGroups(RowsOfThreads(), LaunchOf({64}, {256}), InTbs(256));
  EXPECT_EQ(groups[1].fitting_warps, 8U);
  EXPECT_TRUE(groups[1].fits_more);
  EXPECT_EQ(groups[1].reason, Reason::kAllFit);
  EXPECT_EQ(groups[1].size, 0U);
}

// Algorithm 2: warp ids run on over the TBs' borders, and the bound is that of all TBs with reuse.
TEST(WarpGroups, CrossTbsAlongTheMapping) {
  const KernelLaunch launch = LaunchOf({64}, {64});  // 2 warps a TB
  constexpr int64_t kRow = 4096;
  const AddressAnalysis rows = {{Loop(1024)}, {Load(0, {kRow, 0, 0}, {64 * kRow, 0, 0}, {4})}};
  EXPECT_EQ(FindWarpGroups(rows, launch, InTbs(128))[1].size, 0U);  // a TB's two warps fit
  const auto across = FindWarpGroups(rows, launch, Along(CtaDirection::kX, 3, 128));
  EXPECT_EQ(across[1].bound, 6U);
  EXPECT_EQ(across[1].fitting_warps, 4U);
  EXPECT_EQ(across[1].size, 4U);
  EXPECT_EQ(FindWarpGroups(rows, launch, Along(CtaDirection::kX, 2, 128))[1].size, 0U);
}

// Without a loop: warp w reads lines w and w + 1.
TEST(WarpGroups, AreTheWarpsThatShareLinesInStraightCode) {
  const AddressAnalysis pairs = {
      {}, {Load(0, {4, 0, 0}, {512, 0, 0}), Load(128, {4, 0, 0}, {512, 0, 0})}};
  const auto groups = FindWarpGroups(pairs, LaunchOf({64}, {128}), InTbs(128));
  ASSERT_EQ(groups.size(), 1U);
  EXPECT_EQ(groups[0].reuse_warps, 2U);
  EXPECT_EQ(groups[0].fitting_warps, 4U);
  EXPECT_EQ(groups[0].size, 2U);
}

TEST(WarpGroups, AreNotNamedWhereNothingIsUsedAgain) {
  const AddressAnalysis once = {{Loop(64)}, {Load(0, {4, 0, 0}, {512, 0, 0}, {1 << 20})}};
  const auto groups = FindWarpGroups(once, LaunchOf({64}, {128}), InTbs(2));
  EXPECT_EQ(groups[1].reason, Reason::kNoReuse);
  EXPECT_EQ(groups[1].size, 0U);
}

// C = A B, TBs of 16 x 16 threads, matrices of 1,024 a side. A warp reads two rows of A; a TB's
// warps read the same half line of B, whose other half a neighbour along x reads.
class Matmul : public testing::Test {
 protected:
  Matmul() : launch_(LaunchOf({64, 64}, {16, 16})) {
    constexpr int64_t kRow = 4096;
    forms_.loops = {Loop(1024)};
    forms_.accesses = {Load(0, {0, kRow, 0}, {0, 16 * kRow, 0}, {4}),
                       Load(0, {4, 0, 0}, {64, 0, 0}, {kRow})};
    forms_.accesses[1].array = "b";
  }
  WarpGroup Of(const WarpGroupRequest& request) const {
    return FindWarpGroups(forms_, launch_, request)[1];
  }

  KernelLaunch launch_;
  AddressAnalysis forms_;
};

TEST_F(Matmul, AlongXHasTheTbsThatShareALineOfB) {
  const WarpGroup group = Of(Along(CtaDirection::kX, 63, 128));
  EXPECT_EQ(group.reuse_warps, 16U);  // of A: the warps of all six TBs
  EXPECT_EQ(group.fitting_warps, 48U);
  EXPECT_EQ(group.bound, 504U);
  EXPECT_EQ(group.size, 16U);
}

// A column of TBs reads one half line of B and rows of A that no two warps share.
TEST_F(Matmul, AlongYHasAllThatReadALineOfB) {
  const WarpGroup group = Of(Along(CtaDirection::kY, 63, 128));
  EXPECT_EQ(group.reuse_warps, 48U);
  EXPECT_EQ(group.reason, Reason::kAllFit);  // of the SM: none would be left to come second
  EXPECT_EQ(group.size, 0U);
  // A warp has two lines of A, all share one of B.
  EXPECT_EQ(Of(Along(CtaDirection::kY, 63, 41)).size, 20U);
}

TEST_F(Matmul, HasFewerInASmallL1) {
  const WarpGroup group = Of(Along(CtaDirection::kX, 63, 8));
  EXPECT_EQ(group.fitting_warps, 3U);
  EXPECT_EQ(group.size, 3U);
}

// Lanes that a guard keeps out touch nothing.
TEST(WarpGroups, CountNoLanesThatDoNotLoad) {
  AddressAnalysis rows = RowsOfThreads();
  Guard guard;
  guard.form.constant = 255;
  guard.form.tid = {-2, 0, 0};  // threads 0 to 127: half of the warps
  rows.accesses[0].guards = {guard};
  const auto groups = FindWarpGroups(rows, LaunchOf({64}, {256}), InTbs(128));
  EXPECT_EQ(groups[1].fitting_warps, 8U);
}

// Two loops, one in the other: a trip of the outer one has all lines of the inner one.
TEST(WarpGroups, OfALoopCountTheLoopsInside) {
  AddressAnalysis nest = {{Loop(8), Loop(16)}, {Load(0, {4, 0, 0}, {1 << 20, 0, 0}, {4096, 128})}};
  nest.loops[1].parent = 0;
  const auto groups = FindWarpGroups(nest, LaunchOf({4}, {256}), InTbs(24));
  EXPECT_EQ(groups[1].reuse_warps, 8U);
  EXPECT_EQ(groups[1].fitting_warps, 8U);  // 16 to 23 lines
  EXPECT_EQ(groups[2].reuse_warps, 0U);
  EXPECT_EQ(groups[2].reason, Reason::kNoReuse);
  nest.loops[1].trip_count = 1 << 20;
  EXPECT_EQ(FindWarpGroups(nest, LaunchOf({4}, {256}), InTbs(24))[1].reason, Reason::kTooMany);
}

}  // namespace warp_group_test
}  // namespace flagstone
