// What CAPS's prefetcher does with hand-made streams, on each body.
#include <gmock/gmock.h>

#include <memory>
#include <optional>
#include <vector>

#include "tests/blocks/contract/caps_bench.h"
#include "tests/blocks/contract/caps_engines.h"

namespace flagstone {
namespace caps_contract_test {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr uint64_t kPc = 0x120;

// CTA slot c holds warps 2c and 2c + 1 as in Fig. 9, or `warps` of them.
class CapsContractTest : public CapsTest {
 protected:
  void Start(uint32_t slots, uint32_t warps, const CapsConfig& config = {}) {
    warps_ = warps;
    block_ = Make(config);
    bench_.emplace(block_.get(), config);
    for (uint32_t slot = 0; slot < slots; ++slot) bench_->SetWarps(slot, slot * warps, warps);
  }
  // A load by warp `warp` of the CTA in `slot` that leads to one request.
  CapsLoad Load(uint32_t slot, uint32_t warp, uint64_t addr, uint64_t pc = kPc) const {
    return {pc, slot, slot * warps_ + warp, false, {addr}};
  }
  std::vector<CapsPrefetch> Run(const CapsLoad& load) {
    bench_->LoadAndDrain(load);
    return bench_->Take();
  }
  // Trains kPc with `stride` from slot 0.
  void Train(uint64_t stride) {
    Run(Load(0, 0, 0x10000));
    Run(Load(0, 1, 0x10000 + stride));
  }
  CapsPrefetch To(uint32_t slot, uint32_t warp, uint64_t addr, uint64_t pc = kPc) const {
    return {addr, slot * warps_ + warp, slot, pc};
  }

  uint32_t warps_ = 2;
  std::unique_ptr<CapsBlock> block_;
  std::optional<CapsBench> bench_;
};

TEST_P(CapsContractTest, CaseAOfFigure9PrefetchesForTheOtherCtas) {
  Start(3, 2);
  EXPECT_THAT(Run(Load(0, 0, 0x1000)), IsEmpty());
  EXPECT_THAT(Run(Load(1, 0, 0x5000)), IsEmpty());
  EXPECT_THAT(Run(Load(2, 0, 0x9000)), IsEmpty());
  EXPECT_THAT(Run(Load(0, 1, 0x1200)), ElementsAre(To(1, 1, 0x5200), To(2, 1, 0x9200)));
}

TEST_P(CapsContractTest, CaseBOfFigure9PrefetchesForTheOwnCta) {
  Start(3, 2);
  EXPECT_THAT(Run(Load(0, 0, 0x1000)), IsEmpty());
  EXPECT_THAT(Run(Load(0, 1, 0x1200)), IsEmpty());
  EXPECT_THAT(Run(Load(1, 0, 0x5000)), ElementsAre(To(1, 1, 0x5200)));
  EXPECT_THAT(Run(Load(2, 0, 0x9000)), ElementsAre(To(2, 1, 0x9200)));
}

TEST_P(CapsContractTest, EachTrailingWarpGetsEachBase) {
  Start(2, 4);
  Run({kPc, 0, 0, false, {0x1000, 0x1080}});
  Run({kPc, 0, 1, false, {0x1400, 0x1480}});
  EXPECT_THAT(Run({kPc, 1, 5, false, {0x8000, 0x8080}}),
              ElementsAre(To(1, 0, 0x7c00), To(1, 0, 0x7c80), To(1, 2, 0x8400), To(1, 2, 0x8480),
                          To(1, 3, 0x8800), To(1, 3, 0x8880)));
}

TEST_P(CapsContractTest, ALowerWarpTrainsAsWell) {
  Start(2, 4);
  Run(Load(0, 2, 0x1000));
  Run(Load(0, 1, 0x1190));  // the stride is -400
  EXPECT_THAT(Run(Load(1, 3, 0x8000)),
              ElementsAre(To(1, 0, 0x84b0), To(1, 1, 0x8320), To(1, 2, 0x8190)));
}

// What the leading warp writes is found and read by the next warp's load right behind it, whatever
// the table is made of.
TEST_P(CapsContractTest, ALoadCloseBehindTheLeadingWarpsTrainsWithItsBase) {
  for (const uint32_t style : {0u, 1u, 2u}) {
    for (const uint32_t between : {0u, 1u, 2u, 3u}) {
      SCOPED_TRACE(testing::Message() << "style " << style << ", cycles between " << between);
      CapsConfig config;
      config.style = style;
      Start(2, 2, config);
      Run(Load(0, 0, 0x3000, kPc + 8));
      Run(Load(1, 0, 0x5000));
      bench_->Step(Load(0, 0, 0x1000));
      bench_->Idle(between);
      bench_->Step(Load(0, 1, 0x1200));
      bench_->Drain();
      EXPECT_THAT(bench_->Take(), ElementsAre(To(1, 1, 0x5200)));
    }
  }
}

TEST_P(CapsContractTest, OnlyConsecutiveWarpsTrain) {
  Start(2, 4);
  Run(Load(0, 0, 0x1000));
  Run(Load(0, 2, 0x1400));
  Run(Load(0, 3, 0x1600));
  EXPECT_THAT(Run(Load(1, 0, 0x8000)), IsEmpty());
  EXPECT_EQ(Run(Load(0, 1, 0x1200)).size(), 3u);
}

TEST_P(CapsContractTest, UnequalStridesDropTheEntryInThisCtaOnly) {
  Start(2, 4);
  Run({kPc, 1, 4, false, {0x8000, 0x8080}});
  Run({kPc, 0, 0, false, {0x1000, 0x1080}});
  EXPECT_THAT(Run({kPc, 0, 1, false, {0x1200, 0x1300}}), IsEmpty());
  // Warp 2 leads now, so that warp 3 trains with it.
  Run({kPc, 0, 2, false, {0x1400}});
  EXPECT_THAT(Run({kPc, 0, 3, false, {0x1500}}),
              ElementsAre(To(1, 1, 0x8100), To(1, 1, 0x8180), To(1, 2, 0x8200), To(1, 2, 0x8280),
                          To(1, 3, 0x8300), To(1, 3, 0x8380)));
}

TEST_P(CapsContractTest, IndirectAndScatteredLoadsAreIgnored) {
  Start(2, 4);
  for (uint32_t warp = 0; warp < 4; ++warp) {
    Run({kPc, 0, warp, true, {0x1000 + 0x200 * warp}});
    Run({kPc + 8, 0, warp, false, {}});
    Run({kPc + 16, 0, warp, false, std::vector<uint64_t>(5, 0x1000 + 0x200 * warp)});
  }
  EXPECT_THAT(Run(Load(1, 0, 0x8000)), IsEmpty());
  EXPECT_THAT(Run(Load(1, 0, 0x8000, kPc + 8)), IsEmpty());
  EXPECT_THAT(Run(Load(1, 0, 0x8000, kPc + 16)), IsEmpty());
}

TEST_P(CapsContractTest, LinesInTheL1OrInFlightAreNotPrefetched) {
  Start(2, 4);
  bench_->SetPresent([](uint64_t address) { return address / 128 == 0x8200 / 128; });
  Train(0x100);
  EXPECT_THAT(Run(Load(1, 0, 0x8004)), ElementsAre(To(1, 1, 0x8104), To(1, 3, 0x8304)));
}

TEST_P(CapsContractTest, MoreThan128MispredictionsThrottleALoad) {
  Start(4, 2);
  Train(0x200);
  for (uint32_t i = 0; i < 128; ++i) Run(Load(0, 1, 0x70000 + 0x1000 * i));
  EXPECT_EQ(bench_->out().throttled, 0u);
  EXPECT_THAT(Run(Load(1, 0, 0x8000)), ElementsAre(To(1, 1, 0x8200)));
  Run(Load(0, 1, 0x70000));
  EXPECT_EQ(bench_->out().throttled, 1u);
  EXPECT_THAT(Run(Load(2, 0, 0x9000)), IsEmpty());
  // The counter stays at its end.
  for (uint32_t i = 0; i < 200; ++i) Run(Load(0, 1, 0x70000 + 0x1000 * i));
  EXPECT_EQ(bench_->out().throttled, 1u);
}

TEST_P(CapsContractTest, APredictionIsRightWhenItsLineIsAmongTheLoads) {
  Start(2, 2);
  Train(0x210);
  // 0x10210 was predicted: other bytes of its line, and of several lines, are right.
  for (uint32_t i = 0; i < 200; ++i) {
    Run(Load(0, 1, 0x10200 + i % 128));
    Run({kPc, 0, 1, false, {0x30000, 0x10280, 0x10200}});
  }
  EXPECT_EQ(bench_->out().throttled, 0u);
  for (uint32_t i = 0; i < 129; ++i) Run({kPc, 0, 1, false, {0x30000, 0x10280, 0x10180}});
  EXPECT_EQ(bench_->out().throttled, 1u);
}

TEST_P(CapsContractTest, WithConfidenceANewStrideHasToProveItself) {
  CapsConfig config;
  config.confidence = true;
  Start(3, 4, config);
  Run(Load(1, 0, 0x8000));
  Run(Load(0, 0, 0x10000));
  EXPECT_THAT(Run(Load(0, 1, 0x10200)), IsEmpty());
  EXPECT_EQ(bench_->out().throttled, 1u);
  EXPECT_THAT(Run(Load(2, 0, 0x20000)), IsEmpty());
  // Right once: what was known already is prefetched, and then case B as ever.
  EXPECT_THAT(Run(Load(0, 2, 0x10400)),
              ElementsAre(To(0, 1, 0x10200), To(0, 2, 0x10400), To(0, 3, 0x10600), To(1, 1, 0x8200),
                          To(1, 2, 0x8400), To(1, 3, 0x8600), To(2, 1, 0x20200), To(2, 2, 0x20400),
                          To(2, 3, 0x20600)));
  EXPECT_EQ(bench_->out().throttled, 0u);
  // Wrong once: four right ones make up for it.
  Run(Load(1, 1, 0x70000));
  for (uint32_t i = 0; i < 4; ++i) {
    EXPECT_EQ(bench_->out().throttled, 1u) << i;
    Run(Load(1, 2, 0x8400));
  }
  EXPECT_EQ(bench_->out().throttled, 0u);
}

TEST_P(CapsContractTest, RetrainingAfterReplacementEndsAThrottle) {
  Start(4, 2);
  Train(0x200);
  for (uint32_t i = 0; i < 129; ++i) Run(Load(0, 1, 0x70000 + 0x1000 * i));
  EXPECT_THAT(Run(Load(1, 0, 0x8000)), IsEmpty());
  for (uint64_t pc = 0x800; pc < 0x820; pc += 8) {  // four other loads
    Run(Load(0, 0, 0x1000, pc));
    Run(Load(0, 1, 0x1100, pc));
  }
  EXPECT_EQ(bench_->out().throttled, 0u);
  Run(Load(0, 0, 0x1000));
  EXPECT_THAT(Run(Load(0, 1, 0x1300)), ElementsAre(To(1, 1, 0x8300)));
}

TEST_P(CapsContractTest, AFifthLoadTakesThePlaceOfTheOneWrittenFirst) {
  Start(2, 2);
  for (uint64_t i = 0; i < 5; ++i) Run(Load(1, 0, 0x8000 + 0x1000 * i, kPc + 8 * i));
  for (uint64_t i = 0; i < 5; ++i) {
    Run(Load(0, 0, 0x1000, kPc + 8 * i));
    const auto prefetched = Run(Load(0, 1, 0x1200, kPc + 8 * i));
    EXPECT_EQ(prefetched.size(), i == 0 ? 0u : 1u) << i;
  }
}

TEST_P(CapsContractTest, AnEndedCtasSlotIsEmptyBeforeItIsGivenAway) {
  Start(2, 2);
  Train(0x200);
  bench_->SetStalls(1, 0, 100);
  bench_->Step(Load(1, 0, 0x8000));
  bench_->Idle(20);
  ASSERT_TRUE(bench_->out().prefetch_valid);  // waits for the L1
  bench_->EndCta(1);
  EXPECT_FALSE(bench_->out().prefetch_valid);
  bench_->SetWarps(1, 2, 2);  // the next CTA
  bench_->SetStalls(1, 0, 0);
  bench_->Drain();
  EXPECT_THAT(bench_->Take(), IsEmpty());
  // Its first load leads: an entry of the old CTA would make it a check.
  EXPECT_THAT(Run(Load(1, 1, 0x20200)), ElementsAre(To(1, 0, 0x20000)));
}

TEST_P(CapsContractTest, JobsOfAnEndedCtaAreDroppedAndOthersGoOn) {
  Start(4, 12);
  for (uint32_t slot = 1; slot < 4; ++slot) Run(Load(slot, 0, 0x8000 + 0x10000 * slot));
  Run(Load(0, 0, 0x1000));
  bench_->Step(Load(0, 1, 0x1200));
  bench_->Idle(16);
  bench_->EndCta(2);
  bench_->Drain();
  uint32_t of_slot[4] = {};
  for (const CapsPrefetch& prefetch : bench_->Take()) ++of_slot[prefetch.slot];
  EXPECT_THAT(of_slot, ElementsAre(0u, 11u, 0u, 11u));
}

TEST_P(CapsContractTest, TheKernelsEndForgetsAll) {
  Start(3, 2);
  Train(0x200);
  Run(Load(1, 0, 0x8000));
  bench_->EndKernel();
  EXPECT_TRUE(bench_->out().quiescent);
  EXPECT_THAT(Run(Load(1, 0, 0x8000)), IsEmpty());
  Run(Load(0, 0, 0x1000));
  EXPECT_THAT(Run(Load(0, 1, 0x1300)), ElementsAre(To(1, 1, 0x8300)));
}

TEST_P(CapsContractTest, AReplacedStrideTakesItsWaitingPrefetchAlong) {
  Start(2, 2);
  Train(0x200);
  bench_->SetStalls(1, 0, 100);
  bench_->Step(Load(1, 0, 0x8000));
  bench_->Idle(20);
  ASSERT_TRUE(bench_->out().prefetch_valid);
  for (uint64_t pc = 0x800; pc < 0x820; pc += 8) {
    bench_->Step(Load(0, 0, 0x1000, pc));
    bench_->Idle(10);
    bench_->Step(Load(0, 1, 0x1100, pc));
    bench_->Idle(10);
  }
  EXPECT_FALSE(bench_->out().prefetch_valid);
}

TEST_P(CapsContractTest, PrefetchesComeOneACycle) {
  Start(2, 24);
  Train(0x200);
  bench_->Take();
  const size_t before = bench_->cycles().size();
  const uint64_t start = bench_->cycle();
  bench_->Step(CapsLoad{kPc, 1, 24, false, {0x8000, 0x8080}});
  bench_->Drain();
  ASSERT_EQ(bench_->cycles().size() - before, 46u);
  EXPECT_EQ(bench_->cycles()[before] - start, 13u);
  EXPECT_EQ(bench_->cycles().back() - bench_->cycles()[before], 45u);
}

// PCs of two loads that train are kept on their way.
TEST_P(CapsContractTest, TwoLoadsTrainAtOnceAndAThirdDoesNot) {
  Start(2, 2);
  for (uint64_t i = 0; i < 3; ++i) Run(Load(0, 0, 0x1000 + 0x1000 * i, kPc + 8 * i));
  for (uint64_t i = 0; i < 3; ++i) bench_->Step(Load(0, 1, 0x1200 + 0x1000 * i, kPc + 8 * i));
  bench_->Drain();
  for (uint64_t i = 0; i < 3; ++i) {
    const auto prefetched = Run(Load(1, 0, 0x8000 + 0x1000 * i, kPc + 8 * i));
    EXPECT_EQ(prefetched.size(), i < 2 ? 1u : 0u) << i;
  }
}

// Two CTAs' warps train the same load, whatever lies between them: its stride is entered once.
TEST_P(CapsContractTest, AStrideIsEnteredOnce) {
  for (uint32_t between = 0; between < 12; ++between) {
    Start(4, 2);
    Run(Load(0, 0, 0x1000));
    Run(Load(1, 0, 0x5000));
    Run(Load(2, 0, 0x9000));
    bench_->Step(Load(0, 1, 0x1200));
    bench_->Idle(between);
    bench_->Step(Load(1, 1, 0x5200));
    bench_->Drain();
    EXPECT_THAT(bench_->Take(), ElementsAre(To(1, 1, 0x5200), To(2, 1, 0x9200))) << between;
    // The entries that are left are free for three other loads, and the stride stays.
    for (uint64_t pc = 0x800; pc < 0x818; pc += 8) {
      Run(Load(0, 0, 0x1000, pc));
      Run(Load(0, 1, 0x1100, pc));
    }
    EXPECT_EQ(Run(Load(3, 0, 0xd000)).size(), 1u) << between;
  }
}

TEST_P(CapsContractTest, LatenciesAreThoseOfThePage) {
  for (const uint64_t n : {uint64_t{1}, uint64_t{2}, uint64_t{4}}) {
    Start(3, 3);
    const auto load = [&](uint32_t slot, uint32_t warp, uint64_t addr) {
      CapsLoad wide = Load(slot, warp, addr);
      for (uint64_t k = 1; k < n; ++k) wide.addrs.push_back(addr + 128 * k);
      return wide;
    };
    Run(load(1, 0, 0x8000));
    Run(load(2, 0, 0x9000));
    Run(load(0, 0, 0x1000));
    const uint64_t start = bench_->cycle();
    EXPECT_EQ(Run(load(0, 1, 0x1200)).size(), 4 * n);
    const std::vector<uint64_t>& cycles = bench_->cycles();
    EXPECT_EQ(cycles[0] - start, 16 + n);
    EXPECT_EQ(cycles[2 * n - 1] - cycles[0], 2 * n - 1);  // one a cycle
    EXPECT_EQ(cycles[2 * n] - cycles[2 * n - 1], 9u);     // the next job
    EXPECT_EQ(bench_->cycle() - cycles.back(), 25u);      // slots 3 to 7 lack the load
  }
}

TEST_P(CapsContractTest, ALoadIsTakenInEveryCycle) {
  Start(8, 6);
  for (uint32_t warp = 0; warp < 6; ++warp) {
    for (uint32_t slot = 0; slot < 8; ++slot) {
      bench_->Step(Load(slot, warp, 0x10000 * slot + 0x200 * warp));
    }
  }
  bench_->Drain();
  EXPECT_EQ(bench_->Take().size(), 7u * 5u);
  EXPECT_EQ(bench_->out().throttled, 0u);
}

TEST_P(CapsContractTest, QuietMeansThatSkippedTicksChangeNothing) {
  Start(3, 2);
  EXPECT_TRUE(bench_->out().quiescent);
  bench_->Step(Load(0, 0, 0x1000));
  EXPECT_FALSE(bench_->out().quiescent);
  bench_->Drain();
  bench_->SetGated(true);
  bench_->Idle(100);
  EXPECT_EQ(bench_->skipped(), GetParam() == Engine::kLockstep ? 0u : 100u);
  Run(Load(0, 1, 0x1200));
  EXPECT_THAT(Run(Load(1, 0, 0x5000)), ElementsAre(To(1, 1, 0x5200)));
}

TEST_P(CapsContractTest, WithRefreshTheLeadingWarpsLaterLoadsMoveItsBases) {
  for (const bool refresh : {false, true}) {
    CapsConfig config;
    config.refresh_base = refresh;
    Start(2, 2, config);
    Run(Load(1, 0, 0x8000));
    Run(Load(1, 0, 0xa000));
    Run(Load(0, 0, 0x1000));
    EXPECT_THAT(Run(Load(0, 1, 0x1200)), ElementsAre(To(1, 1, refresh ? 0xa200 : 0x8200)));
    // The stride is known: new bases are prefetched from, as the first ones are.
    const auto prefetched = Run(Load(1, 0, 0xc000));
    if (refresh) {
      EXPECT_THAT(prefetched, ElementsAre(To(1, 1, 0xc200)));
    } else {
      EXPECT_THAT(prefetched, IsEmpty());
    }
    EXPECT_THAT(Run(Load(1, 1, 0xc200)), IsEmpty());
  }
}

// A trip ahead of its prefetches takes their place.
TEST_P(CapsContractTest, WithRefreshANewTripsPrefetchesReplaceTheOldOnes) {
  CapsConfig config;
  config.refresh_base = true;
  Start(2, 4, config);
  Train(0x200);
  bench_->SetStalls(1, 0, 100);
  bench_->Step(Load(1, 0, 0x8000));
  bench_->Idle(20);
  bench_->Step(Load(1, 0, 0xa000));
  bench_->Idle(20);
  bench_->SetStalls(1, 0, 0);
  bench_->Drain();
  // The one that was shown stands.
  EXPECT_THAT(bench_->Take(),
              ElementsAre(To(1, 1, 0x8200), To(1, 1, 0xa200), To(1, 2, 0xa400), To(1, 3, 0xa600)));
}

TEST_P(CapsContractTest, WithRefreshAThrottledLoadStartsNothing) {
  CapsConfig config;
  config.refresh_base = true;
  Start(2, 2, config);
  Train(0x200);
  for (uint32_t i = 0; i < 129; ++i) Run(Load(0, 1, 0x70000 + 0x1000 * i));
  EXPECT_THAT(Run(Load(0, 0, 0x20000)), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Engines, CapsContractTest, kCapsEngines, EngineName);

}  // namespace caps_contract_test
}  // namespace flagstone
