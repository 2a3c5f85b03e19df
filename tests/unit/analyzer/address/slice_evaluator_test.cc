#include "analyzer/address/slice_evaluator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

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
  SliceEvaluator evaluator(kernel.launch(), structure, pcs, nullptr);
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

TEST(SliceEvaluator, ClampsTheTwoHalvesOfARegister) {
  const KernelUnderAnalysis kernel(
      "mov.b32 %r9, 0x00010005; min.s16x2 %r10, %r6, %r9; mul.wide.s32 %rd10, %r10, 4; "
      "add.s64 %rd11, %rd1, %rd10; ld.global.f32 %f1, [%rd11+8]; ret;",
      {2, 1, 1}, {4, 1, 1});
  EXPECT_EQ(Evaluate(kernel, 1).offsets, (std::vector<int64_t>{24, 28, 28, 28}));
}

TEST(SliceEvaluator, InsertsFieldsOfBits) {
  const KernelUnderAnalysis kernel(
      "bfi.b32 %r10, %r3, 64, 2, 1; cvt.u64.u32 %rd10, %r10; add.s64 %rd11, %rd1, %rd10; "
      "ld.global.u8 %rs1, [%rd11]; ret;",
      {1, 1, 1}, {4, 1, 1});
  EXPECT_EQ(Evaluate(kernel).offsets, (std::vector<int64_t>{64, 68, 64, 68}));
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

TEST(SliceEvaluator, ComputesFloatsAsTheExecutorDoes) {
  const KernelUnderAnalysis kernel(
      "cvt.rn.f32.s32 %f2, %r3; cvt.rzi.s32.f32 %r10, %f2; mul.wide.s32 %rd10, %r10, 4; "
      "add.s64 %rd11, %rd1, %rd10; ld.global.f32 %f1, [%rd11]; ret;",
      {1, 1, 1}, {3, 1, 1});
  const Evaluated evaluated = Evaluate(kernel);
  EXPECT_TRUE(evaluated.refused.empty());
  EXPECT_EQ(evaluated.offsets, (std::vector<int64_t>{0, 4, 8}));
}

TEST(SliceEvaluator, RefusesResultsThatAreNotOneRegister) {
  for (const char* body : {"mov.b64 {%r10, %r11}, %rd9;",
                           "setp.lt.s32 _|%p1, %r3, 2; "
                           "selp.b32 %r10, 0, 1, %p1;"}) {
    const KernelUnderAnalysis kernel(
        std::string("cvt.u64.u32 %rd9, %r3;") + body +
            "mul.wide.s32 %rd10, %r10, 4; add.s64 %rd11, %rd1, %rd10; ld.global.f32 %f1, [%rd11]; "
            "ret;",
        {1, 1, 1}, {3, 1, 1});
    const Evaluated evaluated = Evaluate(kernel);
    ASSERT_EQ(evaluated.refused.size(), 1U) << body;
    EXPECT_THAT(evaluated.refused[0].reason, HasSubstr("cannot be evaluated")) << body;
  }
}

// The value of a special register as a thread alone would read it.
TEST(SliceEvaluator, GivesEachLaneItsSpecialRegisters) {
  struct Case {
    const char* name;
    uint32_t (*expected)(uint32_t thread);  // of TB (2, 1, 3)
  };
  constexpr Case kCases[] = {
      {"%tid.x", [](uint32_t t) { return t % 8; }},
      {"%tid.y", [](uint32_t t) { return t / 8 % 3; }},
      {"%tid.z", [](uint32_t t) { return t / 24; }},
      {"%ctaid.x", [](uint32_t) { return 2U; }},
      {"%ctaid.y", [](uint32_t) { return 1U; }},
      {"%ctaid.z", [](uint32_t) { return 3U; }},
      {"%ntid.x", [](uint32_t) { return 8U; }},
      {"%ntid.y", [](uint32_t) { return 3U; }},
      {"%ntid.z", [](uint32_t) { return 2U; }},
      {"%nctaid.x", [](uint32_t) { return 5U; }},
      {"%nctaid.y", [](uint32_t) { return 6U; }},
      {"%nctaid.z", [](uint32_t) { return 7U; }},
      {"%laneid", [](uint32_t t) { return t % 32; }},
      {"%warpid", [](uint32_t t) { return t / 32; }},
      {"%lanemask_eq", [](uint32_t t) { return 1U << t % 32; }},
      {"%lanemask_lt", [](uint32_t t) { return (1U << t % 32) - 1; }},
      {"%lanemask_le", [](uint32_t t) { return (1U << t % 32) * 2 - 1; }},
      {"%lanemask_gt", [](uint32_t t) { return ~((1U << t % 32) * 2 - 1); }},
      {"%lanemask_ge", [](uint32_t t) { return ~((1U << t % 32) - 1); }},
      {"%dynamic_smem_size", [](uint32_t) { return 512U; }},
  };
  for (const Case& row : kCases) {
    KernelUnderAnalysis kernel(std::string("mov.u32 %r10, ") + row.name +
                                   "; cvt.u64.u32 %rd10, %r10; add.s64 %rd11, %rd1, %rd10; "
                                   "ld.global.u8 %rs1, [%rd11]; ret;",
                               {5, 6, 7}, {8, 3, 2});
    kernel.launch().dynamic_shared_bytes = 512;
    std::vector<int64_t> expected;
    for (uint32_t thread = 0; thread < 48; ++thread) expected.push_back(row.expected(thread));
    EXPECT_EQ(Evaluate(kernel, 2 + 5 * (1 + 6 * 3)).offsets, expected) << row.name;
  }
}

TEST(SliceEvaluator, StopsAtItsStepLimit) {
  const KernelUnderAnalysis kernel(
      "mov.u32 %r10, 1; LOOP: shl.b32 %r10, %r10, 1; setp.ne.s32 %p1, %r10, 3; @%p1 bra LOOP; "
      "mul.wide.s32 %rd10, %r10, 4; add.s64 %rd11, %rd1, %rd10; ld.global.f32 %f1, [%rd11]; ret;",
      {1, 1, 1}, {3, 1, 1});
  EXPECT_THAT(Evaluate(kernel, 0, 1000).problem, HasSubstr("more than 1000 instructions"));
}

// What a thread alone executes of a kernel with branches and loops that part its warp.
TEST(SliceEvaluator, GivesEachLaneItsOwnPathAndTurns) {
  // for (i = 0; i < n; ++i) { if ((tid + i) % 3 == 0) continue; for (j = tid; j > 0; j -= 5)
  //   load a[8 * i + j]; }  load a[tid]
  const KernelUnderAnalysis kernel(
      "mov.u32 %r10, 0; OUTER: setp.ge.s32 %p1, %r10, %r1; @%p1 bra LAST; mov.u32 %r20, %r10; "
      "add.s32 %r10, %r10, 1; add.s32 %r11, %r3, %r20; rem.s32 %r12, %r11, 3; "
      "setp.eq.s32 %p2, %r12, 0; @%p2 bra OUTER; mov.u32 %r13, %r3; "
      "INNER: setp.le.s32 %p3, %r13, 0; @%p3 bra OUTER; mad.lo.s32 %r14, %r20, 8, %r13; "
      "mul.wide.s32 %rd10, %r14, 4; add.s64 %rd11, %rd1, %rd10; ld.global.f32 %f1, [%rd11]; "
      "sub.s32 %r13, %r13, 5; bra INNER; "
      "LAST: min.s32 %r15, %r3, 40; mul.wide.s32 %rd12, %r15, 4; add.s64 %rd13, %rd1, %rd12; "
      "ld.global.f32 %f2, [%rd13]; ret;",
      {1, 1, 1}, {40, 1, 1}, 7);
  std::vector<int64_t> expected;
  std::map<std::pair<int64_t, int64_t>, uint64_t> turns;  // by i and how often INNER was run
  for (int64_t tid = 0; tid < 40; ++tid) {
    for (int64_t i = 0; i < 7; ++i) {
      if ((tid + i) % 3 == 0) continue;
      for (int64_t j = tid; j > 0; j -= 5) expected.push_back(4 * (8 * i + j));
    }
    expected.push_back(4 * tid);
  }
  EXPECT_EQ(Evaluate(kernel).offsets, expected);
  // Lanes have a turn in common exactly where both loops have turned as often.
  std::vector<uint32_t> pcs;
  for (const AddressForm& access : kernel.Analyze().accesses) pcs.push_back(access.pc);
  const KernelStructure structure(*kernel.launch().kernel);
  SliceEvaluator evaluator(kernel.launch(), structure, pcs, nullptr);
  std::vector<SliceEvaluator::Executed> executed;
  ASSERT_TRUE(evaluator.EvaluateWarp(0, 0, executed));
  std::set<uint64_t> seen;
  for (const SliceEvaluator::Executed& access : executed) {
    if (access.pc != pcs[0]) continue;
    const auto index = static_cast<int64_t>(access.address - kernel.a()) / 4;
    for (int64_t i = 0; i < 7; ++i) {
      const int64_t j = index - 8 * i;
      const auto tid = static_cast<int64_t>(access.thread);
      if (j <= 0 || j > tid || (tid - j) % 5 != 0 || (tid + i) % 3 == 0) continue;
      if (std::count_if(executed.begin(), executed.end(), [&](const auto& other) {
            return other.thread == access.thread && other.address == access.address &&
                   other.pc == access.pc;
          }) > 1) {
        continue;  // the same place in two turns
      }
      const auto [at, is_new] = turns.try_emplace({i, (tid - j) / 5}, access.turn);
      EXPECT_EQ(at->second, access.turn) << "thread " << tid << " i " << i << " j " << j;
      EXPECT_EQ(seen.insert(access.turn).second, is_new);
    }
  }
  EXPECT_GT(turns.size(), 20U);
}

TEST(SliceEvaluator, VisitsLanesThatPartedTogetherWhereTheyMeetAgain) {
  const KernelUnderAnalysis kernel(
      "mov.u32 %r10, 5; setp.lt.s32 %p1, %r3, 7; @%p1 bra THEN; mov.u32 %r10, 9; bra JOIN; "
      "THEN: mov.u32 %r10, 3; JOIN: mul.wide.s32 %rd10, %r10, 4; add.s64 %rd11, %rd1, %rd10; "
      "ld.global.f32 %f1, [%rd11]; ret;",
      {1, 1, 1}, {32, 1, 1});
  const uint32_t pcs[] = {kernel.Analyze().accesses.at(0).pc};
  const KernelStructure structure(*kernel.launch().kernel);
  SliceEvaluator evaluator(kernel.launch(), structure, pcs, nullptr);
  std::vector<SliceEvaluator::Together> visited;
  ASSERT_TRUE(evaluator.VisitWarp(0, 0, [&](const auto& at) { visited.push_back(at); }));
  ASSERT_EQ(visited.size(), 1U);
  EXPECT_EQ(visited[0].lanes, ~uint32_t{0});
  EXPECT_EQ(visited[0].addresses[6] - kernel.a(), 12U);
  EXPECT_EQ(visited[0].addresses[7] - kernel.a(), 36U);
}

TEST(SliceEvaluator, TakesRegistersThatNobodyHasWrittenAs0) {
  const KernelUnderAnalysis kernel(
      "min.s32 %r10, %r3, 1; add.s32 %r10, %r10, %r50; mul.wide.s32 %rd10, %r10, 4; "
      "add.s64 %rd11, %rd1, %rd10; ld.global.f32 %f1, [%rd11]; ret;",
      {1, 1, 1}, {3, 1, 1});
  EXPECT_EQ(Evaluate(kernel).offsets, (std::vector<int64_t>{0, 4, 4}));
}

// The predicates of lane 0 and of the others are each other's opposite.
TEST(SliceEvaluator, AGuardIsThatOfItsLaneAndItsRegister) {
  const KernelUnderAnalysis kernel(
      "setp.ne.s32 %p1, %r3, 0; setp.eq.s32 %p2, %r3, 0; selp.b32 %r10, 9, %r3, %p2; "
      "mul.wide.s32 %rd10, %r10, 4; add.s64 %rd11, %rd1, %rd10; "
      "@%p1 ld.global.f32 %f1, [%rd11]; @!%p1 ld.global.f32 %f1, [%rd11+400]; ret;",
      {1, 1, 1}, {4, 1, 1});
  EXPECT_EQ(Evaluate(kernel).offsets, (std::vector<int64_t>{436, 4, 8, 12}));
}

TEST(SliceEvaluator, StopsAtADivisionByZeroThatALaneComesTo) {
  const KernelUnderAnalysis kernel(
      "sub.s32 %r10, %r3, 3; setp.lt.s32 %p1, %r3, 2; @%p1 bra END; div.s32 %r11, 60, %r10; "
      "mul.wide.s32 %rd10, %r11, 4; add.s64 %rd11, %rd1, %rd10; ld.global.f32 %f1, [%rd11]; "
      "END: ret;",
      {1, 1, 1}, {8, 1, 1});
  EXPECT_THAT(Evaluate(kernel).problem, HasSubstr("has no defined result"));
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
