// What the special registers tell each thread, and where the executor keeps registers.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/gpu_model/simt/single_block.h"

namespace flagstone {
namespace special_registers_test {

using Words = std::vector<uint32_t>;

// The value of one register for each thread of a launch, thread by thread and TB by TB.
Words ValuesOf(const std::string& special, Dim3 grid, Dim3 block) {
  KernelRun run = KernelRun::FromText(
      KernelText(".param .u64 out",
                 "ld.param.u64 %rd1, [out];\nmov.u32 %r1, %nctaid.x;\nmov.u32 %r2, %nctaid.y;\n"
                 "mov.u32 %r3, %ctaid.z;\nmov.u32 %r4, %ctaid.y;\nmov.u32 %r5, %ctaid.x;\n"
                 "mad.lo.u32 %r3, %r3, %r2, %r4;\nmad.lo.u32 %r3, %r3, %r1, %r5;\n"
                 "mov.u32 %r1, %ntid.x;\nmov.u32 %r2, %ntid.y;\nmov.u32 %r6, %ntid.z;\n"
                 "mad.lo.u32 %r3, %r3, %r6, 0;\nmov.u32 %r4, %tid.z;\nadd.u32 %r3, %r3, %r4;\n"
                 "mov.u32 %r4, %tid.y;\nmov.u32 %r5, %tid.x;\nmad.lo.u32 %r3, %r3, %r2, %r4;\n"
                 "mad.lo.u32 %r3, %r3, %r1, %r5;\nmul.wide.u32 %rd2, %r3, 4;\n"
                 "add.s64 %rd1, %rd1, %rd2;\nmov.u32 %r9, " +
                     special + ";\nst.global.u32 [%rd1], %r9;\nret;"),
      grid, block);
  run.Buffer("out", Words(grid.Count() * block.Count(), 12345)).Run();
  return run.Contents<uint32_t>("out");
}

// Calls expect(place of the value, thread, TB) for each thread.
template <class Expect>
void ForThreads(Dim3 grid, Dim3 block, Expect expect) {
  size_t at = 0;
  for (uint64_t tb = 0; tb < grid.Count(); ++tb) {
    for (uint64_t thread = 0; thread < block.Count(); ++thread) {
      expect(at++, TbCoordinates(thread, block), TbCoordinates(tb, grid));
    }
  }
}

TEST(SpecialRegisters, TellEachThreadItsPlaceInTheBlockAndItsTbsInTheGrid) {
  constexpr Dim3 kGrid = {2, 3, 4}, kBlock = {5, 3, 4};
  const auto check = [&](const std::string& special, auto value) {
    const Words got = ValuesOf(special, kGrid, kBlock);
    ForThreads(kGrid, kBlock, [&](size_t at, const Dim3& thread, const Dim3& tb) {
      ASSERT_EQ(got[at], value(thread, tb)) << special << " " << at;
    });
  };
  check("%tid.x", [](Dim3 thread, Dim3) { return thread.x; });
  check("%tid.y", [](Dim3 thread, Dim3) { return thread.y; });
  check("%tid.z", [](Dim3 thread, Dim3) { return thread.z; });
  check("%ctaid.x", [](Dim3, Dim3 tb) { return tb.x; });
  check("%ctaid.y", [](Dim3, Dim3 tb) { return tb.y; });
  check("%ctaid.z", [](Dim3, Dim3 tb) { return tb.z; });
  check("%ntid.x", [](Dim3, Dim3) { return 5U; });
  check("%ntid.y", [](Dim3, Dim3) { return 3U; });
  check("%ntid.z", [](Dim3, Dim3) { return 4U; });
  check("%nctaid.x", [](Dim3, Dim3) { return 2U; });
  check("%nctaid.y", [](Dim3, Dim3) { return 3U; });
  check("%nctaid.z", [](Dim3, Dim3) { return 4U; });
  check("%nwarpid", [](Dim3, Dim3) { return 2U; });
  check("%gridid", [](Dim3, Dim3) { return 0U; });
  const auto number = [](Dim3 thread) { return (thread.z * 3 + thread.y) * 5 + thread.x; };
  check("%warpid", [&](Dim3 thread, Dim3) { return number(thread) / 32; });
  check("%laneid", [&](Dim3 thread, Dim3) { return number(thread) % 32; });
}

TEST(SpecialRegisters, AreTheMasksOfTheLanesBelowAndAbove) {
  const auto check = [](const std::string& special, auto mask) {
    const Words got = ValuesOf(special, {1, 1, 1}, {32, 1, 1});
    for (uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(got[lane], mask(lane)) << special << lane;
  };
  check("%lanemask_eq", [](uint32_t lane) { return 1U << lane; });
  check("%lanemask_lt", [](uint32_t lane) { return (1U << lane) - 1; });
  check("%lanemask_le", [](uint32_t lane) { return (2U << lane) - 1; });
  check("%lanemask_gt", [](uint32_t lane) { return ~((2U << lane) - 1); });
  check("%lanemask_ge", [](uint32_t lane) { return ~((1U << lane) - 1); });
}

// Each alone: nothing else in the kernel asks for the clock.
TEST(SpecialRegisters, ReadTheClockThatTheExecutorWasGiven) {
  for (const char* const special : {"u32 %r1, %clock", "u64 %rd2, %clock64",
                                    "u32 %r1, %globaltimer_lo", "u64 %rd2, %globaltimer"}) {
    const std::string wide = special[1] == '6' ? "" : "cvt.u64.u32 %rd2, %r1;\n";
    KernelRun run = KernelRun::FromText(
        KernelText(".param .u64 out", fmt::format("ld.param.u64 %rd1, [out];\nmov.{};\n", special) +
                                          wide + "st.global.u64 [%rd1], %rd2;\nret;"));
    run.Buffer("out", std::vector<uint64_t>(1));
    SingleBlock single(run);
    single.executor.SetClock(0x2'0000'0007);
    while (!single.block.exited(0)) single.Step();
    single.executor.Commit();
    EXPECT_EQ(run.Contents<uint64_t>("out")[0], wide.empty() ? 0x2'0000'0007U : 7U) << special;
  }
}

// `count` predicates that hold or not by their number, a comparison by set, which needs one more
// and holds, and a number that is there before and stored behind.
Words WithPredicates(uint32_t count) {
  std::string text =
      ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 out) {\n"
      ".reg .b64 %rd<2>; .reg .b32 %r<5>;\n";
  text += fmt::format(".reg .pred %p<{}>;\n", count);
  text += "ld.param.u64 %rd1, [out]; mov.u32 %r1, 77; mov.u32 %r2, 0;\n";
  for (uint32_t i = 0; i < count; ++i) text += fmt::format("setp.eq.u32 %p{}, {}, 1;\n", i, i % 2);
  text += "set.eq.u32.u32 %r3, %r2, 0;\n";
  for (uint32_t i = 0; i < count; ++i) text += fmt::format("@%p{} add.u32 %r2, %r2, 1;\n", i);
  text += "st.global.v4.u32 [%rd1], {%r1, %r2, %r3, %r1}; ret; }";
  KernelRun run = KernelRun::FromText(text, {1, 1, 1}, {1, 1, 1});
  run.Buffer("out", Words(4)).Run();
  return run.Contents<uint32_t>("out");
}

TEST(Registers, KeepManyPredicatesApartFromEachOtherAndFromNumbers) {
  for (const uint32_t count : {1U, 2U, 15U, 16U, 17U, 31U, 32U, 33U, 60U}) {
    EXPECT_EQ(WithPredicates(count), (Words{77, count / 2, 0xffffffff, 77})) << count;
  }
}

}  // namespace special_registers_test
}  // namespace flagstone
