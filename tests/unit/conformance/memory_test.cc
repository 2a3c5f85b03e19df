// ld and st in all state spaces, cvta and generic addresses (PTX ISA 9.7.9).
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/conformance/coverage.h"
#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone {
namespace memory_test {

constexpr const char* kInOut = ".param .u64 in, .param .u64 out";
constexpr const char* kPrologue =
    "ld.param.u64 %rd1, [in];\nld.param.u64 %rd2, [out];\nmov.u32 %r1, %tid.x;\n"
    "mul.wide.u32 %rd3, %r1, 16;\nadd.s64 %rd1, %rd1, %rd3;\nadd.s64 %rd2, %rd2, %rd3;\n";

std::vector<uint32_t> Numbers(size_t count) {
  std::vector<uint32_t> numbers(count);
  for (size_t i = 0; i < count; ++i) numbers[i] = static_cast<uint32_t>(0x9e3779b9U * (i + 1));
  return numbers;
}

// Runs `body` on 32 threads with 16 bytes each of input and output.
template <class T>
std::vector<T> Execute(const std::string& body, const std::string& module_scope = "") {
  KernelRun run =
      KernelRun::FromText(KernelText(kInOut, kPrologue + body + "\nret;", module_scope));
  run.Buffer("in", Numbers(128)).Buffer("out", std::vector<uint32_t>(128)).Run();
  conformance::CoverOpcodes(*run.launch().kernel, {ptx::Opcode::kCvta, ptx::Opcode::kIsspacep});
  return run.Contents<T>("out");
}

TEST(Load, SignExtendsToTheRegister) {
  const std::vector<uint32_t> in = Numbers(128);
  const auto got = Execute<int32_t>(
      "ld.global.s8 %r2, [%rd1+3];\nst.global.u32 [%rd2], %r2;\n"
      "ld.global.u8 %r3, [%rd1+3];\nst.global.u32 [%rd2+4], %r3;\n"
      "ld.global.s16 %rd4, [%rd1+2];\nst.global.u64 [%rd2+8], %rd4;");
  for (size_t i = 0; i < 32; ++i) {
    EXPECT_EQ(got[4 * i], static_cast<int8_t>(in[4 * i] >> 24));
    EXPECT_EQ(got[4 * i + 1], static_cast<int32_t>(in[4 * i] >> 24));
    const auto half = static_cast<int16_t>(in[4 * i] >> 16);
    EXPECT_EQ(got[4 * i + 2], half);
    EXPECT_EQ(got[4 * i + 3], half < 0 ? -1 : 0);
  }
}

TEST(Load, OfVectorsFillsItsElementsInOrder) {
  const std::vector<uint32_t> in = Numbers(128);
  const auto got = Execute<uint32_t>(
      "ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%rd1];\n"
      "st.global.v2.u32 [%rd2], {%r5, %r4};\n"
      "ld.global.v2.f64 {%fd1, %fd2}, [%rd1];\n"
      "st.global.f64 [%rd2+8], %fd1;");
  for (size_t i = 0; i < 128; i += 4) {
    EXPECT_EQ(got[i], in[i + 3]);
    EXPECT_EQ(got[i + 1], in[i + 2]);
    EXPECT_EQ(got[i + 2], in[i]);
    EXPECT_EQ(got[i + 3], in[i + 1]);
  }
}

TEST(Load, MayOverwriteItsOwnAddress) {
  const std::vector<uint32_t> in = Numbers(128);
  const auto got = Execute<uint32_t>("ld.global.u32 %rd1, [%rd1+4];\nst.global.u32 [%rd2], %rd1;");
  for (size_t i = 0; i < 128; i += 4) EXPECT_EQ(got[i], in[i + 1]);
}

TEST(Store, OfANarrowTypeLeavesTheNeighboursAlone) {
  const auto got = Execute<uint32_t>(
      "mov.u32 %r2, 0x12345678;\nst.global.u8 [%rd2+1], %r2;\n"
      "st.global.u16 [%rd2+6], %r2;");
  EXPECT_EQ(got[0], 0x7800U);
  EXPECT_EQ(got[1], 0x56780000U);
}

TEST(Store, OfTwoLanesToOneAddressKeepsTheHigherLane) {
  const auto got = Execute<uint32_t>("ld.param.u64 %rd2, [out];\nst.global.u32 [%rd2], %r1;");
  EXPECT_EQ(got[0], 31U);
}

TEST(Shared, IsCommonToTheTbAndDynamicMemoryFollowsStatic) {
  const std::string text =
      KernelText(".param .u64 out",
                 ".shared .align 4 .b8 fixed[128];\n"
                 "ld.param.u64 %rd2, [out];\nmov.u32 %r1, %tid.x;\nshl.b32 %r2, %r1, 2;\n"
                 "mov.u32 %r3, fixed;\nadd.u32 %r4, %r3, %r2;\nst.shared.u32 [%r4], %r1;\n"
                 "mov.u32 %r5, dynamic;\nadd.u32 %r6, %r5, %r2;\n"
                 "add.u32 %r7, %r1, 100;\nst.shared.u32 [%r6], %r7;\nbar.sync 0;\n"
                 "xor.b32 %r8, %r2, 124;\nadd.u32 %r9, %r3, %r8;\nld.shared.u32 %r10, [%r9];\n"
                 "add.u32 %r9, %r5, %r8;\nld.shared.u32 %r11, [%r9];\n"
                 "add.u32 %r10, %r10, %r11;\ncvt.u64.u32 %rd3, %r2;\nadd.s64 %rd2, %rd2, %rd3;\n"
                 "st.global.u32 [%rd2], %r10;\nret;",
                 ".extern .shared .align 16 .b8 dynamic[];");
  KernelRun run = KernelRun::FromText(text);
  run.Buffer("out", std::vector<uint32_t>(32)).DynamicShared(128).Run();
  const auto got = run.Contents<uint32_t>("out");
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(got[i], 100 + 2 * (31 - i));
}

TEST(Local, BelongsToOneThread) {
  const auto got = Execute<uint32_t>(
      ".local .align 8 .b8 stack[16];\n"
      "mov.u64 %rd4, stack;\nst.local.u32 [%rd4+8], %r1;\n"
      "cvta.local.u64 %rd5, %rd4;\nld.u32 %r2, [%rd5+8];\n"
      "ld.local.u32 %r3, [stack+8];\n"
      "st.global.u32 [%rd2], %r2;\nst.global.u32 [%rd2+4], %r3;");
  for (uint32_t i = 0; i < 32; ++i) {
    EXPECT_EQ(got[4 * i], i);
    EXPECT_EQ(got[4 * i + 1], i);
  }
}

TEST(Const, HoldsItsInitialValues) {
  const auto got = Execute<uint32_t>(
      "mul.wide.u32 %rd4, %r1, 4;\nmov.u64 %rd5, table;\n"
      "add.s64 %rd5, %rd5, %rd4;\nand.b64 %rd5, %rd5, -13;\n"
      "ld.const.u32 %r2, [%rd5];\nst.global.u32 [%rd2], %r2;\n"
      "ld.const.u32 %r2, [table+4];\nst.global.u32 [%rd2+4], %r2;",
      ".const .align 256 .u32 table[32] = {11, 22, 33, 44, 55};");
  EXPECT_EQ(got[0], 11U);
  EXPECT_EQ(got[4 * 7], 55U);
  EXPECT_EQ(got[1], 22U);
}

TEST(Generic, GoesWhereTheAddressPoints) {
  const std::vector<uint32_t> in = Numbers(128);
  // Even lanes read shared memory, odd ones global memory, in one instruction.
  const auto got = Execute<uint32_t>(
      ".shared .align 4 .b8 tile[128];\n"
      "mov.u64 %rd4, tile;\nmul.wide.u32 %rd5, %r1, 4;\n"
      "add.s64 %rd4, %rd4, %rd5;\nst.shared.u32 [%rd4], %r1;\n"
      "cvta.shared.u64 %rd6, %rd4;\nand.b32 %r3, %r1, 1;\n"
      "setp.eq.s32 %p1, %r3, 0;\ncvta.global.u64 %rd7, %rd1;\n"
      "selp.b64 %rd8, %rd6, %rd7, %p1;\nld.u32 %r4, [%rd8];\n"
      "st.u32 [%rd2], %r4;\nadd.s32 %r4, %r4, 1;\nst.u32 [%rd6], %r4;\n"
      "cvta.to.shared.u64 %rd9, %rd6;\nld.shared.u32 %r5, [%rd9];\n"
      "st.global.u32 [%rd2+4], %r5;");
  for (uint32_t i = 0; i < 32; ++i) {
    EXPECT_EQ(got[4 * i], i % 2 == 0 ? i : in[4 * i]);
    EXPECT_EQ(got[4 * i + 1], got[4 * i] + 1);
  }
}

// One bit for each space, of an address in each space.
TEST(Generic, TellsItsSpace) {
  const auto got = Execute<uint32_t>(
      ".shared .align 4 .b8 tile[4];\n.local .align 4 .b8 own[4];\n"
      "mov.u64 %rd4, tile;\ncvta.shared.u64 %rd4, %rd4;\nmov.u64 %rd5, own;\n"
      "cvta.local.u64 %rd5, %rd5;\nmov.u64 %rd6, table;\ncvta.const.u64 %rd6, %rd6;\n"
      "cvta.global.u64 %rd7, %rd1;\n"
      "setp.eq.u32 %p1, %r1, 0;\nselp.b64 %rd8, %rd7, %rd4, %p1;\nsetp.eq.u32 %p1, %r1, 2;\n"
      "selp.b64 %rd8, %rd5, %rd8, %p1;\nsetp.eq.u32 %p1, %r1, 3;\nselp.b64 %rd8, %rd6, %rd8, %p1;\n"
      "isspacep.global %p2, %rd8;\nselp.u32 %r2, 1, 0, %p2;\n"
      "isspacep.shared %p2, %rd8;\n@%p2 add.u32 %r2, %r2, 2;\n"
      "isspacep.local %p2, %rd8;\n@%p2 add.u32 %r2, %r2, 4;\n"
      "isspacep.const %p2, %rd8;\n@%p2 add.u32 %r2, %r2, 8;\n"
      "isspacep.param %p2, %rd8;\n@%p2 add.u32 %r2, %r2, 16;\nst.global.u32 [%rd2], %r2;",
      ".const .align 4 .b32 table = 5;");
  EXPECT_EQ(got[0], 1U);
  EXPECT_EQ(got[4], 2U);
  EXPECT_EQ(got[8], 4U);
  EXPECT_EQ(got[12], 8U);
}

TEST(Param, MayBeReadThroughARegister) {
  const std::string text = KernelText(".param .u64 out, .param .align 4 .b8 pair[8]",
                                      "ld.param.u64 %rd1, [out];\nmov.b64 %rd2, pair;\n"
                                      "ld.param.u32 %r1, [%rd2+4];\nld.param.u32 %r2, [pair];\n"
                                      "ld.param.v2.u32 {%r3, %r4}, [pair];\n"
                                      "st.global.u32 [%rd1], %r1;\nst.global.u32 [%rd1+4], %r2;\n"
                                      "st.global.v2.u32 [%rd1+8], {%r4, %r3};\nret;");
  KernelRun run = KernelRun::FromText(text);
  run.Buffer("out", std::vector<uint32_t>(4)).Scalar(std::array<uint32_t, 2>{7, 9}).Run();
  EXPECT_EQ(run.Contents<uint32_t>("out"), (std::vector<uint32_t>{9, 7, 9, 7}));
}

}  // namespace memory_test
}  // namespace flagstone
