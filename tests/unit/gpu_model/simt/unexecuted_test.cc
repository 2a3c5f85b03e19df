// Instructions that are timed and not executed: how long they take, and which stop a slice.
#include "gpu_model/simt/unexecuted.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gpu_model/simt/value_slice.h"
#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone {
namespace unexecuted_test {

TEST(Unexecuted, WhatNoMachineHasAFigureForIsSaidToBeSo) {
  for (const char* text : {"tcgen05.mma.cta_group::2.kind::f16 [%r1], %rd1, %rd2, %r2, %p1",
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

constexpr char kMinimum[] = "vmin2.u32.u32.u32 %r1, %r2, %r3, %r2;\n";

TEST(Unexecuted, ItHoldsItsResultsForAsLongAsItsPipeTakes) {
  KernelRun run =
      KernelRun::FromText(Kernel(std::string(kMinimum) + "st.global.u32 [%rd1], %r1;\n"));
  run.Buffer("out", std::vector<uint32_t>(32));
  const KernelLaunch slice = SliceOf(run);
  const Program program(slice);
  const InstructionInfo& info = program.info(1);
  EXPECT_EQ(info.pipe, Pipe::kIntAdd);
  EXPECT_EQ(info.destination_count, 1);
}

TEST(Unexecuted, AnAddressThatHangsOnItStopsTheSlice) {
  KernelRun run = KernelRun::FromText(
      Kernel(std::string(kMinimum) + "mad.wide.u32 %rd1, %r1, 4, %rd1;\nst.global.u32 [%rd1], "
                                     "%r1;\n"));
  run.Buffer("out", std::vector<uint32_t>(32));
  const KernelLaunch slice = SliceOf(run);
  EXPECT_THAT(MessageOf(ErrorKind::kBadInput, [&] { Program program(slice); }),
              testing::HasSubstr("an address or a branch hangs on what is not executed"));
}

TEST(Unexecuted, AllValuesAreStillRefused) {
  KernelRun run = KernelRun::FromText(Kernel(kMinimum));
  run.Buffer("out", std::vector<uint32_t>(32));
  EXPECT_THAT(MessageOf(ErrorKind::kBadInput, [&] { Program program(run.launch()); }),
              testing::HasSubstr("cannot run"));
}

}  // namespace unexecuted_test
}  // namespace flagstone
