// Which loads an indirect address depends on, and accesses that are neither plain loads nor stores.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyzer/address/address_analysis.h"
#include "analyzer/address/address_dump.h"
#include "analyzer/locality/footprints.h"
#include "tests/unit/analyzer/address/kernel_under_analysis.h"

namespace flagstone {
namespace address_chain_test {

using testing::ElementsAre;

AddressAnalysis Analyze(const std::string& body) {
  return KernelUnderAnalysis(body, {4, 2, 1}, {16, 4, 1}).Analyze();
}

std::vector<std::string> Chain(const AddressForm& access) {
  std::vector<std::string> chain;
  for (const LoadLink& link : access.chain) {
    chain.push_back(link.array + ":" + std::to_string(link.line - KernelUnderAnalysis::kFirstLine));
  }
  return chain;
}

TEST(AddressChain, NamesTheLoadsFromTheFirstToTheLast) {
  const AddressAnalysis analysis = Analyze(
      "mul.wide.s32 %rd10, %r6, 4; add.s64 %rd11, %rd2, %rd10;\n"
      "ld.global.u32 %r10, [%rd11];\n"
      "mul.wide.s32 %rd12, %r10, 4; add.s64 %rd13, %rd1, %rd12;\n"
      "ld.global.u32 %r11, [%rd13];\n"
      "mul.wide.s32 %rd14, %r11, 4; add.s64 %rd15, %rd2, %rd14;\n"
      "ld.global.u32 %r12, [%rd15]; ret;");
  ASSERT_EQ(analysis.accesses.size(), 3U);
  EXPECT_THAT(Chain(analysis.accesses[0]), ElementsAre());
  EXPECT_THAT(Chain(analysis.accesses[1]), ElementsAre("b:1"));
  EXPECT_THAT(Chain(analysis.accesses[2]), ElementsAre("b:1", "a:3"));
  EXPECT_EQ(analysis.accesses[2].address_class, AddressClass::kIndirect);
  EXPECT_FALSE(analysis.accesses[2].IsFromConstantTable());
}

TEST(AddressChain, OfAnAffineAddressUnderALoadedGuardIsTheGuards) {
  const AddressAnalysis analysis = Analyze(
      "ld.global.u32 %r10, [%rd2];\n"
      "setp.eq.s32 %p1, %r10, 0; @%p1 ret;\n"
      "ld.global.f32 %f1, [%rd1]; ret;");
  EXPECT_EQ(analysis.accesses[1].address_class, AddressClass::kIndirect);
  EXPECT_EQ(analysis.accesses[1].pattern, AddressClass::kAffine);
  EXPECT_THAT(Chain(analysis.accesses[1]), ElementsAre("b:0"));
}

// The launch fixes what .const memory holds: a plain table, not a value from memory.
TEST(AddressChain, TakesPointersFromAConstantTableAsKnown) {
  KernelUnderAnalysis kernel(
      "mov.u64 %rd10, table; mul.wide.u32 %rd11, %r4, 8; add.s64 %rd12, %rd10, %rd11;\n"
      "ld.const.u64 %rd13, [%rd12]; cvta.to.global.u64 %rd14, %rd13;\n"
      "ld.global.f32 %f1, [%rd14]; ret;",
      {4, 1, 1}, {32, 1, 1}, 0, 0, uint64_t{1} << 16, ".const .align 8 .u64 table[4];\n");
  const AddressAnalysis analysis = kernel.Analyze();
  ASSERT_EQ(analysis.accesses.size(), 1U);
  EXPECT_EQ(analysis.accesses[0].address_class, AddressClass::kDeterministic);
  EXPECT_TRUE(analysis.accesses[0].from_constants);
  EXPECT_TRUE(analysis.accesses[0].chain.empty());
}

TEST(AddressChain, TakesAGenericLoadOfABufferAsAGlobalOne) {
  const AddressAnalysis analysis = Analyze(
      "ld.u32 %r10, [%rd1];\n"
      "mul.wide.s32 %rd12, %r10, 4; add.s64 %rd13, %rd2, %rd12; ld.global.u32 %r11, [%rd13];\n"
      "cvt.u64.u32 %rd14, %r11; ld.u32 %r12, [%rd14]; mul.wide.s32 %rd15, %r12, 4;\n"
      "add.s64 %rd16, %rd2, %rd15; ld.global.u32 %r13, [%rd16]; ret;");
  ASSERT_EQ(analysis.accesses.size(), 4U);
  EXPECT_THAT(Chain(analysis.accesses[1]), ElementsAre("a:0"));
  EXPECT_EQ(analysis.accesses[1].chain[0].space, ptx::Space::kGlobal);
  EXPECT_THAT(Chain(analysis.accesses[3]), ElementsAre("a:0", "b:1", "?:2"));
  EXPECT_EQ(analysis.accesses[3].chain[2].space, ptx::Space::kGeneric) << "of an unknown buffer";
}

TEST(AddressAnalysis, CallsAnAddressUniformThatAllThreadsOfATbShare) {
  const AddressAnalysis analysis = Analyze(
      "mul.wide.s32 %rd10, %r4, 4; add.s64 %rd11, %rd1, %rd10; ld.global.f32 %f1, [%rd11];\n"
      "mul.wide.s32 %rd12, %r7, 4; add.s64 %rd13, %rd1, %rd12; ld.global.f32 %f1, [%rd13]; ret;");
  EXPECT_TRUE(analysis.accesses[0].IsUniform());
  EXPECT_FALSE(analysis.accesses[1].IsUniform());
}

TEST(AddressAnalysis, ReportsAtomicsApartFromLoadsAndStores) {
  const KernelUnderAnalysis kernel(
      "mul.wide.s32 %rd10, %r3, 4; add.s64 %rd11, %rd1, %rd10;\n"
      "atom.global.add.u32 %r10, [%rd11], 1;\n"
      "red.global.add.u32 [%rd11+4], 1; ret;",
      {4, 1, 1}, {32, 1, 1});
  const AddressAnalysis analysis = kernel.Analyze();
  ASSERT_EQ(analysis.accesses.size(), 2U);
  for (const AddressForm& access : analysis.accesses) {
    EXPECT_TRUE(access.is_atomic && access.is_store);
    EXPECT_EQ(access.address_class, AddressClass::kAffine);
    EXPECT_EQ(access.form.tid[0], 4);
    EXPECT_EQ(access.bytes, 4U);
  }
  EXPECT_TRUE(FindFootprints(analysis, kernel.launch()).arrays.empty());
}

}  // namespace address_chain_test
}  // namespace flagstone
