#include "analyzer/address/slice_evaluator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/analyzer/address/kernel_under_analysis.h"

namespace flagstone {
namespace slice_evaluator_test {

using testing::HasSubstr;

// Addresses of a kernel's accesses in one TB, relative to buffer a.
struct Evaluated {
  std::vector<int64_t> offsets;
  std::vector<SliceEvaluator::Refusal> refused;
  std::string problem;
};

Evaluated Evaluate(const KernelUnderAnalysis& kernel, uint64_t tb = 0,
                   uint64_t step_limit = 1 << 20) {
  std::vector<uint32_t> pcs;
  for (const AddressForm& access : kernel.Analyze().accesses) pcs.push_back(access.pc);
  const KernelStructure structure(*kernel.launch().kernel);
  SliceEvaluator evaluator(kernel.launch(), structure, pcs);
  evaluator.SetStepLimit(step_limit);
  std::vector<SliceEvaluator::Executed> executed;
  Evaluated result;
  if (!evaluator.Evaluate(tb, executed)) executed.clear();
  for (const SliceEvaluator::Executed& access : executed) {
    result.offsets.push_back(static_cast<int64_t>(access.address - kernel.a()));
  }
  result.refused = evaluator.Refused();
  result.problem = evaluator.Problem();
  return result;
}

TEST(SliceEvaluator, ComputesAClampThreadByThread) {
  const KernelUnderAnalysis kernel(
      "min.s32 %r10, %r6, 5; mul.wide.s32 %rd10, %r10, 4; add.s64 %rd11, %rd1, %rd10; "
      "ld.global.f32 %f1, [%rd11+8]; ret;",
      {2, 1, 1}, {4, 1, 1});
  EXPECT_EQ(Evaluate(kernel, 0).offsets, (std::vector<int64_t>{8, 12, 16, 20}));
  EXPECT_EQ(Evaluate(kernel, 1).offsets, (std::vector<int64_t>{24, 28, 28, 28}));
}

TEST(SliceEvaluator, FollowsLoopsAndBranchesThatDecide) {
  // for (s = n; s > 0; s >>= 1) if (tid < s) load a[tid + s]
  const KernelUnderAnalysis kernel(
      "mov.u32 %r10, %r1; LOOP: setp.ge.s32 %p1, %r3, %r10; @%p1 bra NEXT; "
      "add.s32 %r11, %r3, %r10; mul.wide.s32 %rd10, %r11, 4; add.s64 %rd11, %rd1, %rd10; "
      "ld.global.f32 %f1, [%rd11]; NEXT: shr.u32 %r10, %r10, 1; setp.gt.s32 %p2, %r10, 0; "
      "@%p2 bra LOOP; ret;",
      {1, 1, 1}, {4, 1, 1}, 2);
  EXPECT_EQ(Evaluate(kernel).offsets, (std::vector<int64_t>{8, 4, 12}));
}

TEST(SliceEvaluator, PassesOverCodeThatDecidesNothing) {
  // A loop on loaded data stands before the access.
  const KernelUnderAnalysis kernel(
      "LOOP: ld.shared.f32 %f1, [tile]; setp.lt.f32 %p1, %f1, 0f3F800000; @%p1 bra LOOP; "
      "min.s32 %r10, %r3, 1; mul.wide.s32 %rd10, %r10, 4; add.s64 %rd11, %rd1, %rd10; "
      "ld.global.f32 %f1, [%rd11]; ret;",
      {1, 1, 1}, {3, 1, 1});
  const Evaluated evaluated = Evaluate(kernel);
  EXPECT_TRUE(evaluated.refused.empty());
  EXPECT_EQ(evaluated.offsets, (std::vector<int64_t>{0, 4, 4}));
}

TEST(SliceEvaluator, RefusesWhatDependsOnMemory) {
  const KernelUnderAnalysis kernel(
      "ld.shared.u32 %r10, [tile];\nmul.wide.s32 %rd10, %r10, 4; add.s64 %rd11, %rd1, %rd10; "
      "ld.global.f32 %f1, [%rd11]; ret;",
      {1, 1, 1}, {3, 1, 1});
  const Evaluated evaluated = Evaluate(kernel);
  ASSERT_EQ(evaluated.refused.size(), 1U);
  EXPECT_THAT(evaluated.refused[0].reason,
              HasSubstr(std::to_string(KernelUnderAnalysis::kFirstLine)));
  EXPECT_TRUE(evaluated.offsets.empty());
}

TEST(SliceEvaluator, RefusesFloatingPointIndexing) {
  const KernelUnderAnalysis kernel(
      "cvt.rn.f32.s32 %f2, %r3; cvt.rzi.s32.f32 %r10, %f2; mul.wide.s32 %rd10, %r10, 4; "
      "add.s64 %rd11, %rd1, %rd10; ld.global.f32 %f1, [%rd11]; ret;",
      {1, 1, 1}, {3, 1, 1});
  const Evaluated evaluated = Evaluate(kernel);
  ASSERT_EQ(evaluated.refused.size(), 1U);
  EXPECT_THAT(evaluated.refused[0].reason, HasSubstr("cannot be evaluated"));
}

TEST(SliceEvaluator, StopsAtItsStepLimit) {
  const KernelUnderAnalysis kernel(
      "mov.u32 %r10, 1; LOOP: shl.b32 %r10, %r10, 1; setp.ne.s32 %p1, %r10, 3; @%p1 bra LOOP; "
      "mul.wide.s32 %rd10, %r10, 4; add.s64 %rd11, %rd1, %rd10; ld.global.f32 %f1, [%rd11]; ret;",
      {1, 1, 1}, {3, 1, 1});
  EXPECT_THAT(Evaluate(kernel, 0, 1000).problem, HasSubstr("more than 1000 instructions"));
}

// cp.async reads global memory; its second address, in shared memory, decides nothing here.
TEST(SliceEvaluator, TakesAnAsynchronousCopyAsALoadOfItsSource) {
  const KernelUnderAnalysis kernel(
      "shr.u32 %r10, %r6, 1; mul.wide.u32 %rd10, %r10, 16; add.s64 %rd11, %rd1, %rd10; "
      "mov.u32 %r11, %smid; cp.async.cg.shared.global [%r11], [%rd11+16], 16; ret;",
      {1, 1, 1}, {4, 1, 1});
  const AddressAnalysis analysis = kernel.Analyze();
  ASSERT_EQ(analysis.accesses.size(), 1U);
  EXPECT_EQ(analysis.accesses[0].bytes, 16U);
  EXPECT_FALSE(analysis.accesses[0].is_store);
  EXPECT_EQ(analysis.accesses[0].address_class, AddressClass::kDeterministic);
  EXPECT_EQ(Evaluate(kernel).offsets, (std::vector<int64_t>{16, 16, 32, 32}));
}

}  // namespace slice_evaluator_test
}  // namespace flagstone
