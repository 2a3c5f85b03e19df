// Policies that go by registers, on RTL and model in lockstep: which SM ran which TB, and when, is
// what the policy's rule says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "flow/run.h"
#include "systemc/timeline.h"

namespace flagstone {
namespace {

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
  Timeline timeline({});
  RunRequest request;
  request.workload = "matmul";
  request.machine = MachineConfig::Load("tiny", settings);
  request.policy = &FindPolicy(policy);
  request.engine = Engine::kLockstep;
  request.timeline = &timeline;
  const RunResult result = RunWorkload(request);
  EXPECT_TRUE(result.ChecksPassed());
  EXPECT_GT(result.lockstep_cycles, 0U);
  EXPECT_EQ(result.policy, policy);
  std::map<int, std::vector<Span>> by_sm;
  const auto document = nlohmann::json::parse(timeline.ToJson("").text);
  for (const auto& event : document["traceEvents"]) {
    if (event["ph"] != "X" || event["pid"] < 2) continue;
    const uint64_t from = event["ts"];
    by_sm[event["pid"]].push_back({event["args"]["tb"], from, from + event["dur"].get<uint64_t>()});
  }
  std::vector<std::vector<Span>> spans;
  for (auto& [sm, list] : by_sm) {
    std::sort(list.begin(), list.end(),
              [](const Span& a, const Span& b) { return a.from < b.from; });
    spans.push_back(list);
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
  RunRequest request;
  request.workload = "vecadd";
  request.size = "paper";
  request.machine = MachineConfig::Load("tiny", {});
  request.engine = Engine::kModel;
  request.policy = &FindPolicy("kway");
  EXPECT_GT(RunWorkload(request).totals.tb.stolen, 0U);
  request.policy = &FindPolicy("kway:steal=0");
  EXPECT_EQ(RunWorkload(request).totals.tb.stolen, 0U);
}

TEST(PolicyRuns, TheTimeOfALaunchIsItsAnalysisAndItsCyclesOnTheClock) {
  RunRequest request;
  request.workload = "matmul";
  request.machine = MachineConfig::Load("tiny", {});
  request.policy = &FindPolicy("rb");
  const RunResult result = RunWorkload(request);
  EXPECT_GT(result.host.analysis_seconds, 0);
  EXPECT_DOUBLE_EQ(result.host.kernel_and_jit_seconds,
                   result.host.analysis_seconds + static_cast<double>(result.totals.cycles) /
                                                      (request.machine.clock.core * 1e6));
}

}  // namespace
}  // namespace flagstone
