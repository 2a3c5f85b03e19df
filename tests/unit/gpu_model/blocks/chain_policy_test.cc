// The prefetcher snake on streams of loads made by hand.
#include "gpu_model/blocks/prefetcher/chain_policy.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/unit/gpu_model/blocks/prefetcher_bench.h"

namespace flagstone {
namespace chain_policy_test {

using Bench = PrefetcherBench;

// Three loads, 0x5000 and 0x3000 bytes from one to the next, whatever the warp's first address is.
class Chain : public ::testing::Test {
 protected:
  Addresses First(uint32_t warp) { return snake_.Load(8, warp, {Base(warp)}); }
  Addresses Second(uint32_t warp) { return snake_.Load(9, warp, {Base(warp) + 0x5000}); }
  Addresses Third(uint32_t warp) { return snake_.Load(10, warp, {Base(warp) + 0x8000}); }
  void Walk(uint32_t warp) {
    First(warp);
    Second(warp);
    Third(warp);
  }
  // To an address of its own.
  void Stray(uint32_t warp) {
    First(warp);
    snake_.Load(20, warp, {Base(warp) + 0x77000 * (warp + 1)});
  }
  // No stride between warps.
  static uint64_t Base(uint32_t warp) { return 0x100000 * warp * warp * warp; }

  Bench snake_{"snake"};
};

TEST_F(Chain, ServesAllWarpsOnceThreeHaveGoneItsWay) {
  for (uint32_t warp = 0; warp < 2; ++warp) Walk(warp);
  EXPECT_EQ(First(9), Addresses{}) << "two warps have";
  Walk(2);
  EXPECT_EQ(First(3), (Addresses{Base(3) + 0x5000, Base(3) + 0x8000}));
  EXPECT_EQ(snake_.warps, (std::vector<uint32_t>{3, 3}));
  EXPECT_EQ(Second(3), Addresses{Base(3) + 0x8000});
}

TEST_F(Chain, GoesThreeLinksFar) {
  for (uint32_t warp = 0; warp < 3; ++warp) {
    Walk(warp);
    for (uint64_t pc = 11; pc < 14; ++pc)
      snake_.Load(pc, warp, {Base(warp) + 0x8000 + pc * 0x1000});
  }
  EXPECT_EQ(First(4).size(), 3U);
}

TEST_F(Chain, FollowsALoopsOwnStride) {
  for (uint64_t trip = 0; trip < 2; ++trip) {
    for (uint32_t warp = 0; warp < 3; ++warp) {
      snake_.Load(8, warp, {Base(warp) + 0x400 * trip});
    }
  }
  EXPECT_EQ(snake_.Load(8, 5, {Base(5)}),
            (Addresses{Base(5) + 0x400, Base(5) + 0x800, Base(5) + 0xc00}));
}

TEST_F(Chain, LeavesAWarpThatGoesElsewhereAloneUntilItComesBack) {
  for (uint32_t warp = 0; warp < 3; ++warp) Walk(warp);
  Stray(3);
  EXPECT_EQ(First(3), Addresses{});
  EXPECT_EQ(First(4).at(0), Base(4) + 0x5000);
  Second(3);
  EXPECT_EQ(First(3).at(0), Base(3) + 0x5000);
}

TEST_F(Chain, ForgetsALinkThatThreeWarpsLeave) {
  for (uint32_t warp = 0; warp < 3; ++warp) Walk(warp);
  Stray(3);
  Stray(4);
  EXPECT_EQ(First(6).at(0), Base(6) + 0x5000);
  Stray(5);
  EXPECT_EQ(First(7), Addresses{});
}

TEST_F(Chain, TakesTheLinkThatWasTakenLast) {
  for (uint32_t warp = 0; warp < 3; ++warp) {
    First(warp);
    Second(warp);
    First(10 + warp);
    snake_.Load(20, 10 + warp, {Base(10 + warp) + 0x77000});
  }
  EXPECT_EQ(First(5), Addresses{Base(5) + 0x77000});
  First(3);
  Second(3);
  EXPECT_EQ(First(6), Addresses{Base(6) + 0x5000});
}

TEST_F(Chain, LosesALinkThatWasUsedLongAgo) {
  const auto pair = [&](uint64_t i, uint32_t warp) {
    snake_.Load(100 + 2 * i, warp, {Base(warp)});
    snake_.Load(101 + 2 * i, warp, {Base(warp) + 0x5000});
    snake_.EndCta(0);
  };
  const auto known = [&](uint64_t i) { return !snake_.Load(100 + 2 * i, 40, {Base(40)}).empty(); };
  for (uint64_t i = 0; i < ChainedStrides::kLinks; ++i) {
    for (uint32_t warp = 0; warp < 3; ++warp) pair(i, warp);
  }
  for (uint64_t i = 0; i < 8; ++i) pair(i, 0);
  EXPECT_TRUE(known(8));
  snake_.EndCta(5);
  pair(20, 0);  // one too many
  EXPECT_FALSE(known(8));
  snake_.EndCta(5);
  EXPECT_TRUE(known(9));
  snake_.EndCta(5);
  EXPECT_TRUE(known(0));
}

TEST_F(Chain, BeginsAnewWithANewTb) {
  for (uint32_t warp = 0; warp < 3; ++warp) Walk(warp);
  Stray(8);
  ASSERT_EQ(First(8), Addresses{});
  snake_.EndCta(1);
  EXPECT_EQ(First(8).at(0), Base(8) + 0x5000) << "another warp has the place";
}

TEST_F(Chain, PrefetchesForTheWarpsThatFollowToo) {
  snake_.Load(8, 0, {0x1000});
  snake_.Load(8, 1, {0x1200});
  EXPECT_EQ(snake_.Load(8, 2, {0x1400}).at(0), 0x1600U);
}

}  // namespace chain_policy_test
}  // namespace flagstone
