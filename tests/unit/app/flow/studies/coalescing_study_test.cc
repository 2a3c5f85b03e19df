// Static coalescing beside simulated sectors and hits, on kernels whose figures are counted by
// hand.
#include "app/flow/studies/coalescing_study.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "app/flow/reproduce/experiment.h"
#include "app/flow/studies/load_study.h"
#include "kernels/launch/workload.h"
#include "tests/unit/base/error_message.h"

namespace flagstone {
namespace coalescing_study_test {

Json RowsOf(const std::string& name, const std::string& size) {
  RunOptions options;
  options.workload = name;
  options.size = size;
  options.machine = MachineConfig::Load("tiny", {"sm.l1.sector_bytes=32"});
  options.engine = Engine::kModel;
  bool interrupted = true;
  const Json rows = CoalescingRows(options, Workload::Load(FindWorkload(name), size), &interrupted);
  EXPECT_FALSE(interrupted);
  return rows;
}

TEST(CoalescingStudy, AStreamHasItsSectorsAndNoHits) {
  const Json rows = RowsOf("stride_4", "paper");
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0]["degree"], 0.25);
  EXPECT_EQ(rows[0]["sector_expectation"], 16);
  EXPECT_EQ(rows[0]["sectors_per_request"], 16);
  EXPECT_EQ(rows[0]["hit_rate"], 0);
  EXPECT_EQ(rows[0]["hit_rate_with_stores"], 4.0 / 20) << "a warp stores four sectors";
}

TEST(CoalescingStudy, AWordOfAllWarpsMissesOnceOnEachSm) {
  const Json rows = RowsOf("same_location", "paper");
  EXPECT_EQ(rows[0]["sectors_per_request"], 1);
  EXPECT_EQ(rows[0]["hit_rate"], 62.0 / 64) << "64 warps on two SMs; what is on its way hits";
}

TEST(CoalescingStudy, LaunchesOfAKernelAreOneRow) {
  const Json rows = RowsOf("conv3d", "test");
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0]["loads"], 8 * 11);
  EXPECT_EQ(rows[0]["degree"], 0.5);
}

TEST(CoalescingStudy, AgreesToTheDigitsThatAreGiven) {
  Json row = {
      {"degree", 0.03125},
      {"sectors_in_range", 1},
      {"sector_expectation", 32.004},
      {"theirs", {{"degree", 0.0313}, {"sectors_in_range", 1}, {"sector_expectation", 32}}}};
  EXPECT_TRUE(CoalescingAgrees(row));
  row["sector_expectation"] = 32.006;
  EXPECT_FALSE(CoalescingAgrees(row));
  row["sector_expectation"] = 32;
  row["sectors_in_range"] = 2;
  EXPECT_FALSE(CoalescingAgrees(row));
  row["sectors_in_range"] = 1;
  row["degree"] = 0.0312;
  EXPECT_FALSE(CoalescingAgrees(row));
  row["degree"] = nullptr;
  EXPECT_FALSE(CoalescingAgrees(row));
}

Json Row(double degree, double hits, double with_stores, double expected, double executed) {
  return {{"degree", degree},
          {"hit_rate", hits},
          {"hit_rate_with_stores", with_stores},
          {"sector_expectation", expected},
          {"sectors_per_request", executed},
          {"theirs", nullptr}};
}

TEST(CoalescingStudy, CountsTheKernelsThatTheClaimIsAbout) {
  Json rows = {Row(0.2, 0.9, 0.9, 1, 2), Row(0.7, 0.7, 0.7, 2, 3), Row(0.8, 0.5, 0.7, 3, 4),
               Row(1, 0.7, 0.8, 4, 5)};
  for (size_t i = 1; i < 4; ++i) {
    const auto falls = -static_cast<double>(i);
    rows[i]["theirs"] = {{"sector_expectation", i}, {"sectors_per_request", falls}};
  }
  Json unknown = Row(1, 1, 1, 1, 9);
  unknown["degree"] = nullptr;
  rows.push_back(unknown);
  const Json sets = SummarizeCoalescing(rows)["sets"];
  const Json& published = sets[0];
  EXPECT_EQ(published["kernels"], 3);
  EXPECT_EQ(published["high_degree"], 2) << "above 70 %, not at it";
  EXPECT_EQ(published["high_hits"], 1);
  EXPECT_EQ(published["high_hits_with_stores"], 2);
  EXPECT_NEAR(published["their_expectation_and_sectors"], -1, 1e-12);
  const Json& all = sets[1];
  EXPECT_EQ(all["kernels"], 4) << "that without a degree has no part";
  EXPECT_NEAR(all["expectation_and_sectors"], 1, 1e-12);
  EXPECT_LT(all["degree_and_hits"], 0);
  EXPECT_TRUE(all["their_expectation_and_sectors"].is_null());
}

LoadStudy TwoKernels() {
  LoadStudy study;
  study.kind = LoadStudy::Kind::kCoalescing;
  const Json theirs = {{"degree", 1},
                       {"sectors_in_range", 4},
                       {"sector_expectation", 4},
                       {"sectors_per_request", 4}};
  study.published = {{"w", "second", "Second", theirs, ""}, {"w", "first", "First", theirs, "why"}};
  return study;
}

Json RowsOfW() {
  Json rows = Json::array();
  for (const char* kernel : {"other", "first", "second"}) {
    Json row = Row(1, 0.5, 0.5, 4, 4);
    row.update({{"workload", "w"}, {"kernel", kernel}, {"sectors_in_range", 4}});
    rows.push_back(row);
  }
  return rows;
}

TEST(JudgeLoadStudy, PutsThePublishedKernelsFirstInTheirOrder) {
  Json rows = RowsOfW();
  JudgeLoadStudy(TwoKernels(), &rows);
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0]["label"], "Second");
  EXPECT_EQ(rows[0]["agrees"], true);
  EXPECT_EQ(rows[1]["label"], "First");
  EXPECT_EQ(rows[1]["explained"], "") << "there is nothing to explain";
  EXPECT_EQ(rows[2]["label"], "other");
  EXPECT_TRUE(rows[2]["agrees"].is_null());
  EXPECT_TRUE(IsReproduced(rows));
}

TEST(JudgeLoadStudy, ADifferenceFailsUnlessItIsExplained) {
  Json rows = RowsOfW();
  rows[1]["degree"] = 0.5;  // "first", which has a reason
  JudgeLoadStudy(TwoKernels(), &rows);
  EXPECT_EQ(rows[1]["agrees"], false);
  EXPECT_EQ(rows[1]["explained"], "why");
  EXPECT_TRUE(IsReproduced(rows));
  rows = RowsOfW();
  rows[2]["degree"] = 0.5;
  JudgeLoadStudy(TwoKernels(), &rows);
  EXPECT_FALSE(IsReproduced(rows));
}

TEST(JudgeLoadStudy, AKernelThatIsNotLaunchedIsBadInput) {
  Json rows = RowsOfW();
  rows.erase(2);
  EXPECT_EQ(BadInputMessage([&] { JudgeLoadStudy(TwoKernels(), &rows); }),
            "workload 'w' launches no kernel 'second', or [[kernel]] names it twice");
  rows = Json::array();  // the workload's run has failed
  JudgeLoadStudy(TwoKernels(), &rows);
  EXPECT_TRUE(rows.empty());
}

TEST(CoalescingStudy, ThePapersTable3IsMetOrExplained) {
  LoadStudy study = *Experiment::Load("coalescing").study;
  Json rows = Json::array();
  for (size_t run = 0; run < study.runs.size(); ++run) {
    RunOptions& options = study.runs[run];
    const bool published =
        std::any_of(study.published.begin(), study.published.end(),
                    [&](const auto& p) { return p.workload == options.workload; });
    if (!published) continue;
    options.engine = Engine::kModel;
    const Workload workload = Workload::Load(FindWorkload(options.workload), options.size);
    const Json record = RunLoadStudy(study, run, workload);
    for (const Json& row : record["rows"]) rows.push_back(row);
  }
  const Json summary = JudgeLoadStudy(study, &rows);
  ASSERT_EQ(rows.size(), 13U);
  EXPECT_TRUE(IsReproduced(rows)) << rows.dump(1);
  for (size_t i = 0; i < 4; ++i) {  // the baselines, which are measured too as they are analysed
    EXPECT_EQ(rows[i]["agrees"], true) << rows[i];
    EXPECT_EQ(rows[i]["sectors_per_request"], rows[i]["theirs"]["sectors_per_request"]) << rows[i];
  }
  EXPECT_GT(summary["sets"][0]["expectation_and_sectors"], 0.9);
}

}  // namespace coalescing_study_test
}  // namespace flagstone
