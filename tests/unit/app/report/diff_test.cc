#include "app/report/diff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/error.h"

namespace flagstone {
namespace diff_test {

ResultJson RunOf(const std::string& policy, int issued, int memory, double miss_rate) {
  ResultJson issue = {{"issued", issued}, {"memory", memory}};
  for (const char* key : {"unit", "pipe", "barrier", "fetch", "no_grant", "idle"}) issue[key] = 0;
  return {{"schema", "flagstone.run/1"},
          {"workload", "syrk"},
          {"size", "test"},
          {"machine", "fermi"},
          {"policy", policy},
          {"totals",
           {{"cycles", issued + memory},
            {"sm", {{"issue", issue}}},
            {"l1", {{"miss_rate", miss_rate}, {"misses", nullptr}}}}}};
}

TEST(Diff, SplitsTheChangeOfCyclesByWhatSchedulersDid) {
  const ResultJson diff =
      DiffJson({"a.json", RunOf("lrr", 100, 300, 0.5)}, {"b.json", RunOf("rb", 90, 110, 0.2)});
  const ResultJson& pair = diff["pairs"][0];
  EXPECT_EQ(pair["cycles"]["change"], 200.0 / 400 - 1);
  ASSERT_EQ(pair["explained_by"].size(), 2U);
  EXPECT_EQ(pair["explained_by"][0]["name"], "sm.issue.memory");
  EXPECT_EQ(pair["explained_by"][0]["share"], 190.0 / 200);
  EXPECT_EQ(pair["explained_by"][0]["reasons"][0]["name"], "l1.miss_rate");
  EXPECT_EQ(pair["explained_by"][1]["share"], 10.0 / 200);
  ASSERT_EQ(pair["asked"].size(), 1U);
  EXPECT_EQ(pair["asked"][0]["name"], "policy");
}

TEST(Diff, OfEqualResultsHasNoDifference) {
  const ResultJson diff = DiffJson({"a", RunOf("rb", 1, 2, 0.5)}, {"b", RunOf("rb", 1, 2, 0.5)});
  EXPECT_TRUE(diff["pairs"][0]["differences"].empty());
  EXPECT_TRUE(diff["pairs"][0]["asked"].empty());
  EXPECT_TRUE(diff["pairs"][0]["explained_by"].empty());
}

TEST(Diff, PairsTheRunsOfComparisonsAndNamesThoseThatAreAlone) {
  ResultJson a = {{"schema", "flagstone.compare/1"}, {"runs", ResultJson::array()}};
  ResultJson b = a;
  a["runs"] = {RunOf("lrr", 1, 2, 0.5), RunOf("rb", 1, 3, 0.5)};
  b["runs"] = {RunOf("rb", 1, 4, 0.5), RunOf("bcs", 1, 2, 0.5)};
  const ResultJson diff = DiffJson({"a", a}, {"b", b});
  ASSERT_EQ(diff["pairs"].size(), 1U);
  EXPECT_EQ(diff["pairs"][0]["a"], "syrk test fermi rb");
  EXPECT_EQ(diff["only_a"], ResultJson::parse(R"(["syrk test fermi lrr"])"));
  EXPECT_EQ(diff["only_b"], ResultJson::parse(R"(["syrk test fermi bcs"])"));
}

TEST(Diff, ComesThroughNullsAndKeysThatOneSideLacks) {
  ResultJson nulls = RunOf("rb", 1, 2, 0.5);
  nulls["totals"] = {{"cycles", nullptr}, {"other", 3}};
  const ResultJson diff = DiffJson({"a", RunOf("rb", 1, 2, 0.5)}, {"b", nulls});
  EXPECT_TRUE(diff["pairs"][0]["explained_by"].empty());
  EXPECT_FALSE(diff["pairs"][0]["differences"].empty());
}

TEST(Diff, RefusesResultsThatHaveNothingInCommon) {
  const ResultJson empty = {{"schema", "flagstone.compare/1"}, {"runs", ResultJson::array()}};
  EXPECT_THROW(DiffJson({"a", RunOf("rb", 1, 2, 0.5)}, {"b", empty}), Error);
  EXPECT_THROW(DiffJson({"a", empty}, {"b", empty}), Error);
}

}  // namespace diff_test
}  // namespace flagstone
