// Lanes of one warp that wait for each other end, with the right values; those that cannot are
// named.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "gpu_model/simt/value_slice.h"
#include "tests/unit/gpu_model/simt/single_block.h"

namespace flagstone {
namespace lane_progress_test {

// For sm_70, where lanes make progress by themselves, or an older one, where they do not.
std::string Text(const std::string& body, const std::string& target = "sm_70") {
  std::string text = KernelText(".param .u64 out", "ld.param.u64 %rd1, [out];\n" + body);
  const size_t at = text.find(".target ") + 8;
  return text.replace(at, text.find('\n', at) - at, target);
}

std::vector<uint32_t> ResultOf(const std::string& body, uint32_t warps = 1) {
  KernelRun run = KernelRun::FromText(Text(body), {1, 1, 1}, {32 * warps, 1, 1});
  FunctionalControl control;
  control.max_warp_instructions = 1'000'000;
  run.Buffer("out", std::vector<uint32_t>(64)).Run(nullptr, nullptr, control);
  return run.Contents<uint32_t>("out");
}

// out[0] is the lock, out[1] what it guards.
constexpr char kLock[] =
    "SPIN: atom.global.cas.b32 %r1, [%rd1], 0, 1;\nsetp.ne.s32 %p1, %r1, 0;\n"
    "@%p1 bra SPIN;\n"
    "ld.volatile.global.u32 %r2, [%rd1+4];\nadd.u32 %r2, %r2, 1;\n"
    "st.volatile.global.u32 [%rd1+4], %r2;\nmembar.gl;\n"
    "atom.global.exch.b32 %r3, [%rd1], 0;\nret;";

TEST(LaneProgress, ALockIsTakenLaneByLane) { EXPECT_EQ(ResultOf(kLock, 2)[1], 64U); }

TEST(LaneProgress, ALockOfAnOlderTargetNeverEnds) {
  KernelRun run = KernelRun::FromText(Text(kLock, "sm_60"));
  FunctionalControl control;
  control.max_warp_instructions = 100'000;
  run.Buffer("out", std::vector<uint32_t>(64));
  EXPECT_THAT(MessageOf(ErrorKind::kRunFailed, [&] { run.Run(nullptr, nullptr, control); }),
              testing::HasSubstr("limit of 100000 warp instructions"));
}

TEST(LaneProgress, TicketsAreServedInTheirOrder) {
  // out[0] deals tickets, out[1] says which one is served, out[2 + i] who was the i-th.
  const auto got = ResultOf(
      "atom.global.add.u32 %r1, [%rd1], 1;\n"
      "SPIN: ld.volatile.global.u32 %r2, [%rd1+4];\nsetp.eq.u32 %p1, %r1, %r2;\n"
      "@%p1 bra GO;\nbra SPIN;\n"
      "GO: mul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd2, %rd1, %rd2;\nmov.u32 %r3, %tid.x;\n"
      "st.global.u32 [%rd2+8], %r3;\nadd.u32 %r2, %r2, 1;\n"
      "st.volatile.global.u32 [%rd1+4], %r2;\nret;");
  EXPECT_EQ(got[1], 32U);
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(got[2 + i], i);
}

TEST(LaneProgress, ALaneOnTheOtherSideOfABranchRaisesTheFlag) {
  // Lanes but one wait for the flag out[0] and take out[1]. The side that waits is first.
  const auto got = ResultOf(
      "mov.u32 %r1, %tid.x;\nsetp.eq.u32 %p1, %r1, 5;\n@%p1 bra RAISE;\n"
      "SPIN: atom.global.or.b32 %r2, [%rd1], 0;\nsetp.eq.u32 %p2, %r2, 0;\n@%p2 bra SPIN;\n"
      "ld.volatile.global.u32 %r3, [%rd1+4];\nmul.wide.u32 %rd2, %r1, 4;\n"
      "add.s64 %rd2, %rd1, %rd2;\nst.global.u32 [%rd2+64], %r3;\nret;\n"
      "RAISE: st.volatile.global.u32 [%rd1+4], 77;\nst.volatile.global.u32 [%rd1], 1;\nret;");
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(got[16 + i], i == 5 ? 0U : 77U) << i;
}

TEST(LaneProgress, LanesPastTheMeetingPointGoOnWithoutTheOneThatSpins) {
  // Lane 0 waits for a flag that the others raise after the point where the paths meet.
  const auto got = ResultOf(
      "mov.u32 %r1, %tid.x;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra MEET;\n"
      "SPIN: ld.volatile.global.u32 %r2, [%rd1];\nsetp.ne.u32 %p2, %r2, 31;\n@%p2 bra SPIN;\n"
      "MEET: red.global.add.u32 [%rd1], 1;\nret;");
  EXPECT_EQ(got[0], 32U);
}

TEST(LaneProgress, NestedWaitsEnd) {
  // Lane i waits for the count i, one in a loop of its own in a branch of its own of a tree.
  std::string body = "mov.u32 %r1, %tid.x;\n";
  for (uint32_t lane = 31; lane > 0; --lane) {
    body += fmt::format(
        "setp.ne.u32 %p1, %r1, {0};\n@%p1 bra NEXT{0};\n"
        "SPIN{0}: ld.volatile.global.u32 %r2, [%rd1];\nsetp.ne.u32 %p2, %r2, {0};\n"
        "@%p2 bra SPIN{0};\nNEXT{0}:\n",
        lane);
  }
  EXPECT_EQ(ResultOf(body + "red.global.add.u32 [%rd1], 1;\nret;")[0], 32U);
}

// Lanes 0 to 15 leave 1 and the others 2 where the other half reads it, after `meet`.
std::string Swap(const std::string& meet_low, const std::string& meet_high) {
  return ".shared .align 4 .b8 tile[256];\nmov.u32 %r1, %tid.x;\nmov.u32 %r6, tile;\n"
         "mad.lo.u32 %r2, %r1, 4, %r6;\nxor.b32 %r3, %r1, 16;\nmad.lo.u32 %r3, %r3, 4, %r6;\n"
         "setp.lt.u32 %p1, %r1, 16;\n@%p1 bra LOW;\n"
         "st.shared.u32 [%r2], 2;\n" +
         meet_high + "ld.shared.u32 %r4, [%r3];\nbra DONE;\nLOW: st.shared.u32 [%r2], 1;\n" +
         meet_low +
         "ld.shared.u32 %r4, [%r3];\n"
         "DONE: mul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd2, %rd1, %rd2;\n"
         "st.global.u32 [%rd2], %r4;\nret;";
}

void ExpectSwapped(const std::vector<uint32_t>& got) {
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(got[i], i < 16 ? 2U : 1U) << i;
}

TEST(LaneProgress, AWarpSyncWaitsForTheLanesOfItsMaskOnAnotherPath) {
  ExpectSwapped(ResultOf(Swap("bar.warp.sync -1;\n", "bar.warp.sync -1;\n")));
}

TEST(LaneProgress, AWarpSyncWaitsForNobodyElse) {
  const auto got = ResultOf(Swap("bar.warp.sync 0xffff;\n", "bar.warp.sync 0xffff0000;\n"));
  for (uint32_t i = 16; i < 32; ++i) EXPECT_EQ(got[i], 0U) << "the high half runs first";
  for (uint32_t i = 0; i < 16; ++i) EXPECT_EQ(got[i], 2U);
}

TEST(LaneProgress, BarriersThatAreNotAlignedAreMetOnTwoPaths) {
  ExpectSwapped(ResultOf(Swap("barrier.sync 3;\n", "barrier.sync 3;\n")));
}

TEST(LaneProgress, ABarrierThatIsNotAlignedIsMetWhereThePathsMeet) {
  // The high half has two rounds; the low half stands before the second one, and comes to the
  // first.
  const auto got = ResultOf(
      "mov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1, %r1, 16;\n@%p1 bra MEET;\nbarrier.sync 3;\n"
      "MEET: barrier.sync 3;\nred.global.add.u32 [%rd1], 1;\nret;");
  EXPECT_EQ(got[0], 32U);
}

TEST(LaneProgress, ASliceHasTheSameTurns) {
  // Nobody needs what the shuffle gives, and yet the halves wait for each other.
  const std::string text = Text(
      "mov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1, %r1, 16;\nsetp.eq.u32 %p2, %r1, 99;\n"
      "@%p1 bra MEET;\n@%p2 ret;\nMEET: shfl.sync.bfly.b32 %r3, %r1, 16, 31, -1;\n"
      "st.global.u32 [%rd1], %r3;\nret;");
  KernelRun full = KernelRun::FromText(text), sliced = KernelRun::FromText(text);
  const auto turns = [](KernelRun& run, bool slice) {
    run.Buffer("out", std::vector<uint32_t>(64));
    KernelLaunch launch = run.launch();
    if (slice) launch.needed_values = FindNeededValues({&launch, 1}, run.memory(), {}).at(0);
    const Program program(launch);
    ThreadBlock block(program);
    Executor executor(program, &run.memory(), 0, 1);
    block.Start(0);
    std::vector<std::pair<uint32_t, LaneMask>> trace;
    while (!block.exited(0)) {
      const StepResult result = executor.Step(&block, 0);
      trace.emplace_back(result.pc, result.active);
    }
    return trace;
  };
  EXPECT_EQ(turns(full, false), turns(sliced, true));
}

TEST(LaneProgress, BarriersThatAreNotAlignedCountTheWarpOnce) {
  const std::string body = Swap("barrier.sync 3;\n", "barrier.sync 3;\n");
  KernelRun run = KernelRun::FromText(Text(body), {1, 1, 1}, {64, 1, 1});
  run.Buffer("out", std::vector<uint32_t>(64));
  SingleBlock single(run);
  while (!single.block.at_barrier(0)) single.Step(0);
  while (!single.block.at_barrier(1) && !single.block.exited(1)) {
    EXPECT_TRUE(single.block.at_barrier(0));
    if (single.Step(1).barrier_released) break;
  }
  EXPECT_FALSE(single.block.at_barrier(0));
}

TEST(LaneProgress, AnAlignedBarrierOnTwoPathsIsStillDivergent) {
  KernelRun run = KernelRun::FromText(Text(Swap("bar.sync 3;\n", "bar.sync 3;\n")));
  run.Buffer("out", std::vector<uint32_t>(64));
  EXPECT_THAT(MessageOf(ErrorKind::kRunFailed, [&] { run.Run(); }),
              testing::HasSubstr("divergent barrier"));
}

TEST(LaneProgress, AShuffleWaitsForLanesThatComeByAnotherPath) {
  // The high half takes a way round through a block that only an exit keeps apart.
  const auto got = ResultOf(
      "mov.u32 %r1, %tid.x;\nadd.u32 %r2, %r1, 100;\nsetp.lt.u32 %p1, %r1, 16;\n"
      "setp.eq.u32 %p2, %r1, 99;\n@%p1 bra MEET;\n@%p2 ret;\n"
      "MEET: shfl.sync.bfly.b32 %r3, %r2, 16, 31, -1;\n"
      "mul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd2, %rd1, %rd2;\nst.global.u32 [%rd2], %r3;\nret;");
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(got[i], 100 + (i ^ 16)) << i;
}

TEST(LaneProgress, AShuffleWithLanesThatNeverComeGoesOnWithoutThem) {
  // The high half waits for all at a warp's synchronization, which the low half comes to later.
  const auto got = ResultOf(
      "mov.u32 %r1, %tid.x;\nadd.u32 %r2, %r1, 100;\nsetp.ge.u32 %p1, %r1, 16;\n"
      "@%p1 bra SYNC;\nshfl.sync.bfly.b32 %r3, %r2, 16, 31, -1;\n"
      "SYNC: bar.warp.sync -1;\n"
      "mul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd2, %rd1, %rd2;\nst.global.u32 [%rd2], %r3;\nret;");
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(got[i], 0U) << i;
}

TEST(LaneProgress, LanesThatWaitForEachOtherInAKnotAreNamed) {
  KernelRun run =
      KernelRun::FromText(Text(Swap("bar.warp.sync -1;\n", "bar.warp.sync 0xff00ff00;\n")));
  run.Buffer("out", std::vector<uint32_t>(64));
  EXPECT_EQ(MessageOf(ErrorKind::kRunFailed, [&] { run.Run(); }),
            "test.ptx:27: deadlock: endless wait for lanes 0xffff0000 by warp 0 of TB (0,0,0): "
            "bar.warp.sync -1");
}

TEST(LaneProgress, ACountedLoopThatReadsAFlagIsLeftAlone) {
  // It ends by itself: no lane is sent ahead of it.
  KernelRun run = KernelRun::FromText(
      Text("mov.u32 %r1, %tid.x;\nmov.u32 %r4, 0;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra MEET;\n"
           "LOOP: ld.volatile.global.u32 %r2, [%rd1];\nsetp.ne.u32 %p2, %r2, 0;\n@%p2 bra MEET;\n"
           "add.u32 %r4, %r4, 1;\nsetp.lt.u32 %p2, %r4, 1000;\n@%p2 bra LOOP;\n"
           "MEET: red.global.add.u32 [%rd1], 1;\nret;"));
  run.Buffer("out", std::vector<uint32_t>(64));
  for (const auto& [pc, active] : Trace(run)) {
    if (pc >= 11) {
      EXPECT_EQ(active, simt::kAllLanes) << pc;
    }
  }
}

}  // namespace lane_progress_test
}  // namespace flagstone
