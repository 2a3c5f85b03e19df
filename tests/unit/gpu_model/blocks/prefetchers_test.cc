// CAPS's rivals on streams of loads and misses made by hand.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "gpu_model/blocks/prefetcher/descriptor.h"
#include "gpu_model/blocks/prefetcher/prefetcher_model.h"
#include "tests/unit/base/error_message.h"
#include "tests/unit/gpu_model/blocks/prefetcher_bench.h"

namespace flagstone {
namespace prefetchers_test {

using Bench = PrefetcherBench;

TEST(IntraWarpStride, PredictsTheNextExecutionOnceAStrideWasSeenTwice) {
  Bench intra("intra");
  EXPECT_EQ(intra.Load(8, 3, {0x1000}), Addresses{});
  EXPECT_EQ(intra.Load(8, 3, {0x1400}), Addresses{});
  EXPECT_EQ(intra.Load(8, 3, {0x1800}), Addresses{0x1c00});
  EXPECT_EQ(intra.warps, std::vector<uint32_t>{3});
  EXPECT_EQ(intra.Load(8, 3, {0x1c00}), Addresses{0x2000});
}

TEST(IntraWarpStride, CountsDownAsWellAsUp) {
  Bench intra("intra");
  intra.Load(8, 3, {0x9000});
  intra.Load(8, 3, {0x8e00});
  EXPECT_EQ(intra.Load(8, 3, {0x8c00}), Addresses{0x8a00});
}

TEST(IntraWarpStride, MovesAllRequestsOfALoad) {
  Bench intra("intra");
  intra.Load(8, 0, {0x1000, 0x5000});
  intra.Load(8, 0, {0x1080, 0x5080});
  EXPECT_EQ(intra.Load(8, 0, {0x1100, 0x5100}), (Addresses{0x1180, 0x5180}));
}

TEST(IntraWarpStride, SaysNothingOfAStrideThatChangesOrOfOtherWarps) {
  Bench intra("intra");
  intra.Load(8, 3, {0x1000});
  intra.Load(8, 3, {0x1400});
  EXPECT_EQ(intra.Load(8, 3, {0x1900}), Addresses{}) << "0x500 after 0x400";
  EXPECT_EQ(intra.Load(8, 4, {0x1e00}), Addresses{}) << "another warp at the stride";
  EXPECT_EQ(intra.Load(16, 3, {0x1e00}), Addresses{}) << "another load";
  EXPECT_EQ(intra.Load(8, 3, {0x1e00}), Addresses{0x2300}) << "0x500 twice";
}

TEST(IntraWarpStride, NeedsNoPrefetchForAnAddressThatStays) {
  Bench intra("intra");
  for (int i = 0; i < 4; ++i) EXPECT_EQ(intra.Load(8, 3, {0x1000}), Addresses{});
}

TEST(IntraWarpStride, LooksAtLoadsOfAtMostFourRequests) {
  Bench intra("intra");
  for (uint64_t i = 0; i < 4; ++i) {
    EXPECT_EQ(intra.Load(8, 3, {i * 4, i * 4 + 512, 1024, 2048, 4096}), Addresses{});
  }
}

TEST(IntraWarpStride, ForgetsTheWarpsOfATbThatEnds) {
  Bench intra("intra");
  for (const uint32_t warp : {3U, 8U}) {
    intra.Load(8, warp, {0x1000});
    intra.Load(8, warp, {0x1400});
  }
  intra.EndCta(0);
  EXPECT_EQ(intra.Load(8, 3, {0x1800}), Addresses{});
  EXPECT_EQ(intra.Load(8, 8, {0x1800}), Addresses{0x1c00}) << "the other TB's";
}

TEST(IntraWarpStride, KnowsFourLoadsOfAWarp) {
  Bench intra("intra");
  for (uint64_t pc = 0; pc < 5; ++pc) intra.Load(pc, 0, {0x10000 * pc});
  for (uint64_t pc = 1; pc < 5; ++pc) intra.Load(pc, 0, {0x10000 * pc + 0x400});
  EXPECT_EQ(intra.Load(4, 0, {0x40800}), Addresses{0x40c00});
  EXPECT_EQ(intra.Load(0, 0, {0x400}), Addresses{}) << "gave way to load 4";
}

TEST(InterWarpStride, PredictsTheNextFourWarpsOnceAStrideWasSeenTwice) {
  Bench inter("inter");
  EXPECT_EQ(inter.Load(8, 0, {0x1000}), Addresses{});
  EXPECT_EQ(inter.Load(8, 1, {0x1200}), Addresses{});
  EXPECT_EQ(inter.Load(8, 2, {0x1400}), (Addresses{0x1600, 0x1800, 0x1a00, 0x1c00}));
  EXPECT_EQ(inter.warps, (std::vector<uint32_t>{3, 4, 5, 6}));
}

TEST(InterWarpStride, DividesTheDistanceByTheWarpsBetween) {
  Bench inter("inter");
  inter.Load(8, 0, {0x1000});
  inter.Load(8, 1, {0x1200});
  EXPECT_EQ(inter.Load(8, 3, {0x1600}).at(0), 0x1800U);
  EXPECT_EQ(inter.Load(8, 2, {0x1400}).at(0), 0x1600U) << "backwards";
}

// The near miss that CAPS is about: the prediction goes on over the border of the TB.
TEST(InterWarpStride, PredictsTheNextTbsWarpsWhereTheyWillNotLoad) {
  Bench inter("inter");
  inter.Load(8, 4, {0x1800});
  inter.Load(8, 5, {0x1a00});
  EXPECT_EQ(inter.Load(8, 6, {0x1c00}), (Addresses{0x1e00, 0x2000, 0x2200, 0x2400}));
  EXPECT_EQ(inter.warps, (std::vector<uint32_t>{7, 8, 9, 10})) << "8 to 10 belong to TB slot 1";
  EXPECT_EQ(inter.Load(8, 8, {0x9000}), Addresses{}) << "the other TB's base breaks the stride";
}

TEST(InterWarpStride, LeavesOutWarpsThatDoNotLive) {
  Bench inter("inter");
  inter.in.live_warps[0] = 0b1011'1111;
  inter.in.live_warps[1] = 0;
  inter.Load(8, 3, {0x1600});
  inter.Load(8, 4, {0x1800});
  inter.Load(8, 5, {0x1a00});
  EXPECT_EQ(inter.warps, std::vector<uint32_t>{7});
}

TEST(InterWarpStride, SaysNothingOfIrregularWarpsOrOfTheSameWarpAgain) {
  Bench inter("inter");
  inter.Load(8, 0, {0x1000});
  inter.Load(8, 1, {0x1200});
  EXPECT_EQ(inter.Load(8, 2, {0x1480}), Addresses{}) << "0x280 after 0x200";
  EXPECT_EQ(inter.Load(8, 2, {0x1700}), Addresses{}) << "0x280 on, but within a warp";
  EXPECT_EQ(inter.Load(8, 5, {0x1701}), Addresses{}) << "no whole number of bytes a warp";
}

TEST(InterWarpStride, CountsFromTheLastAddressOfAWarpThatRepeatsALoad) {
  Bench inter("inter");
  inter.Load(8, 0, {0x1000});
  inter.Load(8, 1, {0x1200});
  EXPECT_EQ(inter.Load(8, 1, {0x8200}), Addresses{});
  EXPECT_EQ(inter.Load(8, 2, {0x8400}).at(0), 0x8600U) << "the stride has stayed";
}

TEST(ManyThreadAware, FollowsWarpsUntilTheLoadRepeatsAndThenItsOwnStride) {
  Bench mta("mta");
  mta.Load(8, 0, {0x1000});
  mta.Load(8, 1, {0x1200});
  EXPECT_EQ(mta.Load(8, 2, {0x1400}).at(0), 0x1600U) << "as inter";
  mta.Load(8, 2, {0x11400});
  EXPECT_EQ(mta.Load(8, 2, {0x21400}), Addresses{0x31400}) << "as intra";
  EXPECT_EQ(mta.Load(8, 3, {0x1600}), Addresses{}) << "inter learns from warp 2's last address";
}

TEST(ManyThreadAware, PrefersTheWarpsOwnStride) {
  Bench mta("mta");
  for (uint64_t iteration = 0; iteration < 3; ++iteration) {
    for (uint32_t warp = 0; warp < 4; ++warp) {
      const uint64_t addr = 0x10000 * iteration + 0x200 * warp;
      const Addresses prefetches = mta.Load(8, warp, {addr});
      if (iteration < 2) continue;
      EXPECT_EQ(prefetches, Addresses{addr + 0x10000}) << warp;
    }
  }
}

TEST(NextLine, FetchesTheLineAfterAMissAndNothingForALoadThatHits) {
  Bench nlp("nlp");
  EXPECT_EQ(nlp.Miss(0x1000), Addresses{0x1080});
  EXPECT_EQ(nlp.Load(8, 0, {0x1080}), Addresses{});
  nlp.present = {0x1180 / kPrefetchLineBytes};
  EXPECT_EQ(nlp.Miss(0x1100), Addresses{}) << "it is in the L1";
}

TEST(LocalityAware, FetchesTheRestOfFourLinesWhenTwoAreMissed) {
  Bench lap("lap");
  EXPECT_EQ(lap.Miss(0x1080), Addresses{});
  EXPECT_EQ(lap.Miss(0x1180), (Addresses{0x1000, 0x1100}));
  EXPECT_EQ(lap.Miss(0x1000), Addresses{}) << "begins anew";
}

TEST(LocalityAware, DoesNotJoinNeighbouringBlocksOrMissesOfOneLine) {
  Bench lap("lap");
  EXPECT_EQ(lap.Miss(0x1180), Addresses{});
  EXPECT_EQ(lap.Miss(0x1200), Addresses{}) << "the next line, of the next block";
  EXPECT_EQ(lap.Miss(0x1180), Addresses{}) << "the same line again";
}

TEST(LocalityAware, KnowsTheLast64Blocks) {
  Bench lap("lap");
  for (uint64_t block = 0; block < 65; ++block) lap.Miss(block * 512);
  EXPECT_EQ(lap.Miss(128).size(), 0U) << "block 0 gave way to block 64";
  EXPECT_EQ(lap.Miss(64 * 512 + 128).size(), 2U);
}

TEST(Orch, PrefetchesAsLap) {
  Bench orch("orch");
  orch.Miss(0x1000);
  EXPECT_EQ(orch.Miss(0x1080), (Addresses{0x1100, 0x1180}));
}

TEST(PrefetcherModel, HoldsAPrefetchUntilItIsTaken) {
  Bench nlp("nlp");
  nlp.ready = false;
  nlp.in.miss_valid = true;
  nlp.in.miss_addr = 0x1000;
  for (int i = 0; i < 10; ++i) nlp.Tick();
  EXPECT_FALSE(nlp.Idle());
  nlp.ready = true;
  EXPECT_EQ(nlp.Drain(), Addresses{0x1080});
  EXPECT_TRUE(nlp.Idle());
}

TEST(PrefetcherModel, LosesWhatComesWhenItsQueueIsFullAndAsksForALineOnce) {
  Bench nlp("nlp");
  nlp.ready = false;
  for (uint64_t i = 0; i < 100; ++i) {
    nlp.in.miss_valid = true;
    nlp.in.miss_addr = 0x1000 + 0x100 * i;
    nlp.Tick();
  }
  nlp.ready = true;
  // One waits to be taken and one was asked for beside those in the queue.
  EXPECT_EQ(nlp.Drain().size(), PrefetchQueue::kPlaces + 2);
  nlp.ready = false;
  for (int i = 0; i < 10; ++i) {
    nlp.in.miss_valid = true;
    nlp.in.miss_addr = 0x1000;
    nlp.Tick();
  }
  nlp.ready = true;
  EXPECT_EQ(nlp.Drain().size(), 3U) << "one at each stage";
}

TEST(PrefetcherModel, ForgetsAllAtTheKernelsEnd) {
  Bench lap("lap");
  lap.Miss(0x1080);
  lap.EndKernel();
  EXPECT_EQ(lap.Miss(0x1180), Addresses{});
}

TEST(PrefetcherModel, WrapsAddressesAtItsWidth) {
  Bench nlp("nlp", {.addr_bits = 20});
  EXPECT_EQ(nlp.Miss(0xfff80), Addresses{0});
  Bench intra("intra", {.addr_bits = 20});
  intra.Load(8, 0, {0xfff00});
  intra.Load(8, 0, {0xfff80});
  EXPECT_EQ(intra.Load(8, 0, {0}), Addresses{0x80}) << "0x80 on, over the end";
}

TEST(PrefetcherFactory, NamesWhatItKnows) {
  EXPECT_EQ(MakePrefetcher("none", {}), nullptr);
  EXPECT_EQ(BadInputMessage([] { MakePrefetcher("oracle", {}); }),
            "unknown prefetcher 'oracle': expected one of none, caps, caps+, intra, inter, mta, "
            "nlp, lap, orch, snake");
}

}  // namespace prefetchers_test
}  // namespace flagstone
