// Executed addresses = analysed addresses, for every static global access of every workload.
#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "analyzer/address/address_analysis.h"
#include "kernels/launch/launch_sequence.h"
#include "kernels/launch/workload.h"
#include "kernels/ptx/kernel.h"
#include "tests/unit/analyzer/address/kernel_under_analysis.h"
#include "tests/unit/analyzer/executed_accesses.h"

namespace flagstone {
namespace executed_addresses_test {

class ExecutedAddresses : public testing::TestWithParam<std::string> {};

TEST_P(ExecutedAddresses, AreTheAnalysedOnesForEveryAccessOfTheWorkload) {
  const Workload workload = Workload::Load(FindWorkload(GetParam()), "test");
  BoundWorkload bound = Bind(workload);
  uint32_t compared = 0;
  LaunchSequence sequence(&bound);
  while (const KernelLaunch* launch = sequence.Next()) {
    const AddressAnalysis analysis = AnalyzeAddresses(*launch, bound.memory);
    const ExecutedAccesses executed = RunAndRecord(*launch, &bound.memory);
    std::set<uint32_t> analysed;
    for (const AddressForm& access : analysis.accesses) {
      analysed.insert(access.pc);
      const uint32_t tbs = ExpectSameAddresses(analysis, access, *launch, executed);
      // Only what depends on loaded values may be left out.
      EXPECT_EQ(tbs == 0, access.address_class == AddressClass::kIndirect) << access.reason;
      compared += tbs;
    }
    for (const auto& [where, addresses] : executed) {
      // Texture fetches have coordinates, not addresses.
      if (launch->kernel->instructions.at(where.first).opcode == ptx::Opcode::kTex) continue;
      EXPECT_TRUE(analysed.contains(where.first)) << "no analysis of pc " << where.first;
    }
  }
  EXPECT_GT(compared, 0U);
}

// Every access of the kernel, none left out.
void ExpectAllAnalysed(KernelUnderAnalysis& run, uint32_t tbs) {
  const AddressAnalysis analysis = run.Analyze();
  const ExecutedAccesses executed = RunAndRecord(run.launch(), &run.memory());
  ASSERT_FALSE(executed.empty());
  for (const AddressForm& access : analysis.accesses) {
    EXPECT_NE(access.address_class, AddressClass::kIndirect) << access.reason;
    EXPECT_EQ(ExpectSameAddresses(analysis, access, run.launch(), executed), tbs);
  }
}

// (x + 0.5) * 0.6 - 0.5 rounded down, clamped; then the same in double precision, rounded to even.
TEST(ExecutedAddressesOfCoordinates, AreTheAnalysedOnesWhereFloatsDecide) {
  KernelUnderAnalysis run(
      "cvt.rn.f32.s32 %f1, %r6;\n  add.f32 %f1, %f1, 0f3F000000;\n"
      "fma.rn.f32 %f2, %f1, 0f3F19999A, 0fBF000000;\n  cvt.rmi.s32.f32 %r10, %f2;\n"
      "max.s32 %r10, %r10, 0;\n  mul.wide.s32 %rd10, %r10, 4;\n  add.s64 %rd11, %rd1, %rd10;\n"
      "ld.global.f32 %f3, [%rd11];\n"
      ".reg .f64 %fd<4>;\n  cvt.rn.f64.s32 %fd1, %r6;\n"
      "div.rn.f64 %fd2, %fd1, 0d4008000000000000;\n  cvt.rni.s32.f64 %r11, %fd2;\n"
      "mul.wide.s32 %rd12, %r11, 4;\n  add.s64 %rd13, %rd2, %rd12;\n"
      "ld.global.f32 %f3, [%rd13];\n  ret;\n",
      {5, 1, 1}, {48, 1, 1});
  ExpectAllAnalysed(run, 5);
}

// Lanes part on a comparison of floats, and each way has functions that are only approximated.
TEST(ExecutedAddressesOfCoordinates, AreTheAnalysedOnesWhereFloatsDecideOnTheWay) {
  KernelUnderAnalysis run(
      "cvt.rn.f32.u32 %f1, %r6;\n  sqrt.approx.f32 %f2, %f1;\n  setp.lt.f32 %p1, %f2, 0f40A00000;\n"
      "@%p1 bra NEAR;\n  ex2.approx.f32 %f3, %f2;\n  bra GO;\n"
      "NEAR: sin.approx.f32 %f3, %f1;\n  abs.f32 %f3, %f3;\n  mul.f32 %f3, %f3, 0f42C80000;\n"
      "GO: cvt.rzi.u32.f32 %r10, %f3;\n  and.b32 %r10, %r10, 1023;\n"
      "mul.wide.u32 %rd10, %r10, 4;\n  add.s64 %rd11, %rd1, %rd10;\n"
      "@%p1 ld.global.f32 %f4, [%rd11];\n  selp.f32 %f5, 0f40800000, %f2, %p1;\n"
      "cvt.rzi.u32.f32 %r11, %f5;\n  mul.wide.u32 %rd12, %r11, 4;\n  add.s64 %rd13, %rd2, %rd12;\n"
      "st.global.f32 [%rd13], %f4;\n  ret;\n",
      {4, 1, 1}, {32, 1, 1});
  ExpectAllAnalysed(run, 4);
}

// Offsets of a stencil, starts of rows, and how often a loop turns.
TEST(ExecutedAddressesOfTables, AreTheAnalysedOnesWhereConstantMemoryDecides) {
  KernelUnderAnalysis run(
      "mov.u32 %r20, 0;\n  mov.u64 %rd20, offsets;\n  ld.const.u32 %r21, [offsets+16];\n"
      "L: mul.wide.u32 %rd21, %r20, 4;\n  add.s64 %rd22, %rd20, %rd21;\n"
      "ld.const.s32 %r22, [%rd22];\n  add.s32 %r23, %r6, %r22;\n  mul.wide.s32 %rd10, %r23, 4;\n"
      "add.s64 %rd11, %rd1, %rd10;\n  ld.global.f32 %f1, [%rd11+64];\n"
      "add.s32 %r20, %r20, 1;\n  setp.lt.u32 %p1, %r20, %r21;\n  @%p1 bra L;\n"
      "ld.const.v2.s16 {%rs1, %rs2}, [pair];\n  cvt.s64.s16 %rd12, %rs2;\n"
      "add.s64 %rd13, %rd2, %rd12;\n  ld.global.f32 %f1, [%rd13];\n  ret;\n",
      {3, 1, 1}, {32, 1, 1}, 0, 0, uint64_t{1} << 16,
      ".const .align 4 .s32 offsets[5]; .const .align 4 .s16 pair[2];\n");
  const std::array<int32_t, 5> offsets = {-7, 0, 5, -1, 4};
  const std::array<int16_t, 2> pair = {3, 260};
  std::memcpy(run.memory().At(run.launch().symbols.at("offsets")), offsets.data(), sizeof(offsets));
  std::memcpy(run.memory().At(run.launch().symbols.at("pair")), pair.data(), sizeof(pair));
  ExpectAllAnalysed(run, 3);
  const AddressAnalysis analysis = run.Analyze();
  EXPECT_EQ(analysis.loops.at(0).trip_count, 4U);
  EXPECT_EQ(analysis.accesses.at(1).address_class, AddressClass::kAffine);
  EXPECT_TRUE(analysis.accesses.at(1).from_constants);
}

// A stride is a number of elements: a register of it, or a number in the text.
TEST(ExecutedAddressesOfMatrices, AreTheAnalysedOnesWhereElementsAreBelowAByte) {
  KernelUnderAnalysis run(
      "mul.wide.s32 %rd10, %r4, 512;\n  add.s64 %rd11, %rd1, %rd10;\n"
      "wmma.load.a.sync.aligned.row.m8n8k32.global.u4 {%r10}, [%rd11+16], %r1;\n"
      "wmma.load.b.sync.aligned.col.m8n8k128.global.b1 {%r11}, [%rd11], 384;\n"
      "wmma.load.c.sync.aligned.row.m8n8k32.global.s32 {%r12, %r13}, [%rd11], 8;\n"
      "wmma.mma.sync.aligned.row.col.m8n8k32.s32.u4.u4.s32 {%r12, %r13}, {%r10}, {%r11}, {%r12, "
      "%r13};\n"
      "wmma.store.d.sync.aligned.col.m8n8k32.global.s32 [%rd2], {%r12, %r13}, %r2;\n  ret;\n",
      {3, 1, 1}, {32, 1, 1}, 96, 8);
  const AddressAnalysis analysis = run.Analyze();
  const ExecutedAccesses executed = RunAndRecord(run.launch(), &run.memory());
  std::set<std::set<uint64_t>> first_tb;  // the addresses of each access
  for (const AddressForm& access : analysis.accesses) {
    EXPECT_EQ(ExpectSameAddresses(analysis, access, run.launch(), executed), 3U);
    first_tb.insert(executed.at({access.pc, 0}));
  }
  std::set<uint64_t> a, b;
  for (uint64_t line = 0; line < 8; ++line) {
    for (uint64_t word = 0; word < 4; ++word) {
      a.insert(run.a() + 16 + line * 48 + word * 4);  // 96 elements of 4 bits
      b.insert(run.a() + line * 48 + word * 4);       // 384 of one bit
    }
  }
  EXPECT_TRUE(first_tb.contains(a));
  EXPECT_TRUE(first_tb.contains(b));
}

INSTANTIATE_TEST_SUITE_P(EveryWorkload, ExecutedAddresses, testing::ValuesIn(ListWorkloads()),
                         [](const auto& workload) {
                           std::string name = workload.param;
                           for (char& c : name) {
                             if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
                           }
                           return name;
                         });

}  // namespace executed_addresses_test
}  // namespace flagstone
