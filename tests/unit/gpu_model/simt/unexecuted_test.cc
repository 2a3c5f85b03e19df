// Instructions that are timed and not executed: how long they take, and which stop a slice.
#include "gpu_model/simt/unexecuted.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gpu_model/simt/value_slice.h"
#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone {
namespace unexecuted_test {

uint32_t WorkOf(std::string_view text) {
  const auto known = simt::ClassOfUnexecuted(text);
  EXPECT_TRUE(known && known->pipe == Pipe::kTensor && known->is_async) << text;
  return known ? known->tensor_work : 0;
}

TEST(Unexecuted, AWgmmaIsTheMmasOfAWarpsRows) {
  const std::string first = "wgmma.mma_async.sync.aligned.";
  EXPECT_EQ(WorkOf(first + "m64n8k16.f32.f16.f16 {%f1}, %rd1, %rd2, 1, 1, 1, 0, 0"), 16U);
  EXPECT_EQ(WorkOf(first + "m64n256k16.f16.f16.f16 {%r1}, %rd1, %rd2, 1, 1, 1, 0, 0"), 512U);
  EXPECT_EQ(WorkOf(first + "m64n8k8.f32.tf32.tf32 {%f1}, %rd1, %rd2, 1, 1, 1"), 16U);
  EXPECT_EQ(WorkOf(first + "m64n16k32.s32.s8.u8 {%r1}, %rd1, %rd2, 1"), 32U);
  EXPECT_EQ(WorkOf(first + "m64n8k32.f16.e4m3.e5m2 {%r1}, %rd1, %rd2, 1, 1, 1"), 16U);
  EXPECT_EQ(WorkOf("@%p1 " + first + "m64n8k256.s32.b1.b1.and.popc {%r1}, %rd1, %rd2, 1"), 16U);
}

TEST(Unexecuted, AWaitForAllGroupsWaits) {
  EXPECT_TRUE(simt::ClassOfUnexecuted("wgmma.wait_group.sync.aligned 0")->waits_for_async);
  EXPECT_FALSE(simt::ClassOfUnexecuted("wgmma.wait_group.sync.aligned 1")->waits_for_async);
}

TEST(Unexecuted, WhatNoMachineHasAFigureForIsSaidToBeSo) {
  for (const char* text : {"tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1",
                           "multimem.ld_reduce.global.add.f32 %f1, [%rd1]",
                           "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%f1}, %rd1",
                           "st.async.weak.shared::cluster.b32 [%r1], %r2, [%r3]"}) {
    EXPECT_FALSE(simt::ClassOfUnexecuted(text)) << text;
  }
}

std::string Kernel(const std::string& body) {
  std::string text = KernelText(".param .u64 out", "ld.param.u64 %rd1, [out];\n" + body + "ret;");
  const size_t at = text.find("7.0\n.target sm_70");
  return text.replace(at, std::string("7.0\n.target sm_70").size(), "8.0\n.target sm_90a");
}

KernelLaunch SliceOf(KernelRun& run) {
  KernelLaunch launch = run.launch();
  launch.needed_values = FindNeededValues({&launch, 1}, run.memory(), {}).at(0);
  return launch;
}

constexpr char kProduct[] =
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2, %f3, %f4}, %rd3, %rd4, 1, 1, 1, "
    "0, 0;\n";

TEST(Unexecuted, TheWaitHasTheProductAmongItsSources) {
  KernelRun run = KernelRun::FromText(Kernel(
      std::string(kProduct) +
      "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\nst.global.f32 [%rd1], "
      "%f1;\n"));
  run.Buffer("out", std::vector<uint32_t>(32));
  const KernelLaunch slice = SliceOf(run);
  const Program program(slice);
  const InstructionInfo &product = program.info(1), &wait = program.info(3);
  EXPECT_EQ(product.pipe, Pipe::kTensor);
  ASSERT_EQ(product.destination_count, 1);
  ASSERT_EQ(wait.source_count, 1);
  EXPECT_EQ(wait.sources[0], product.destinations[0]);
}

TEST(Unexecuted, AWaitThatStandsBeforeTheProductOfItsLoopWaitsForIt) {
  KernelRun run = KernelRun::FromText(
      Kernel(std::string("mov.u32 %r1, 0;\nLOOP: wgmma.wait_group.sync.aligned 0;\n") + kProduct +
             "add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 4;\n@%p1 bra LOOP;\n"));
  run.Buffer("out", std::vector<uint32_t>(32));
  const KernelLaunch slice = SliceOf(run);
  const Program program(slice);
  ASSERT_EQ(program.info(2).source_count, 1);
  EXPECT_EQ(program.info(2).sources[0], program.info(3).destinations[0]);
}

TEST(Unexecuted, AnAddressThatHangsOnItStopsTheSlice) {
  KernelRun run = KernelRun::FromText(
      Kernel(std::string(kProduct) +
             "cvt.rzi.u32.f32 %r1, %f1;\nmad.wide.u32 %rd1, %r1, 4, %rd1;\nst.global.u32 [%rd1], "
             "%r1;\n"));
  run.Buffer("out", std::vector<uint32_t>(32));
  const KernelLaunch slice = SliceOf(run);
  EXPECT_THAT(MessageOf(ErrorKind::kBadInput, [&] { Program program(slice); }),
              testing::HasSubstr("an address or a branch hangs on what is not executed"));
}

TEST(Unexecuted, AllValuesAreStillRefused) {
  KernelRun run = KernelRun::FromText(Kernel(kProduct));
  run.Buffer("out", std::vector<uint32_t>(32));
  EXPECT_THAT(MessageOf(ErrorKind::kBadInput, [&] { Program program(run.launch()); }),
              testing::HasSubstr("cannot run"));
}

}  // namespace unexecuted_test
}  // namespace flagstone
