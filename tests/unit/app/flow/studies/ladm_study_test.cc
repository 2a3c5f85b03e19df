// LADM's localities and schedulers beside those that are published.
#include "app/flow/studies/ladm_study.h"

#include <gtest/gtest.h>

#include <string>

#include "app/flow/reproduce/experiment.h"
#include "app/flow/studies/load_study.h"
#include "base/toml_reader.h"
#include "kernels/launch/workload.h"
#include "tests/unit/base/error_message.h"

namespace flagstone {
namespace ladm_study_test {

Json RowsOf(const std::string& name) {
  return LadmRows(name, Workload::Load(FindWorkload(name), "test"));
}

TEST(LadmStudy, NamesTheArrayThatDecides) {
  const Json rows = RowsOf("sgemm_lstm1");
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0]["kernel"], "sgemm_32x4");
  EXPECT_EQ(rows[0]["arrays"][0], Json({{"name", "a"}, {"type", "row-horizontal"}}));
  EXPECT_EQ(rows[0]["arrays"][1], Json({{"name", "b"}, {"type", "col-vertical"}}));
  EXPECT_EQ(rows[0]["decided_by"], "b");
  EXPECT_EQ(rows[0]["locality"], "RCL");
  EXPECT_EQ(rows[0]["scheduler"], "col-binding");
}

TEST(LadmStudy, AKernelThatIsLaunchedAgainIsOneRow) {
  const Json rows = RowsOf("fwt");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0]["kernel"], "fwt_quarters");
  EXPECT_EQ(rows[0]["locality"], "NL");
}

Json Row(const Json& locality, const Json& scheduler) {
  return {{"locality", locality},
          {"scheduler", scheduler},
          {"theirs", {{"locality", "NL-Xstride"}, {"scheduler", "align-aware"}}}};
}

TEST(LadmStudy, ComparesAllButTheDirectionOfStrides) {
  EXPECT_TRUE(LadmAgrees(Row("NL", "align-aware")));
  EXPECT_FALSE(LadmAgrees(Row("NL", "row-binding")));
  EXPECT_FALSE(LadmAgrees(Row("RCL", "align-aware")));
  EXPECT_FALSE(LadmAgrees(Row(nullptr, nullptr)));
  const Json rows = {Row("NL", "align-aware"), Row("NL", "row-binding"), Row("ITL", "align-aware"),
                     Row(nullptr, nullptr)};
  EXPECT_EQ(SummarizeLadm(rows),
            Json({{"kernels", 4}, {"localities", 2}, {"schedulers", 2}, {"both", 1}}));
}

TEST(LadmStudy, AWrongWordNamesItsLine) {
  EXPECT_EQ(BadInputMessage([] {
              const toml::table table = ParseToml("locality = \"NL\"\nscheduler = \"rows\"", "e");
              ReadTheirLadm(TomlReader(table, "e", "[[kernel]]"));
            }),
            "e:2:13: key 'scheduler' is 'rows': expected one of align-aware, row-binding, "
            "col-binding, kernel-wide");
}

TEST(LadmStudy, ThePapersTable4IsMetOrExplained) {
  const LoadStudy study = *Experiment::Load("ladm-table4").study;
  Json rows = Json::array();
  for (size_t run = 0; run < study.runs.size(); ++run) {
    const RunOptions& options = study.runs[run];
    const Workload workload = Workload::Load(FindWorkload(options.workload), options.size);
    const Json record = RunLoadStudy(study, run, workload);
    for (const Json& row : record["rows"]) rows.push_back(row);
  }
  const Json summary = JudgeLoadStudy(study, &rows);
  EXPECT_EQ(rows.size(), 27U) << "of Table IV";
  EXPECT_TRUE(IsReproduced(rows)) << rows.dump(1);
  EXPECT_EQ(summary["both"], 21);
}

}  // namespace ladm_study_test
}  // namespace flagstone
