// mbarrier, the bulk copies that complete on one, and cp.async.mbarrier.arrive (PTX ISA, sections
// 9.7.9.25 and 9.7.13.15).
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/conformance/coverage.h"
#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone::conformance {
namespace mbarrier_test {

using ptx::Opcode;

constexpr const char* kShared =
    ".shared .align 8 .b64 bar[2];\n.shared .align 16 .b8 tile[4096];\n";

KernelRun Kernel(const std::string& body, Dim3 block = {64, 1, 1}) {
  KernelRun run = KernelRun::FromText(
      KernelText(".param .u64 in, .param .u64 out",
                 std::string(kShared) +
                     "ld.param.u64 %rd0, [in]; ld.param.u64 %rd1, [out]; mov.u32 %r0, %tid.x;\n"
                     "mul.wide.u32 %rd2, %r0, 8; add.s64 %rd3, %rd1, %rd2; setp.eq.u32 %p0, %r0, "
                     "0; mov.u32 %r9, bar;\n" +
                     body + "\nret;"),
      {1, 1, 1}, block);
  CoverOpcodes(*run.launch().kernel, {Opcode::kMbarrier, Opcode::kCpAsync});
  return run;
}

// Words 0 to 63 of `out` are for the threads, two 32-bit words each.
std::vector<uint32_t> Outputs(const std::string& body, Dim3 block = {64, 1, 1}) {
  KernelRun run = Kernel(body, block);
  std::vector<uint32_t> in(2048);
  for (uint32_t i = 0; i < in.size(); ++i) in[i] = 1000 + i;
  run.Buffer("in", in).Buffer("out", std::vector<uint32_t>(2048)).Run();
  return run.Contents<uint32_t>("out");
}

// Both warps wait for all 64 threads: what each stored before it arrived is there for all.
TEST(Mbarrier, HoldsThreadsBackUntilAllHaveArrived) {
  for (const std::string wait :
       {"mbarrier.test_wait.shared.b64 %p1, [%r9], %rd9;",
        "mbarrier.try_wait.shared::cta.b64 %p1, [%r9], %rd9, 1000;",
        "mbarrier.test_wait.parity.shared.b64 %p1, [%r9], 0;",
        "mbarrier.try_wait.parity.acquire.cta.shared.b64 %p1, [bar], 0;"}) {
    const std::vector<uint32_t> out = Outputs(
        "@%p0 mbarrier.init.shared.b64 [%r9], 64;\nbar.sync 0;\n"
        "shl.b32 %r1, %r0, 2; mov.u32 %r2, tile; add.u32 %r1, %r1, %r2;\n"
        "add.u32 %r3, %r0, 100; st.shared.u32 [%r1], %r3;\n"
        "mbarrier.arrive.release.cta.shared::cta.b64 %rd9, [%r9];\n"
        "WAIT: " +
        wait +
        "\n@!%p1 bra WAIT;\n"
        "sub.u32 %r4, 63, %r0; shl.b32 %r4, %r4, 2; add.u32 %r4, %r4, %r2;\n"
        "ld.shared.u32 %r5, [%r4]; mbarrier.pending_count.b64 %r6, %rd9;\n"
        "st.global.v2.u32 [%rd3], {%r5, %r6};");
    for (uint32_t thread = 0; thread < 64; ++thread) {
      EXPECT_EQ(out[2 * thread], 100 + 63 - thread) << wait;
      // The state is the barrier's before the arrival; a warp's lanes arrive in ascending order.
      EXPECT_EQ(out[2 * thread + 1], out[thread / 32 * 64 + 1] - thread % 32) << wait;
    }
    EXPECT_EQ(out[1] + out[65], 64U + 32U) << wait;  // one warp after the other
  }
}

// A phase ends once its threads and bytes have come, and the next one counts anew.
TEST(Mbarrier, CountsThreadsAndBytesOfEachPhase) {
  const std::string look =
      "mbarrier.test_wait.parity.shared.b64 %p1, [%r9], 0; selp.u32 %r5, 1, 0, %p1;\n"
      "mbarrier.test_wait.parity.shared.b64 %p2, [%r9], 1; selp.u32 %r6, 1, 0, %p2;\n"
      "st.global.v2.u32 [%rd1], {%r5, %r6}; add.s64 %rd1, %rd1, 8;\n";
  const std::vector<uint32_t> out = Outputs(
      "mbarrier.init.shared.b64 [%r9], 2;\n" + look +        // 0: phase 0
          "mbarrier.arrive.shared.b64 _, [%r9];\n" + look +  // 1: one has come
          "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%r9], 48;\n"
          "mbarrier.arrive.shared.b64 %rd9, [%r9], 1;\n" +
          look +                                                                    // 2: bytes lack
          "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%r9], 16;\n" + look +  // 3
          "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%r9], 32;\n" + look +  // 4: over
          "mbarrier.arrive_drop.shared.b64 _, [%r9];\n" + look +                    // 5: phase 1
          "mbarrier.arrive.noComplete.shared.b64 %rd9, [%r9], 1;\n" + look +        // 6: over
          "mbarrier.arrive.expect_tx.shared.b64 _, [%r9], 16;\n" + look +           // 7: one thread
          "mbarrier.complete_tx.shared.b64 [%r9], 16;\n" + look +                   // 8: over
          "mbarrier.inval.shared.b64 [%r9]; ld.shared.u64 %rd8, [%r9];\n"
          "st.global.u64 [%rd1], %rd8;",
      {1, 1, 1});
  // The phase with parity 0 is over while that with parity 1 runs.
  const uint32_t over[] = {0, 0, 0, 0, 1, 1, 0, 0, 1};
  for (size_t i = 0; i < std::size(over); ++i) {
    EXPECT_EQ(out[2 * i], over[i]) << i;
    EXPECT_EQ(out[2 * i + 1], 1 - over[i]) << i;
  }
  EXPECT_EQ(out[18], 0U);
}

// A thread that drops out brings its bytes, and is not waited for in the next phase.
TEST(Mbarrier, TakesBytesFromAThreadThatDropsOut) {
  const std::string look =
      "mbarrier.test_wait.parity.shared.b64 %p1, [%r9], 0; selp.u32 %r5, 1, 0, %p1;\n"
      "st.global.u32 [%rd1], %r5; add.s64 %rd1, %rd1, 4;\n";
  const std::vector<uint32_t> out = Outputs(
      "mbarrier.init.shared.b64 [%r9], 2;\n"
      "mbarrier.arrive_drop.expect_tx.shared.b64 _, [%r9], 16;\n" +
          look + "mbarrier.complete_tx.shared.b64 [%r9], 16;\n" + look +
          "mbarrier.arrive.shared.b64 _, [%r9];\n" + look +
          "mbarrier.arrive.shared.b64 _, [%r9];\n" + look,
      {1, 1, 1});
  EXPECT_EQ(std::vector<uint32_t>(out.begin(), out.begin() + 4),
            (std::vector<uint32_t>{0, 0, 1, 0}));
}

// More bytes than one issue takes, from an address in the middle of a sector.
TEST(BulkCopy, BringsBytesToSharedMemoryAndTellsTheBarrier) {
  for (const uint32_t bytes : {16U, 48U, 1024U, 2064U}) {
    const std::string size = std::to_string(bytes);
    const std::vector<uint32_t> out = Outputs(
        "@!%p0 bra READY;\nmbarrier.init.shared.b64 [%r9], 1;\n"
        "fence.mbarrier_init.release.cluster; fence.proxy.async.shared::cta;\n"
        "mbarrier.arrive.expect_tx.shared.b64 _, [%r9], " +
        size +
        ";\n"
        "mov.u32 %r2, tile; mov.u32 %r3, " +
        size +
        ";\n"
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2+32], [%rd0+16], "
        "%r3, [%r9];\nREADY: bar.sync 0;\n"
        "WAIT: mbarrier.try_wait.parity.shared.b64 %p1, [%r9], 0;\n@!%p1 bra WAIT;\n"
        "mov.u32 %r4, %r0;\nMORE: shl.b32 %r5, %r4, 2; mov.u32 %r2, tile; add.u32 %r6, %r5, %r2;\n"
        "ld.shared.u32 %r7, [%r6]; cvt.u64.u32 %rd4, %r5; add.s64 %rd4, %rd1, %rd4;\n"
        "st.global.u32 [%rd4], %r7; add.u32 %r4, %r4, 64; setp.lt.u32 %p2, %r4, 600;\n"
        "@%p2 bra MORE;");
    for (uint32_t i = 0; i < 600; ++i) {
      const bool copied = i >= 8 && i < 8 + bytes / 4;
      ASSERT_EQ(out[i], copied ? 1000 + 4 + i - 8 : 0U) << bytes << " " << i;
    }
  }
}

TEST(BulkCopy, GoesFromSharedToSharedMemory) {
  const std::vector<uint32_t> out = Outputs(
      "shl.b32 %r5, %r0, 2; mov.u32 %r2, tile; add.u32 %r6, %r5, %r2; add.u32 %r7, %r0, 500;\n"
      "st.shared.u32 [%r6], %r7; @%p0 mbarrier.init.shared.b64 [%r9], 1;\nbar.sync 0;\n"
      "@!%p0 bra READY;\nmbarrier.arrive.expect_tx.shared.b64 _, [%r9], 256;\n"
      "mov.u32 %r3, 256; cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes "
      "[%r2+512], [%r2], %r3, [%r9];\nREADY: bar.sync 0;\n"
      "WAIT: mbarrier.try_wait.parity.shared.b64 %p1, [%r9], 0;\n@!%p1 bra WAIT;\n"
      "ld.shared.u32 %r8, [%r6+512]; st.global.u32 [%rd3], %r8;");
  for (uint32_t thread = 0; thread < 64; ++thread) EXPECT_EQ(out[2 * thread], 500 + thread);
}

TEST(BulkCopy, TakesBytesToGlobalMemoryInGroups) {
  const std::vector<uint32_t> out = Outputs(
      "mov.u32 %r4, %r0;\nMORE: shl.b32 %r5, %r4, 2; mov.u32 %r2, tile; add.u32 %r6, %r5, %r2;\n"
      "st.shared.u32 [%r6], %r4; add.u32 %r4, %r4, 64; setp.lt.u32 %p2, %r4, 1024;\n"
      "@%p2 bra MORE;\nfence.proxy.async.shared::cta; bar.sync 0;\n"
      "@%p0 cp.async.bulk.global.shared::cta.bulk_group [%rd1+16], [tile+32], 2096;\n"
      "cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0;");
  for (uint32_t i = 0; i < 600; ++i) {
    const bool copied = i >= 4 && i < 4 + 2096 / 4;
    ASSERT_EQ(out[i], copied ? 8 + i - 4 : 0U) << i;
  }
}

TEST(BulkCopy, FailsOutsideOfMemoryAndOffItsUnit) {
  const auto message = [](const std::string& operands) {
    return MessageOf(ErrorKind::kRunFailed, [&] {
      Outputs("@%p0 cp.async.bulk.global.shared::cta.bulk_group " + operands + ";");
    });
  };
  EXPECT_NE(message("[%rd1], [tile], 24").find("expected multiples of 16"), std::string::npos);
  EXPECT_NE(message("[%rd1+8192], [tile], 16").find("out-of-bounds bulk copy"), std::string::npos);
  EXPECT_NE(message("[%rd1], [tile], 8192").find("out-of-bounds bulk copy"), std::string::npos);
}

// Without .noinc an arrival is one more that the barrier waits for, and comes at once.
TEST(AsynchronousCopy, ArrivesAtABarrier) {
  const auto over = [](const std::string& noinc) {
    return Outputs(
        "mbarrier.init.shared.b64 [%r9], 1;\n"
        "cp.async.mbarrier.arrive" +
            noinc +
            ".shared.b64 [%r9];\n"
            "mbarrier.test_wait.parity.shared.b64 %p1, [%r9], 0; selp.u32 %r5, 1, 0, %p1;\n"
            "st.global.u32 [%rd1], %r5;",
        {1, 1, 1})[0];
  };
  EXPECT_EQ(over(""), 0U);
  EXPECT_EQ(over(".noinc"), 1U);
}

}  // namespace mbarrier_test
}  // namespace flagstone::conformance
