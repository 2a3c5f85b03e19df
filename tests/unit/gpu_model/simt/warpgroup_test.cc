// The rules of wgmma: what may be read when, who must take part, what a descriptor may say.
#include "gpu_model/simt/warpgroup.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gpu_model/simt/launch_failure.h"
#include "tests/unit/gpu_model/simt/warpgroup_kernel.h"

namespace flagstone {
namespace warpgroup_test {

using testing::HasSubstr;

const std::string kProduct = WarpgroupProduct();
const std::string kWhole = kFence + kProduct + kCommit;

std::string FailureOf(const std::string& body, uint32_t threads = 128) {
  return MessageOf(ErrorKind::kRunFailed, [&] { WarpgroupRun(body, threads).Run(); });
}

FailureCause CauseOf(const std::string& body) {
  try {
    WarpgroupRun(body).Run();
  } catch (const LaunchFailure& failure) {
    return failure.cause();
  }
  ADD_FAILURE() << "no failure";
  return FailureCause::kOther;
}

void Runs(const std::string& body, uint32_t threads = 128) {
  EXPECT_NO_THROW(WarpgroupRun(body, threads).Run()) << body;
}

TEST(Warpgroup, SumsAreReadOnceTheirGroupIsWaitedFor) {
  Runs(kWhole + WaitGroup(0) + "add.f32 %f9, %f1, %f2;\n");
  EXPECT_EQ(FailureOf(kWhole + "add.f32 %f9, %f5, %f2;\n"),
            "test.ptx:23: read of %f2, which the wgmma.mma_async of line 21 still uses, before a "
            "wgmma.wait_group for its group, by warp 0 of TB (0,0,0): add.f32 %f9, %f5, %f2");
}

TEST(Warpgroup, WhatIsNotCommittedIsNeverWaitedFor) {
  EXPECT_THAT(FailureOf(kFence + kProduct + WaitGroup(0) + "st.global.f32 [%rd1], %f1;\n"),
              HasSubstr("read of %f1, which the wgmma.mma_async of line 21 still uses, before its "
                        "group is committed and waited for, by warp 0"));
}

TEST(Warpgroup, AWaitLeavesTheLastGroups) {
  const std::string two = kWhole + WarpgroupProduct(5) + kCommit;
  Runs(two + WaitGroup(1) + "mov.f32 %f10, %f1; add.f32 %f9, %f1, %f2;\n");
  EXPECT_THAT(FailureOf(two + WaitGroup(1) + "add.f32 %f9, %f5, %f2;\n"), HasSubstr("read of %f5"));
  EXPECT_THAT(FailureOf(two + WaitGroup(2) + "add.f32 %f9, %f1, %f2;\n"), HasSubstr("read of %f1"));
  Runs(two + WaitGroup(1) + kCommit + WaitGroup(1) + "add.f32 %f9, %f5, %f2;\n");
}

TEST(Warpgroup, ProductsFollowOneAnotherOnTheSameSums) {
  Runs(kWhole + kProduct + kProduct + kCommit + WaitGroup(0) + "add.f32 %f9, %f1, %f2;\n");
}

TEST(Warpgroup, SumsAndFactorsAreNotWrittenMeanwhile) {
  EXPECT_THAT(FailureOf(kWhole + "mov.f32 %f3, 0f00000000;\n"),
              HasSubstr("write of %f3, which the wgmma.mma_async of line 21"));
  const std::string in_registers = kFence + WarpgroupProduct(1, "{%r4, %r5, %r6, %r7}") + kCommit;
  EXPECT_THAT(FailureOf(in_registers + "ld.shared.u32 %r6, [%r3];\n"),
              HasSubstr("write of %r6, which the wgmma.mma_async of line 21"));
  Runs(in_registers + "add.u32 %r9, %r6, 1;\n");  // their values stay
  Runs(in_registers + WaitGroup(0) + "mov.u32 %r6, 1; mov.f32 %f3, 0f00000000;\n");
}

// Compilers put copies between products, each on registers of its own.
TEST(Warpgroup, ACopyOfASumIsASum) {
  std::string copies;
  for (int i = 1; i <= 4; ++i) {
    copies += "mov.f32 %f" + std::to_string(i + 4) + ", %f" + std::to_string(i) + ";\n";
  }
  const std::string twice = kWhole + copies + WarpgroupProduct(5) + kCommit;
  Runs(twice + WaitGroup(0) + "add.f32 %f9, %f5, %f2;\n");
  EXPECT_THAT(FailureOf(twice + WaitGroup(1) + "add.f32 %f9, %f5, %f2;\n"),
              HasSubstr("read of %f5"));
  EXPECT_THAT(FailureOf(kWhole + copies + "add.f32 %f9, %f5, %f5;\n"),
              HasSubstr("read of %f5, which the wgmma.mma_async of line 21"));
}

TEST(Warpgroup, AFactorThatIsASumIsWaitedFor) {
  const std::string first =
      kFence +
      std::string(
          "wgmma.mma_async.sync.aligned.m64n16k16.f16.f16.f16 {%r4, %r5, %r6, %r7}, %rd2, "
          "%rd3, 1, 1, 1, 0, 0;\n") +
      kCommit;
  const std::string second = WarpgroupProduct(1, "{%r4, %r5, %r6, %r7}");
  EXPECT_THAT(FailureOf(first + second), HasSubstr("read of %r4"));
  Runs(first + WaitGroup(0) + kFence + second);
}

TEST(Warpgroup, AWarpThatEndsWithoutTheOthersProductIsNamed) {
  EXPECT_THAT(FailureOf("setp.eq.u32 %p1, %r2, 3;\n@%p1 bra END;\n" + kWhole),
              HasSubstr("test.ptx:23: wgmma that other warps of the warpgroup execute, left out by "
                        "warp 3 of TB (0,0,0): wgmma.mma_async"));
  EXPECT_THAT(FailureOf("setp.eq.u32 %p1, %r2, 0;\n@%p1 bra END;\n" + kWhole),
              HasSubstr("wgmma without warp 0 of the warpgroup, which has ended, by warp 1"));
}

TEST(Warpgroup, AllWarpsComeToTheSameProducts) {
  const std::string either =
      "setp.eq.u32 %p1, %r2, 2;\n@%p1 bra OTHER;\n" + kProduct + "bra END;\nOTHER: " + kProduct;
  EXPECT_THAT(FailureOf(either),
              HasSubstr("test.ptx:24: wgmma where other warps of the warpgroup come to line 22 "
                        "next, by warp 2"));
}

TEST(Warpgroup, AWarpgroupHasFourWholeWarps) {
  EXPECT_THAT(FailureOf(kWhole, 96), HasSubstr("wgmma in a warpgroup of 3 warps, expected 4,"));
  EXPECT_THAT(FailureOf(kWhole, 160), HasSubstr("wgmma in a warpgroup of 1 warps, expected 4, by "
                                                "warp 4"));
  Runs(kWhole, 256);
  EXPECT_THAT(FailureOf(kWhole, 120), HasSubstr("wgmma by some threads of a warp, expected all 32, "
                                                "by warp 3"));
  EXPECT_THAT(FailureOf("setp.eq.u32 %p1, %r1, 40;\n@!%p1 " + kProduct),
              HasSubstr("wgmma by some threads of a warp"));
  EXPECT_THAT(FailureOf(kProduct + "setp.eq.u32 %p1, %r1, 40;\n@!%p1 " + kCommit),
              HasSubstr("wgmma by some threads of a warp, expected all, by warp 1"));
  // A warpgroup of its own leaves it out.
  Runs("setp.lt.u32 %p1, %r2, 4;\n@%p1 bra END;\n" + kWhole, 256);
}

TEST(Warpgroup, TheSumsCountForAllLanesOrForNone) {
  const std::string some = "setp.eq.u32 %p1, %r1, 40;\n" + WarpgroupProduct(1, "%rd2", "%p1");
  EXPECT_THAT(FailureOf(some),
              HasSubstr("scale-d holds in some lanes only, expected all or none,"));
  Runs("setp.eq.u32 %p1, %r2, 0;\n" + WarpgroupProduct(1, "%rd2", "!%p1"));
}

TEST(Warpgroup, ADescriptorIsTheSameInAllLanesAndWarps) {
  EXPECT_THAT(
      FailureOf("cvt.u64.u32 %rd4, %r1; and.b64 %rd4, %rd4, 1; add.u64 %rd2, %rd2, %rd4;\n" +
                kProduct),
      HasSubstr("the descriptor of A is 0x1000080000 in lane 0 and 0x1000080001 in lane 1, "
                "expected one for all lanes,"));
  EXPECT_THAT(FailureOf("cvt.u64.u32 %rd4, %r2; add.u64 %rd3, %rd3, %rd4;\n" + kProduct),
              HasSubstr("descriptors 0x1000080000 and 0x1000080001, which are 0x1000080000 and "
                        "0x1000080000 in other warps of the warpgroup, by warp 1"));
}

TEST(Warpgroup, ADescriptorLeadsIntoSharedMemory) {
  const std::string far = "mov.b64 %rd3, 0x10000800f8;\n" + kProduct;
  EXPECT_THAT(
      FailureOf(far),
      HasSubstr("test.ptx:21: out-of-bounds matrix: the descriptor of B, 0x10000800f8, leads "
                "to shared 0x1000 of 4096 bytes, by warp 0"));
  EXPECT_EQ(CauseOf(far), FailureCause::kAddress);
  EXPECT_THAT(
      FailureOf("mov.b64 %rd2, 0x8000080000;\n" + kProduct),
      HasSubstr("the descriptor of A, 0x8000080000, leads to shared 0x1000 of 4096 bytes, by "
                "warp 1"));
}

TEST(Warpgroup, ADescriptorHasNoOtherBits) {
  for (const char* bits : {"0x4000", "0x8000", "0x40000000", "0x80000000", "0x400000000000",
                           "0x1000000000000", "0x10000000000000", "0x2000000000000000"}) {
    const std::string text = FailureOf(std::string("mov.b64 %rd3, ") + bits + ";\n" + kProduct);
    EXPECT_THAT(text, HasSubstr(std::string("the descriptor of B, ") + bits + ", has bits " + bits +
                                ", which mean nothing, expected 0 there,"));
  }
}

TEST(Warpgroup, SwizzledRowsBeginAtWholeRows) {
  const std::string half = "mov.b64 %rd2, 0x4000001000000001;\n" + kProduct;
  EXPECT_THAT(FailureOf(half), HasSubstr("misaligned matrix: the descriptor of A, "
                                         "0x4000001000000001, starts at 0x10, expected a multiple "
                                         "of 32 where rows are swizzled,"));
  EXPECT_EQ(CauseOf(half), FailureCause::kMisaligned);
}

TEST(Warpgroup, FencesAndWaitsAloneDoNothing) {
  Runs(std::string(kFence) + kCommit + WaitGroup(0) + "fence.proxy.async;\n", 32);
}

}  // namespace warpgroup_test
}  // namespace flagstone
