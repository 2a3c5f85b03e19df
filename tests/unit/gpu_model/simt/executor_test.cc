// Steps and commits: what the timing model relies on.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include "gpu_model/simt/handlers/handlers.h"
#include "tests/unit/gpu_model/simt/single_block.h"

namespace {
size_t allocations = 0;
}

// Counts every allocation of this program, for AllocatesNothing below.
[[gnu::noinline]] void* operator new(size_t size) {
  ++allocations;
  if (void* p = std::malloc(size == 0 ? 1 : size)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(size_t size, std::align_val_t alignment) {
  ++allocations;
  const size_t to = static_cast<size_t>(alignment);
  if (void* p = std::aligned_alloc(to, (size + to - 1) / to * to)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, size_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, size_t, std::align_val_t) noexcept { std::free(p); }

namespace flagstone {
namespace executor_test {

uint32_t WordAt(KernelRun& run, const std::string& buffer) {
  return run.Contents<uint32_t>(buffer).at(0);
}

TEST(Commit, MakesStoresVisibleInTheOrderOfTheirSteps) {
  KernelRun run = KernelRun::FromText(
      KernelText(".param .u64 A",
                 "ld.param.u64 %rd1, [A];\nmov.u32 %r1, %warpid;\n"
                 "add.u32 %r1, %r1, 10;\nst.global.u32 [%rd1], %r1;\n"
                 "ld.global.u32 %r2, [%rd1];\nst.global.u32 [%rd1+4], %r2;\nret;"),
      {1, 1, 1}, {64, 1, 1});
  run.Buffer("A", std::vector<uint32_t>{5, 0});
  SingleBlock single(run);
  for (const uint32_t warp : {1U, 0U}) {
    for (int i = 0; i < 4; ++i) single.Step(warp);
  }
  EXPECT_EQ(WordAt(run, "A"), 5U) << "a store took effect before Commit";
  single.Step(0);  // this load reads the same memory as all others of the cycle
  single.executor.Commit();
  EXPECT_EQ(WordAt(run, "A"), 10U) << "warp 0 stored last";
  single.Step(1);
  for (const uint32_t warp : {0U, 1U}) single.Step(warp);
  single.executor.Commit();
  // Warp 1, whose load came after the Commit, stored last.
  EXPECT_EQ(run.Contents<uint32_t>("A").at(1), 10U);
}

// Each lane its 32 bytes, but for lane 5.
TEST(Commit, MakesAllElementsOfAWideStoreVisible) {
  const std::string place =
      "ld.param.u64 %rd1, [A];\nmov.u32 %r1, %laneid;\nmul.wide.u32 %rd2, %r1, 32;\n"
      "add.s64 %rd1, %rd1, %rd2;\nsetp.ne.u32 %p1, %r1, 5;\n";
  for (const char* const store :
       {"mul.lo.u32 %r1, %r1, 8;\nadd.u32 %r2, %r1, 1;\nadd.u32 %r3, %r1, 2;\n"
        "add.u32 %r4, %r1, 3;\nadd.u32 %r5, %r1, 4;\nadd.u32 %r6, %r1, 5;\nadd.u32 %r7, %r1, 6;\n"
        "add.u32 %r8, %r1, 7;\n"
        "@%p1 st.global.v8.u32 [%rd1], {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8};\nret;",
        "mul.wide.u32 %rd3, %r1, 8;\nmul.wide.u32 %rd4, %r1, 8;\nshl.b64 %rd5, %rd3, 32;\n"
        "or.b64 %rd3, %rd3, %rd5;\nadd.s64 %rd3, %rd3, 0x100000000;\n"
        "add.s64 %rd4, %rd3, 0x200000002;\nadd.s64 %rd5, %rd4, 0x200000002;\n"
        "add.s64 %rd6, %rd5, 0x200000002;\n"
        "@%p1 st.global.v4.b64 [%rd1], {%rd3, %rd4, %rd5, %rd6};\nret;"}) {
    KernelRun run = KernelRun::FromText(KernelText(".param .u64 A", place + store));
    run.Buffer("A", std::vector<uint32_t>(256, 7777));
    SingleBlock single(run);
    while (!single.block.exited(0)) single.Step();
    EXPECT_EQ(run.Contents<uint32_t>("A"), std::vector<uint32_t>(256, 7777)) << "before Commit";
    single.executor.Commit();
    const auto got = run.Contents<uint32_t>("A");
    for (uint32_t i = 0; i < 256; ++i) EXPECT_EQ(got[i], i / 8 == 5 ? 7777 : i) << store;
  }
}

TEST(Commit, GivesAnAtomicItsOldValue) {
  KernelRun run = KernelRun::FromText(
      KernelText(".param .u64 A",
                 "ld.param.u64 %rd1, [A];\natom.global.add.u32 %r1, [%rd1], 1;\n"
                 "mov.u32 %r2, %laneid;\nmul.wide.u32 %rd2, %r2, 4;\n"
                 "add.s64 %rd2, %rd1, %rd2;\nst.global.u32 [%rd2+4], %r1;\nret;"));
  run.Buffer("A", std::vector<uint32_t>(33));
  SingleBlock single(run);
  single.Step();
  const StepResult atomic = single.Step();
  EXPECT_EQ(atomic.space, MemorySpace::kGlobal);
  EXPECT_EQ(WordAt(run, "A"), 0U);
  single.executor.Commit();
  EXPECT_EQ(WordAt(run, "A"), 32U);
  while (!single.block.exited(0)) single.Step();
  single.executor.Commit();
  const auto got = run.Contents<uint32_t>("A");
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(got[i + 1], i);
}

TEST(Commit, LeavesSharedMemoryAlone) {
  KernelRun run =
      KernelRun::FromText(KernelText(".param .u64 A",
                                     ".shared .align 4 .b8 tile[4];\nld.param.u64 %rd1, [A];\n"
                                     "st.shared.u32 [tile], 42;\nld.shared.u32 %r1, [tile];\n"
                                     "st.global.u32 [%rd1], %r1;\nret;"));
  run.Buffer("A", std::vector<uint32_t>(1));
  SingleBlock single(run);
  while (!single.block.exited(0)) single.Step();
  single.executor.Commit();
  EXPECT_EQ(WordAt(run, "A"), 42U);
}

TEST(StepResult, TellsSpaceLanesAndAddresses) {
  KernelRun run =
      KernelRun::FromText(KernelText(".param .u64 A",
                                     "ld.param.u64 %rd1, [A];\nmov.u32 %r1, %laneid;\n"
                                     "mul.wide.u32 %rd2, %r1, 8;\nadd.s64 %rd1, %rd1, %rd2;\n"
                                     "setp.lt.u32 %p1, %r1, 3;\n"
                                     "@%p1 ld.global.f32 %f1, [%rd1+4];\nret;"));
  run.Buffer("A", std::vector<uint32_t>(64));
  SingleBlock single(run);
  const StepResult argument = single.Step();
  EXPECT_EQ(argument.space, MemorySpace::kParam);
  ASSERT_NE(argument.addresses, nullptr);
  EXPECT_EQ(argument.addresses->at(31), 0U);
  const StepResult move = single.Step();
  EXPECT_EQ(move.space, MemorySpace::kNone);
  EXPECT_EQ(move.addresses, nullptr);
  for (int i = 0; i < 3; ++i) single.Step();
  const StepResult load = single.Step();
  EXPECT_EQ(load.pc, 5U);
  EXPECT_EQ(load.active, 0xffffffffU);
  EXPECT_EQ(load.executed, 7U);
  EXPECT_EQ(load.in_space, 7U);
  EXPECT_EQ(load.space, MemorySpace::kGlobal);
  const uint64_t a = run.memory().Named("A").address;
  for (uint32_t lane = 0; lane < 3; ++lane) EXPECT_EQ(load.addresses->at(lane), a + 8 * lane + 4);
  EXPECT_TRUE(single.Step().exited);
}

TEST(StepResult, OfAGuardedOffAccessHasNoAddresses) {
  KernelRun run = KernelRun::FromText(
      KernelText("", "setp.eq.u32 %p1, 0, 1;\n@%p1 ld.global.f32 %f1, [%rd1];\nret;"));
  SingleBlock single(run);
  single.Step();
  const StepResult load = single.Step();
  EXPECT_EQ(load.executed, 0U);
  EXPECT_EQ(load.addresses, nullptr);
}

TEST(ThreadBlock, StartsEveryTbWithClearedMemories) {
  // Each TB adds to registers, shared and local memory that it never initialised.
  KernelRun run = KernelRun::FromText(
      KernelText(
          ".param .u64 out",
          ".shared .align 4 .b8 tile[4];\n.local .align 4 .b8 stack[4];\n"
          "ld.param.u64 %rd1, [out];\nmov.u32 %r1, %ctaid.x;\nmul.wide.u32 %rd2, %r1, 4;\n"
          "add.s64 %rd1, %rd1, %rd2;\nadd.u32 %r9, %r9, 1;\nld.shared.u32 %r2, [tile];\n"
          "ld.local.u32 %r3, [stack];\nadd.u32 %r2, %r2, 1;\nadd.u32 %r3, %r3, 1;\n"
          "st.shared.u32 [tile], %r2;\nst.local.u32 [stack], %r3;\n"
          "add.u32 %r4, %r2, %r3;\nadd.u32 %r4, %r4, %r9;\nst.global.u32 [%rd1], %r4;\nret;"),
      {4, 1, 1});
  run.Buffer("out", std::vector<uint32_t>(4)).Run();
  EXPECT_EQ(run.Contents<uint32_t>("out"), std::vector<uint32_t>(4, 3));
}

TEST(Executor, AllocatesNothingOnceItRuns) {
  KernelRun run = KernelRun::FromText(
      KernelText(".param .u64 A",
                 ".shared .align 4 .b8 tile[128];\nld.param.u64 %rd1, [A];\n"
                 "mov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd1, %rd1, %rd2;\n"
                 "mov.u32 %r2, 0;\nmov.u64 %rd3, tile;\nadd.s64 %rd3, %rd3, %rd2;\n"
                 "LOOP: ld.global.u32 %r3, [%rd1];\nst.shared.u32 [%rd3], %r3;\nbar.sync 0;\n"
                 "atom.global.add.u32 %r4, [%rd1], 1;\nst.global.u32 [%rd1], %r4;\n"
                 "add.u32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %r2, %r1;\n@%p1 bra LOOP2;\nret;\n"
                 "LOOP2: bra.uni END;\nEND: ret;"));
  run.Buffer("A", std::vector<uint32_t>(32));
  SingleBlock single(run);
  const auto run_tb = [&](uint64_t tb) {
    single.block.Start(tb);
    while (!single.block.exited(0)) {
      single.Step();
      single.executor.Commit();
    }
  };
  run_tb(0);
  const size_t before = allocations;
  for (int i = 0; i < 10; ++i) run_tb(0);
  EXPECT_EQ(allocations, before);
}

TEST(Executor, ReadsTheClockThatItIsGiven) {
  KernelRun run =
      KernelRun::FromText(KernelText(".param .u64 A",
                                     "ld.param.u64 %rd1, [A];\nmov.u64 %rd2, %clock64;\n"
                                     "mov.u32 %r1, %clock;\nst.global.u64 [%rd1], %rd2;\n"
                                     "st.global.u32 [%rd1+8], %r1;\nret;"));
  run.Buffer("A", std::vector<uint32_t>(4));
  SingleBlock single(run);
  single.executor.SetClock(0x1'2345'6789);
  while (!single.block.exited(0)) single.Step();
  single.executor.Commit();
  EXPECT_EQ(run.Contents<uint32_t>("A"), (std::vector<uint32_t>{0x23456789, 1, 0x23456789, 0}));
}

TEST(RunFunctionally, ShowsEveryStepToItsObserver) {
  KernelRun run =
      KernelRun::FromText(KernelText("", "mov.u32 %r1, 1;\nret;"), {3, 1, 1}, {64, 1, 1});
  std::vector<std::array<uint64_t, 3>> seen;
  run.Run(
      [](void* context, uint64_t tb, uint32_t warp, const StepResult& result) {
        static_cast<std::vector<std::array<uint64_t, 3>>*>(context)->push_back(
            {tb, warp, result.pc});
      },
      &seen);
  std::vector<std::array<uint64_t, 3>> expected;
  for (uint64_t tb = 0; tb < 3; ++tb) {
    for (uint64_t warp = 0; warp < 2; ++warp) {
      for (uint64_t pc = 0; pc < 2; ++pc) expected.push_back({tb, warp, pc});
    }
  }
  EXPECT_EQ(seen, expected);
}

TEST(RunFunctionally, LetsAWarpSpinUntilAnotherActs) {
  // Warp 0, which runs first, waits for a flag that warp 1 sets.
  KernelRun run = KernelRun::FromText(KernelText(".param .u64 A",
                                                 "ld.param.u64 %rd1, [A];\nmov.u32 %r1, %warpid;\n"
                                                 "setp.eq.u32 %p1, %r1, 1;\n@%p1 bra SET;\n"
                                                 "WAIT: ld.volatile.global.u32 %r2, [%rd1];\n"
                                                 "setp.eq.u32 %p2, %r2, 0;\n@%p2 bra WAIT;\nret;\n"
                                                 "SET: st.global.u32 [%rd1], 1;\nret;"),
                                      {1, 1, 1}, {64, 1, 1});
  run.Buffer("A", std::vector<uint32_t>(1)).Run();
  EXPECT_EQ(WordAt(run, "A"), 1U);
}

}  // namespace executor_test
}  // namespace flagstone
