// A record as JSON: what grows is there only where it was asked for, and says what the record
// holds.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "app/results/run_json.h"

namespace flagstone {
namespace json_test {

// Two launches: one with detail, on two SMs, one slice and two channels; one from a checkpoint.
RunRecord Record() {
  RunRecord record;
  record.engine = "model";
  record.counters.emplace(2);
  std::vector<uint64_t> counts(record.counters->sms.columns());
  counts[0] = 7;
  counts[kSmCounts.size()] = 9;
  record.counters->sms.Add(0, counts);
  LaunchRecord launch;
  launch.entry = "k";
  LaunchDetail detail;
  detail.tbs = {{.tb = 4, .from = 10, .to = 50, .sm = 0, .slot = 1, .group = 1},
                {.tb = 0, .from = 12, .to = 40, .sm = 0, .slot = 0, .group = 0},
                {.tb = 2, .from = 10, .to = 60, .sm = 1, .slot = 0, .group = 1}};
  detail.groups.groups = {{0}, {4, 2}};
  detail.steals = {{.cycle = 33, .tbs = 2, .donor = 1, .thief = 0}};
  detail.parts.sms.resize(2);
  detail.parts.sms[0].l1.accesses = 5;
  detail.parts.sms[1].l1.accesses = 6;
  detail.parts.sms[1].l1.load_latency.Add(4);
  detail.parts.l2_slices.resize(1);
  detail.parts.l2_slices[0].l2.hits = 3;
  detail.parts.dram_channels.resize(2);
  detail.parts.dram_channels[1].dram.reads = 8;
  detail.loads = {{3, 30, {.executed = 4, .accesses = 16, .misses = 2, .cycles = 400}}};
  launch.detail = detail;
  record.kernels = {{"k", {29, 30}, {"mov.u32 %r1, 0;", "ld.global.u32 %r2, [%rd1];"}}};
  record.launches = {launch, {}};
  return record;
}

// What a reader does to get a column back.
std::vector<int64_t> Undo(const Json& differences) {
  std::vector<int64_t> column;
  for (const Json& difference : differences) {
    column.push_back((column.empty() ? 0 : column.back()) + difference.get<int64_t>());
  }
  return column;
}

TEST(RunJson, HasNoKeyMoreWithoutDetail) {
  const Json with = ToJson(Record(), "1", "c", true);
  Json without = ToJson(Record(), "1", "c");
  EXPECT_FALSE(without.contains("counters"));
  Json stripped = with;
  stripped.erase("counters");
  stripped.erase("kernels");
  for (Json& launch : stripped["launches"]) {
    for (const char* key :
         {"timeline", "groups", "steals", "loads", "sms", "l2_slices", "dram_channels"}) {
      EXPECT_EQ(launch.erase(key), 1U) << key;
    }
  }
  EXPECT_EQ(stripped.dump(), without.dump());
}

TEST(RunJson, CodesTheColumnsOfTheTimelineAsDifferences) {
  const Json timeline = ToJson(Record(), "1", "c", true)["launches"][0]["timeline"];
  EXPECT_EQ(timeline["tb"].dump(), "[4,-4,2]");
  EXPECT_EQ(Undo(timeline["tb"]), (std::vector<int64_t>{4, 0, 2}));
  EXPECT_EQ(Undo(timeline["sm"]), (std::vector<int64_t>{0, 0, 1}));
  EXPECT_EQ(Undo(timeline["slot"]), (std::vector<int64_t>{1, 0, 0}));
  EXPECT_EQ(Undo(timeline["from"]), (std::vector<int64_t>{10, 12, 10}));
  EXPECT_EQ(Undo(timeline["to"]), (std::vector<int64_t>{50, 40, 60}));
}

TEST(RunJson, ListsGroupsStealsAndThePartsOfTheChip) {
  const Json launch = ToJson(Record(), "1", "c", true)["launches"][0];
  EXPECT_EQ(launch["groups"].dump(), "[[0],[4,2]]");
  EXPECT_EQ(launch["steals"].dump(), R"([{"cycle":33,"donor":1,"thief":0,"tbs":2}])");
  EXPECT_EQ(launch["sms"]["l1"]["accesses"].dump(), "[5,6]");
  EXPECT_EQ(launch["sms"]["l1"]["load_latency"]["buckets"][1][2], 1);
  EXPECT_EQ(launch["l2_slices"]["l2"]["hits"].dump(), "[3]");
  EXPECT_EQ(launch["dram_channels"]["dram"]["reads"].dump(), "[0,8]");
  // What the run did not count, and what another kind of part counts.
  EXPECT_TRUE(launch["sms"]["l1"]["classes"]["cold"].is_null());
  EXPECT_FALSE(launch["sms"].contains("l2"));
  EXPECT_FALSE(launch["sms"].contains("noc"));
  EXPECT_FALSE(launch["sms"].contains("cycles"));
}

TEST(RunJson, ListsTheLoadsOfALaunchAndTheInstructionsOfTheRunsKernels) {
  const Json json = ToJson(Record(), "1", "c", true);
  EXPECT_EQ(json["launches"][0]["loads"].dump(),
            R"([{"pc":3,"line":30,"executed":4,"accesses":16,"misses":2,"cycles":400}])");
  EXPECT_EQ(json["kernels"][0]["entry"], "k");
  EXPECT_EQ(json["kernels"][0]["line"].dump(), "[29,30]");
  EXPECT_EQ(json["kernels"][0]["text"][1], "ld.global.u32 %r2, [%rd1];");
}

TEST(RunJson, HasCountersOverTimeBySm) {
  const Json counters = ToJson(Record(), "1", "c", true)["counters"];
  EXPECT_EQ(counters["sms"]["cycles"], Counters::kFirstWidth);
  EXPECT_EQ(counters["sms"]["l1_accesses"].dump(), "[[7],[9]]");
  EXPECT_EQ(counters["gpu"]["samples"].dump(), "[]");
}

TEST(RunJson, AResumedLaunchHasNoDetail) {
  const Json launch = ToJson(Record(), "1", "c", true)["launches"][1];
  for (const char* key :
       {"timeline", "groups", "steals", "loads", "sms", "l2_slices", "dram_channels"}) {
    ASSERT_TRUE(launch.contains(key)) << key;
    EXPECT_TRUE(launch[key].is_null()) << key;
  }
}

}  // namespace json_test
}  // namespace flagstone
