// A prefetcher in the load path of one SM, ticked by hand: what it is shown, how its prefetches
// enter the L1, and what becomes of them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/unit/gpu_model/sm/prefetch_path_bench.h"

namespace flagstone {
namespace prefetch_path_test {

TEST_F(PrefetchPath, ShowsLoadsWithTheirAddressesMissesAndLiveWarps) {
  setup_.prefetch.indirect[kLoadPc] = true;
  Offer(0);
  Run(60);
  ASSERT_EQ(block_->events.size(), 2U);
  for (uint32_t warp : {0U, 1U}) {
    const PrefetcherIn& in = block_->events[warp];
    EXPECT_EQ(in.load_pc, kLoadPc);
    EXPECT_EQ(in.load_slot, 0U);
    EXPECT_EQ(in.load_warp, warp);
    EXPECT_TRUE(in.load_indirect);
    EXPECT_EQ(in.load_count, 1U);
    EXPECT_EQ(in.load_addr[0], (address_ + 128 * warp) & 0xffffffff);
    EXPECT_EQ(in.live_warps[0], 0b11U);
    ASSERT_EQ(block_->misses.size(), 2U);
    EXPECT_EQ(block_->misses[warp].miss_addr, (address_ + 128 * warp) & 0xffffffff);
    EXPECT_EQ(block_->misses[warp].miss_warp, warp);
  }
  EXPECT_EQ(Counted().demand_fetches, 2U);
  EXPECT_EQ(Counted().demand_misses, 2U);
}

// A TB ends with its last warp, or when its last store has left.
class PrefetchPathWithStores : public PrefetchPath {
 protected:
  PrefetchPathWithStores() : PrefetchPath(4, 64, /*stores=*/true) {}
};

TEST_F(PrefetchPath, ATbsEndIsToldBeforeItsSlotIsGivenAway) {
  EXPECT_EQ(OrderOfEvents(2), "load load end load load end ");
}

TEST_F(PrefetchPathWithStores, ATbsEndIsToldBeforeItsSlotIsGivenAway) {
  EXPECT_EQ(OrderOfEvents(2), "load load end load load end ");
}

TEST_F(PrefetchPath, APrefetchedLineWakesItsWarpOnce) {
  PrefetchForTb(0);
  ASSERT_EQ(Sent().back(), LineOf(address_ + 4096));
  EXPECT_TRUE(woken_.empty());
  Answer(LineOf(address_ + 4096));
  EXPECT_EQ(woken_, std::vector<uint32_t>{1});
  Answer();
  Run(60);
  EXPECT_EQ(woken_.size(), 1U);
  EXPECT_EQ(Counted().issued, 1U);
  EXPECT_EQ(Counted().wakes, 1U);
}

TEST_F(PrefetchPath, NobodyIsWokenWhereNobodyIsToBeTold) {
  setup_.prefetch.wake_up = false;
  PrefetchForTb(0);
  Answer(LineOf(address_ + 4096));
  Answer();
  Run(60);
  EXPECT_TRUE(woken_.empty());
  EXPECT_EQ(Counted().issued, 1U);
  EXPECT_EQ(Counted().wakes, 0U);
}

TEST_F(PrefetchPath, NobodyIsWokenForATbThatHasEnded) {
  PrefetchForTb(0);
  Answer(LineOf(address_));
  Answer(LineOf(address_) + 1);
  Run(60);
  ASSERT_EQ(sm_->completed(), 1U);
  Offer(1);  // in the same slot, with the same warps
  Run(60);
  Answer(LineOf(address_ + 4096));
  Run(3);
  EXPECT_TRUE(woken_.empty());
}

TEST_F(PrefetchPath, ALoadMergesInAPrefetchInFlight) {
  block_->Want({address_ + 128});
  Run(5);
  ASSERT_EQ(Sent(), std::vector<LineNumber>{LineOf(address_) + 1});
  Offer(0);
  Run(60);
  EXPECT_EQ(Sent(), (std::vector<LineNumber>{LineOf(address_) + 1, LineOf(address_)}));
  EXPECT_EQ(Counted().used, 1U);
  EXPECT_EQ(Counted().late, 1U);
  EXPECT_EQ(Counted().demand_misses, 1U);
  Answer();
  Run(60);
  EXPECT_EQ(sm_->completed(), 1U);
  EXPECT_TRUE(sm_->Drained());
  const LoadPrefetches& load = sm_->prefetch()->by_load()[kLoadPc];
  EXPECT_EQ(load.issued, 1U);
  EXPECT_EQ(load.used, 1U);
  EXPECT_EQ(load.demand_fetches, 2U);
}

TEST_F(PrefetchPath, TheDistanceIsThatFromTheL1ToTheLoad) {
  block_->Want({address_});
  Run(5);
  const uint64_t sent = port_.packets[0].first;
  Answer();
  Run(100);
  Offer(0);
  Run(60);
  ASSERT_EQ(Counted().used, 1U);
  EXPECT_EQ(Counted().late, 0U);
  // The other warp misses: the cycle after the first one's load.
  const uint64_t next_load = port_.packets[0].first;
  EXPECT_EQ(Counted().distance.cycles, next_load - 1 - sent);
}

TEST_F(PrefetchPath, LeavesItsReserveOfMshrsToDemand) {
  for (uint64_t i = 0; i < 20; ++i) block_->Want({address_ + 4096 + 128 * i});
  Run(100);
  EXPECT_EQ(Sent().size(), machine_.sm.l1.mshrs - 5);
  EXPECT_GT(Counted().waits.mshr, 0U);
  EXPECT_EQ(Counted().dropped.withdrawn, 0U) << "one stands and waits";
  Offer(0);
  Run(60);
  EXPECT_EQ(Sent().size(), machine_.sm.l1.mshrs - 5 + 2);
}

// An L1 of one set, eight ways. A TB's line that comes last is prefetched, then demand fills the
// set many times over. Returns how many prefetched lines gave way unused.
class PrefetchPathOfOneSet : public PrefetchPath {
 protected:
  PrefetchPathOfOneSet() : PrefetchPath(128, 64, /*stores=*/false) {}
  uint64_t EarlyEvicted(uint32_t mshrs) {
    machine_ = MachineConfig::Load("tiny", {"sm.const_cache.size_kib=0", "sm.l1.size_kib=1",
                                            "sm.l1.ways=8", fmt::format("sm.l1.mshrs={}", mshrs)});
    Make();
    block_->Want({address_ + 128 * 63, 1, 0});
    Run(5);
    Answer();
    Offer(0);
    for (int i = 0; i < 80; ++i) {
      Run(20);
      Answer();
    }
    EXPECT_EQ(sm_->completed(), 1U);
    EXPECT_EQ(Counted().issued, 1U);
    return Counted().early_evicted;
  }
};

TEST_F(PrefetchPathOfOneSet, AnAwaitedLineGivesWayToDemand) { EXPECT_EQ(EarlyEvicted(6), 1U); }

TEST_F(PrefetchPathOfOneSet, AnAwaitedLineIsKeptWhileAnotherCanGo) {
  setup_.prefetch.keep_awaited = true;
  EXPECT_EQ(EarlyEvicted(6), 0U);
  EXPECT_EQ(Counted().used, 1U);
}

TEST_F(PrefetchPathOfOneSet, AnAwaitedLineGoesWhereAllOthersAreOnTheirWay) {
  setup_.prefetch.keep_awaited = true;
  EXPECT_EQ(EarlyEvicted(32), 1U);
}

// Of eight ways four may hold awaited lines; another prefetch waits until one of them is used.
TEST_F(PrefetchPathOfOneSet, HalfOfASetsWaysHoldAwaitedLines) {
  setup_.prefetch.keep_awaited = true;
  machine_ = MachineConfig::Load("tiny",
                                 {"sm.const_cache.size_kib=0", "sm.l1.size_kib=1", "sm.l1.ways=8"});
  Make();
  for (uint64_t i = 0; i < 6; ++i) block_->Want({address_ + 128 * i});
  Run(40);
  Answer();
  EXPECT_EQ(Counted().issued, 4U);
  EXPECT_GT(Counted().waits.way, 0U);
}

TEST_F(PrefetchPath, DropsWhatIsInTheL1OrInFlightAndAnswersProbes) {
  block_->Want({address_});
  Run(5);
  block_->Want({address_ + 64});  // the same line
  block_->Ask(address_ & 0xffffffff);
  Run(5);
  EXPECT_EQ(Counted().dropped.in_flight, 2U);
  EXPECT_EQ(Counted().merged, 0U);  // no demand load waits for it
  Answer();
  block_->Want({address_});
  Run(2);
  EXPECT_EQ(Counted().dropped.present, 1U);
  block_->Ask((address_ + 128) & 0xffffffff);
  Run(2);
  EXPECT_EQ(block_->answers, (std::vector<bool>{true, false}));
  EXPECT_EQ(Counted().issued, 1U);
}

TEST_F(PrefetchPath, CountsWhatADemandLoadWaitsFor) {
  Offer(0);
  Run(60);
  const uint64_t fetches = Counted().demand_fetches;
  ASSERT_GT(fetches, 0U);
  block_->Want({address_});
  block_->Ask(address_ & 0xffffffff);
  Run(5);
  EXPECT_EQ(Counted().issued, 0U);
  EXPECT_EQ(Counted().dropped.in_flight, 2U);
  EXPECT_EQ(Counted().merged, 2U);
  Answer();
  block_->Want({address_});
  Run(5);
  EXPECT_EQ(Counted().dropped.present, 1U);
  EXPECT_EQ(Counted().merged, 2U);
}

TEST_F(PrefetchPath, CountsLinesThatLeaveUnused) {
  // More lines than the L1 has.
  const uint32_t lines = machine_.sm.l1.size_kib * 8;
  for (uint64_t i = 0; i < 2 * lines; ++i) {
    block_->Want({address_ + 128 * i});
    Run(3);
    Answer();
  }
  EXPECT_EQ(Counted().issued, 2 * lines);
  EXPECT_EQ(Counted().early_evicted, lines);
  EXPECT_EQ(Counted().too_early, 0U);
  EXPECT_EQ(Counted().used, 0U);
}

// The TB wants `address_` and the line after it.
TEST_F(PrefetchPath, ALineThatIsWantedAfterItsEvictionWasPrefetchedTooEarly) {
  const uint32_t lines = machine_.sm.l1.size_kib * 8;
  for (uint64_t i = 0; i <= 2 * lines; ++i) {
    block_->Want({address_ + 128 * i});
    Run(3);
    Answer();
  }
  block_->Want({address_});  // again: the load uses it, but the first prefetch came too early
  Run(3);
  Answer();
  ASSERT_EQ(Counted().early_evicted, lines + 2);
  Offer(0);
  Run(60);
  Answer();
  Run(60);
  EXPECT_EQ(Counted().used, 1U);
  EXPECT_EQ(Counted().too_early, 2U);
  const LoadPrefetches& load = sm_->prefetch()->by_load()[kLoadPc];
  EXPECT_EQ(load.early_evicted, Counted().early_evicted);
  EXPECT_EQ(load.too_early, 2U);
  // Each prefetch counts once.
  Offer(1);
  Run(60);
  EXPECT_EQ(Counted().too_early, 2U);
}

// Each thread its own line: 32 requests a warp.
class PrefetchBesideManyRequests : public PrefetchPath {
 protected:
  PrefetchBesideManyRequests() : PrefetchPath(128, 32) {}
};

TEST_F(PrefetchBesideManyRequests, DemandGoesFirst) {
  setup_.prefetch.mshr_reserve = 0;
  Offer(0);
  while (Sent().empty()) Tick();
  block_->Want({address_ + (1 << 18)});
  // The L1's sixteen MSHRs go to demand, one in each cycle.
  while (sm_->prefetch()->statistics().demand_fetches < machine_.sm.l1.mshrs) Tick();
  Run(20);
  EXPECT_EQ(Counted().issued, 0U);
  EXPECT_GT(Counted().waits.demand, 20U);
  for (int i = 0; i < 40; ++i) {
    Answer();
    Run(2);
  }
  EXPECT_EQ(Counted().issued, 1U);
  EXPECT_EQ(Counted().demand_fetches, 32U);
}

TEST_F(PrefetchBesideManyRequests, WithAPortOfItsOwnAPrefetchEntersBesideDemand) {
  setup_.prefetch.own_port = true;
  Offer(0);
  while (Sent().empty()) Tick();
  block_->Want({address_ + (1 << 18)});
  Run(3);
  EXPECT_EQ(Counted().issued, 1U);
  EXPECT_EQ(Counted().waits.demand, 0U);
  EXPECT_LT(Counted().demand_fetches, machine_.sm.l1.mshrs);
}

}  // namespace prefetch_path_test
}  // namespace flagstone
