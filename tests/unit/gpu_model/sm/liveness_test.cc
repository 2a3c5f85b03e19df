// Registers per thread, estimated by what is live.
#include <gtest/gtest.h>

#include <string>

#include "gpu_model/sm/occupancy.h"
#include "kernels/ptx/parser.h"

namespace flagstone {
namespace liveness_test {

uint32_t Estimate(const std::string& code) {
  const auto module = ptx::Parse(
      ".version 6.0 .target sm_35 .address_size 64 .visible .entry k(.param .u64 p) {\n" + code +
          "}\n",
      "k.ptx");
  return EstimateRegisters(*module->kernels[0]);
}

TEST(EstimateRegisters, CountsWhatIsLiveAtOnce) {
  const auto module = ptx::Parse(R"(.version 6.0
.target sm_35
.address_size 64
.visible .entry k(.param .u64 p) {
  .reg .b32 %r<6>;
  .reg .b64 %rd<4>;
  .reg .pred %q<2>;
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
LOOP:
  add.s32 %r3, %r1, %r2;
  add.s32 %r2, %r3, 1;
  setp.lt.s32 %q1, %r2, 100;
  @%q1 bra LOOP;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r2;
  ret;
}
)",
                                 "k.ptx");
  // In the loop %r1, %r2, then %r1, %r3; at the end an address (2) and %r2. %rd1 holds a parameter.
  EXPECT_EQ(EstimateRegisters(*module->kernels[0]), 3U);
}

TEST(EstimateRegisters, FollowsValuesThroughBranchesAndKeepsWhatAGuardedWriteLeaves) {
  const auto module = ptx::Parse(R"(.version 6.0
.target sm_35
.address_size 64
.visible .entry k(.param .u64 p) {
  .reg .b32 %r<9>;
  .reg .b64 %rd<2>;
  .reg .pred %q<2>;
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %tid.y;
  mov.u32 %r3, %tid.z;
  setp.lt.s32 %q1, %r1, 100;
  @%q1 bra ONE;
  add.s32 %r4, %r2, 1;
  bra JOIN;
ONE:
  add.s32 %r4, %r3, 1;
JOIN:
  mov.u32 %r5, %r1;
  @%q1 mov.u32 %r5, %r4;
  st.global.u32 [%rd1], %r5;
  ret;
}
)",
                                 "k.ptx");
  // Before the branch %r1, %r2 and %r3; %r4 takes the place of the one that its side read.
  EXPECT_EQ(EstimateRegisters(*module->kernels[0]), 3U);
}

TEST(EstimateRegisters, TakesTimeInProportionToTheProgram) {
  // A hundred thousand registers, of which two live at once: by one set per instruction they would
  // take more than a gigabyte.
  std::string text =
      ".version 6.0 .target sm_35 .address_size 64 .visible .entry k() { .reg .b32 %r<100001>;\n"
      "mov.u32 %r0, %tid.x;\n";
  for (int i = 1; i <= 100'000; ++i) {
    text += "add.s32 %r" + std::to_string(i) + ", %r" + std::to_string(i - 1) + ", %r0;\n";
  }
  const auto module = ptx::Parse(text + "ret; }", "k.ptx");
  EXPECT_EQ(EstimateRegisters(*module->kernels[0]), 2U);
}

TEST(EstimateRegisters, CountsWhatIsLoaded) {
  // The address holds a parameter, and so takes none.
  EXPECT_EQ(Estimate(".reg .b32 %r<4>; .reg .b64 %rd;\n"
                     "ld.param.u64 %rd, [p];\n"
                     "ld.global.u32 %r1, [%rd]; ld.global.u32 %r2, [%rd+4];\n"
                     "ld.global.u32 %r3, [%rd+8];\n"
                     "add.s32 %r1, %r1, %r2; add.s32 %r1, %r1, %r3;\n"
                     "st.global.u32 [%rd], %r1; ret;\n"),
            3U);
}

TEST(EstimateRegisters, CountsTheFirstAndTheSeventiethRegisterAcrossABranch) {
  EXPECT_EQ(Estimate(".reg .b32 %r<70>; .reg .pred %q;\n"
                     "mov.u32 %r0, %tid.x; mov.u32 %r68, %tid.y; mov.u32 %r69, %tid.z;\n"
                     "setp.lt.s32 %q, %r0, 100;\n"
                     "@%q bra JOIN;\n"
                     "mov.u32 %r0, %ctaid.x;\n"
                     "JOIN: add.s32 %r0, %r0, %r68; add.s32 %r0, %r0, %r69; ret;\n"),
            3U);
}

TEST(EstimateRegisters, AThreadHasARegisterAtLeast) {
  EXPECT_EQ(Estimate("ret;\n"), 1U);
  EXPECT_EQ(Estimate(".reg .b64 %rd; ld.param.u64 %rd, [p]; ret;\n"), 1U);
  EXPECT_EQ(Estimate(".reg .b32 %r; mov.u32 %r, %tid.x; ret;\n"), 1U);
}

}  // namespace liveness_test
}  // namespace flagstone
