// Which TBs do the same elsewhere, and what their warps' steps are.
#include "analyzer/replay/traces.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/analyzer/address/kernel_under_analysis.h"

namespace flagstone::replay {
namespace traces_test {

using Kind = Step::Kind;

struct Case {
  Case(const std::string& body, uint32_t n)
      : kernel(body, {4, 1, 1}, {64, 1, 1}, n),
        addresses(kernel.Analyze()),
        traces(kernel.launch(), addresses, MachineConfig::Load("fermi", {}).sm) {}

  // Of a warp of a TB; lines are those of the launch.
  std::vector<Step> StepsOf(uint32_t tb, uint32_t warp) {
    const Trace& trace = traces.Of(tb);
    std::vector<uint32_t> bases(traces.accesses());
    traces.FindBases(tb, bases.data());
    std::vector<Step> steps;  // without the end
    for (size_t i = trace.first[warp]; trace.steps[i].kind != Kind::kEnd; ++i) {
      steps.push_back(trace.steps[i]);
    }
    for (Step& step : steps) {
      if (step.sectors != 0) step.line += bases[step.access];
    }
    return steps;
  }

  KernelUnderAnalysis kernel;
  AddressAnalysis addresses;
  Traces traces;
};

// a[i] of the threads below n.
constexpr const char* kGuarded =
    "setp.ge.u32 %p1, %r6, %r1; @%p1 bra END; mul.wide.s32 %rd10, %r6, 4; "
    "add.s64 %rd11, %rd1, %rd10; ld.global.f32 %f1, [%rd11]; END: ret;";

TEST(Traces, OfOneTbStandForThoseThatDoTheSameElsewhere) {
  Case guarded(kGuarded, 200);
  EXPECT_EQ(&guarded.traces.Of(0), &guarded.traces.Of(2));
  const auto first = static_cast<uint32_t>(guarded.kernel.a() / kLineBytes);
  EXPECT_EQ(guarded.StepsOf(0, 1).front().line, first + 1);
  EXPECT_EQ(guarded.StepsOf(2, 1).front().line, first + 5);
  EXPECT_EQ(guarded.StepsOf(2, 1).front().sectors, kAllSectors);
}

// Of TB 3 eight threads are below 200.
TEST(Traces, OfATbAtABorderAreItsOwn) {
  Case guarded(kGuarded, 200);
  EXPECT_NE(&guarded.traces.Of(0), &guarded.traces.Of(3));
  EXPECT_EQ(guarded.StepsOf(3, 0).front().sectors, 0b0001);
  EXPECT_EQ(guarded.traces.Of(3).whole.loaded, 1);
}

TEST(Traces, OfATbWithoutWorkAreItsOwn) {
  Case guarded(kGuarded, 128);
  EXPECT_EQ(guarded.traces.Of(1).whole.loaded, 8);
  EXPECT_EQ(guarded.traces.Of(2).whole.loaded, 0);
  EXPECT_EQ(&guarded.traces.Of(2), &guarded.traces.Of(3));
}

// Every 320 bytes: every other TB begins in the midst of a line.
TEST(Traces, OfTbsThatBeginElsewhereInALineAreOthers) {
  Case uneven(
      "mul.wide.s32 %rd10, %r4, 320; add.s64 %rd11, %rd1, %rd10; mul.wide.s32 %rd12, %r3, 4; "
      "add.s64 %rd11, %rd11, %rd12; ld.global.f32 %f1, [%rd11]; ret;",
      0);
  EXPECT_NE(&uneven.traces.Of(0), &uneven.traces.Of(1));
  EXPECT_EQ(&uneven.traces.Of(0), &uneven.traces.Of(2));
  EXPECT_EQ(uneven.StepsOf(1, 0).size(), 2U);  // two lines
  EXPECT_TRUE(uneven.StepsOf(1, 0)[1].goes_on);
}

TEST(Traces, WaitForTheLoadWhoseResultIsStored) {
  Case copy(
      "mul.wide.s32 %rd10, %r6, 4; add.s64 %rd11, %rd1, %rd10; add.s64 %rd12, %rd2, %rd10; "
      "ld.global.f32 %f1, [%rd11]; ld.global.f32 %f2, [%rd11+4]; "
      "st.global.f32 [%rd12], %f1; ret;",
      0);
  const std::vector<Step> steps = copy.StepsOf(0, 0);
  ASSERT_EQ(steps.size(), 5U);
  EXPECT_EQ(steps[0].kind, Kind::kLoad);
  EXPECT_EQ(steps[3].kind, Kind::kResult);
  EXPECT_EQ(steps[3].line, 1U);
  EXPECT_EQ(steps[4].kind, Kind::kStore);
}

}  // namespace traces_test
}  // namespace flagstone::replay
