#include "app/flow/sample/loop_extrapolation.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace flagstone {
namespace loop_extrapolation_test {

constexpr uint64_t kWarps = 4, kInstructions = 10, kCyclesEach = 2;
constexpr LoopWindow kWindow = {.settle = 2, .measured = 4};

LaunchStatistics After(uint64_t iterations) {
  LaunchStatistics totals;
  totals.warp_instructions = iterations * kInstructions;
  totals.cycles = totals.warp_instructions * kCyclesEach;
  return totals;
}

// Four warps go round in step, after `earlier` iterations of others, and leave 100 rounds out. The
// first one waits when `first_waits` iterations have been done.
LoopProgress Progress(uint64_t first_waits, uint64_t earlier = 0) {
  LoopProgress progress;
  const uint64_t gap = earlier + kWarps * kWindow.Before(), end = gap + kWarps * kWindow.Behind();
  for (uint64_t done = 0; done <= end; done += kWarps / 2) {
    const bool behind = done > gap;
    progress.marks.push_back({{.iterations = done,
                               .arrived = behind || done == gap ? kWarps : 0,
                               .released = behind ? kWarps : 0},
                              After(done)});
  }
  progress.gaps.push_back({.cycle = After(gap).cycles,
                           .counts = {.iterations = gap, .arrived = kWarps},
                           .first_waits = first_waits,
                           .warps = kWarps,
                           .skipped = 100 * kWarps,
                           .reads = 7});
  progress.simulated = end;
  return progress;
}

// What is known of the launch's end, and how well.
struct Known {
  LaunchStatistics totals, half_widths;
  explicit Known(const LoopProgress& progress) : totals(progress.marks.back().totals) {
    EXPECT_TRUE(LoopExtrapolation(progress, kWindow, kInstructions).AddTo(&totals, &half_widths));
  }
};

TEST(LoopExtrapolation, TheIterationsLeftOutCountWhatThoseBesideThemDo) {
  const LoopProgress progress = Progress(kWarps * kWindow.Before());
  const Known known(progress);
  const LaunchStatistics whole = After(progress.simulated + 100 * kWarps);
  EXPECT_EQ(known.totals.warp_instructions, whole.warp_instructions);
  EXPECT_EQ(known.totals.cycles, whole.cycles);
  EXPECT_EQ(known.totals.dram.reads, 7U) << "counted in the gap";
  EXPECT_EQ(known.half_widths.cycles, After(kWarps / 2).cycles) << "half a round";
}

TEST(LoopExtrapolation, TotalsBeforeAGapStayAsTheyAre) {
  const LoopProgress progress = Progress(kWarps * kWindow.Before());
  LaunchStatistics totals = After(kWarps), half_widths;
  ASSERT_TRUE(LoopExtrapolation(progress, kWindow, kInstructions).AddTo(&totals, &half_widths));
  EXPECT_EQ(totals.cycles, After(kWarps).cycles);
  EXPECT_EQ(half_widths.cycles, 0U);
}

TEST(LoopExtrapolation, TheFurtherWarpsAreApartTheLessIsKnownOfTheCycles) {
  const uint64_t earlier = 40, all = earlier + kWarps * kWindow.Before();
  const uint64_t in_step = Known(Progress(all, earlier)).half_widths.cycles;
  const uint64_t apart = Known(Progress(all - 3 * kWarps, earlier)).half_widths.cycles;
  const uint64_t before_they_began = Known(Progress(earlier / 2, earlier)).half_widths.cycles;
  EXPECT_LT(in_step, apart);
  EXPECT_LT(apart, before_they_began);
}

TEST(LoopExtrapolation, AGapWithoutMarksBehindItTellsNothing) {
  LoopProgress progress = Progress(kWarps * kWindow.Before());
  progress.marks.resize(progress.marks.size() / 2);
  LaunchStatistics totals = After(1000), half_widths;
  EXPECT_FALSE(LoopExtrapolation(progress, kWindow, kInstructions).AddTo(&totals, &half_widths));
}

}  // namespace loop_extrapolation_test
}  // namespace flagstone
