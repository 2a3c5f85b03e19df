// Shared memory that the system reserves, in which cooperative groups of several warps meet.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone::conformance {
namespace reserved_shared_test {

// Of each thread of a TB, what `body` leaves in %r9. A variable of 20 bytes is the kernel's own.
std::vector<uint32_t> Outputs(const std::string& body) {
  KernelRun run = KernelRun::FromText(
      KernelText(".param .u64 out",
                 ".shared .align 4 .b8 own[20];\n"
                 "ld.param.u64 %rd0, [out]; mov.u32 %r0, %tid.x; mul.wide.u32 %rd1, %r0, 4;\n"
                 "add.s64 %rd1, %rd0, %rd1; mov.u32 %r1, own;\n" +
                     body + "st.global.u32 [%rd1], %r9; ret;",
                 ""),
      {1, 1, 1}, {64, 1, 1});
  run.Buffer("out", std::vector<uint32_t>(64)).Run();
  return run.Contents<uint32_t>("out");
}

uint32_t Value(const std::string& special) { return Outputs("mov.u32 %r9, " + special + ";")[0]; }

TEST(ReservedShared, FollowsTheKernelsOwn) {
  EXPECT_EQ(Value("%reserved_smem_offset_begin"), 32U);
  EXPECT_EQ(Value("%reserved_smem_offset_end"), 32U + 1024);
  EXPECT_EQ(Value("%reserved_smem_offset_cap"), 1024U);
  EXPECT_EQ(Value("%reserved_smem_offset_0"), 32U);
  EXPECT_EQ(Value("%reserved_smem_offset_1"), 32U);
}

TEST(ReservedShared, IsNoPartOfTheKernelsOwnSize) {
  EXPECT_EQ(Outputs("mov.u32 %r2, %reserved_smem_offset_1; mov.u32 %r9, %total_smem_size;")[0],
            20U);
}

TEST(ReservedShared, HoldsWhatThreadsOfOtherWarpsHaveWritten) {
  const std::vector<uint32_t> out = Outputs(
      "mov.u32 %r2, %reserved_smem_offset_1; shl.b32 %r3, %r0, 4; add.u32 %r2, %r2, %r3;\n"
      "add.u32 %r4, %r0, 7; st.shared.u32 [%r2], %r4; st.shared.u32 [%r1], %r0; bar.sync 0;\n"
      "mov.u32 %r5, %reserved_smem_offset_1; xor.b32 %r3, %r3, 1008; add.u32 %r5, %r5, %r3;\n"
      "ld.shared.u32 %r9, [%r5];");
  for (uint32_t thread = 0; thread < 64; ++thread) EXPECT_EQ(out[thread], (thread ^ 63U) + 7);
}

}  // namespace reserved_shared_test
}  // namespace flagstone::conformance
