// Policies that go by registers, on RTL and model in lockstep: which SM ran which TB, and when, is
// what the policy's rule says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "app/flow/run/run.h"

namespace flagstone {
namespace policy_runs_test {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::UnorderedElementsAreArray;

struct Span {
  uint32_t tb = 0;
  uint64_t from = 0, to = 0;
};

// matmul's 4 x 4 TBs on the two SMs of `tiny`, four at once on each unless `settings` say else: by
// SM, in order of start.
std::vector<std::vector<Span>> SpansOf(const std::string& policy,
                                       const std::vector<std::string>& settings = {}) {
  RunOptions options;
  options.workload = "matmul";
  options.machine = MachineConfig::Load("tiny", settings);
  options.policy = policy;
  options.engine = Engine::kLockstep;
  options.detail = true;
  const RunRecord record = RunWorkload(options);
  EXPECT_TRUE(record.ChecksPassed());
  EXPECT_GT(record.lockstep_cycles, 0U);
  EXPECT_EQ(record.policy, policy);
  std::vector<std::vector<Span>> spans(record.launches[0].detail->parts.sms.size());
  for (const PlacedTb& placed : record.launches[0].detail->tbs) {
    spans[placed.sm].push_back({static_cast<uint32_t>(placed.tb), placed.from, placed.to});
  }
  for (std::vector<Span>& list : spans) {
    std::sort(list.begin(), list.end(),
              [](const Span& x, const Span& y) { return x.from < y.from; });
  }
  return spans;
}

std::vector<uint32_t> Tbs(const std::vector<Span>& spans) {
  std::vector<uint32_t> tbs;
  for (const Span& span : spans) tbs.push_back(span.tb);
  return tbs;
}

size_t MostAtOnce(const std::vector<Span>& spans) {
  size_t most = 0;
  for (const Span& a : spans) {
    most = std::max<size_t>(
        most, static_cast<size_t>(std::count_if(spans.begin(), spans.end(), [&](const Span& b) {
          return b.from <= a.from && a.from < b.to;
        })));
  }
  return most;
}

TEST(PolicyRuns, CtaMappingGivesEachSmItsRowsOrColumnsInOrder) {
  const Dim3 grid = {4, 4, 1};
  for (const auto& [policy, direction] :
       {std::pair("cta-x", CtaDirection::kX), std::pair("cta-y", CtaDirection::kY)}) {
    const auto expected = AssignCtas(grid, 2, direction);
    const auto spans = SpansOf(policy);
    ASSERT_EQ(spans.size(), 2U);
    for (size_t sm = 0; sm < 2; ++sm) {
      EXPECT_THAT(Tbs(spans[sm]), ElementsAreArray(expected[sm])) << policy << " sm" << sm;
    }
  }
}

// Algorithm 1 for matmul: rows of A along x as far as columns of B along y, and x wins a tie.
TEST(PolicyRuns, CtaAutoGoesAlongTheDirectionOfTheAnalysis) {
  const auto spans = SpansOf("cta-auto");
  const auto expected = AssignCtas({4, 4, 1}, 2, CtaDirection::kX);
  ASSERT_EQ(spans.size(), 2U);
  EXPECT_THAT(Tbs(spans[0]), UnorderedElementsAreArray(expected[0]));
}

TEST(PolicyRuns, CacheFitHoldsNoMoreThanItsLimit) {
  for (const uint32_t limit : {1U, 3U}) {
    const auto spans = SpansOf("cache-fit:tbs=" + std::to_string(limit));
    for (const std::vector<Span>& sm : spans) EXPECT_EQ(MostAtOnce(sm), limit);
  }
}

// Each TB reads 16 rows of A of 256 bytes, and of 64 rows of B half a line of 128 bytes each, which
// comes as a whole: 12 KB. In 8 KB there is room for none, and one runs all the same.
TEST(PolicyRuns, CacheFitAutoHoldsAsManyTbsAsTheL1HasRoomFor) {
  for (const auto& [kib, limit] : {std::pair{"8", 1U}, {"32", 2U}, {"64", 4U}}) {
    const auto spans = SpansOf("cache-fit:tbs=auto", {std::string("sm.l1.size_kib=") + kib});
    for (const std::vector<Span>& sm : spans) EXPECT_EQ(MostAtOnce(sm), limit) << kib;
  }
}

TEST(PolicyRuns, SwizzleGoesDownTheColumnsOfABand) {
  const auto start = [](const std::string& policy) {
    const auto spans = SpansOf(policy);
    std::vector<uint32_t> first;
    for (size_t i = 0; i < 4; ++i) {  // SM after SM, while all have room
      first.push_back(spans[0][i].tb);
      first.push_back(spans[1][i].tb);
    }
    return first;
  };
  EXPECT_THAT(start("swizzle:rows=2"), ElementsAre(0, 4, 1, 5, 2, 6, 3, 7));
  EXPECT_THAT(start("swizzle:rows=1"), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
}

// Three TBs fit, so that at the start pairs leave a place empty unless throttling is off.
TEST(PolicyRuns, BcsThrottlesOddNumbersOfTbsUnlessToldNotTo) {
  const auto at_first = [](const std::string& policy) {
    const std::vector<Span> spans = SpansOf(policy, {"sm.max_tbs=3"}).front();
    uint64_t end = ~uint64_t{0};
    for (const Span& span : spans) end = std::min(end, span.to);
    return std::count_if(spans.begin(), spans.end(), [&](const Span& s) { return s.from < end; });
  };
  EXPECT_EQ(at_first("bcs"), 2);
  EXPECT_EQ(at_first("bcs:throttle=0"), 3);
}

TEST(PolicyRuns, NothingIsStolenWhereStealingIsOff) {
  RunOptions options;
  options.workload = "vecadd";
  options.size = "paper";
  options.machine = MachineConfig::Load("tiny", {});
  options.engine = Engine::kModel;
  options.policy = "kway";
  EXPECT_GT(RunWorkload(options).totals.tb.stolen, 0U);
  options.policy = "kway:steal=0";
  EXPECT_EQ(RunWorkload(options).totals.tb.stolen, 0U);
}

TEST(PolicyRuns, TheTimeOfALaunchIsItsAnalysisAndItsCyclesOnTheClock) {
  RunOptions options;
  options.workload = "matmul";
  options.machine = MachineConfig::Load("tiny", {});
  options.policy = "rb";
  const RunRecord result = RunWorkload(options);
  EXPECT_GT(result.host.analysis_seconds, 0);
  EXPECT_DOUBLE_EQ(result.host.kernel_and_jit_seconds,
                   result.host.jit_seconds + static_cast<double>(result.totals.cycles) /
                                                 (options.machine.clock.core * 1e6));
}

}  // namespace policy_runs_test
}  // namespace flagstone
