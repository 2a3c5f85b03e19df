// What TBs share beside what is published of PAVER's benchmarks.
#include "app/flow/studies/sharing_study.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "analyzer/locality/locality_graph.h"
#include "app/flow/reproduce/experiment.h"
#include "app/flow/studies/load_study.h"
#include "base/toml_reader.h"
#include "kernels/launch/workload.h"
#include "tests/unit/base/error_message.h"

namespace flagstone {
namespace sharing_study_test {

TEST(DistributeReads, CountsADatumOnceForEachTbThatReadsIt) {
  SharerSets sharers;
  sharers.tb_count = 4;
  sharers.Add(std::vector<uint32_t>{0, 1, 3}, 10);
  sharers.families.back().several_warps = 2;
  sharers.Add(std::vector<uint32_t>{2}, 5);
  sharers.shared_by_all = 7;
  const DataDistribution reads = DistributeReads(sharers), data = Distribute(sharers);
  EXPECT_EQ(reads.unshared, 5U);
  EXPECT_EQ(reads.intra_tb, 0U);
  EXPECT_EQ(reads.inter_tb, 8U * 3 + 7 * 4);
  EXPECT_EQ(reads.both, 2U * 3);
  EXPECT_EQ(data.inter_tb, 8U + 7);
  EXPECT_EQ(data.both, 2U);
}

TEST(SharingStudy, ARowIsOfTheLaunchThatReadsTheMostData) {
  const Json rows = SharingRows("bfs", Workload::Load(FindWorkload("bfs"), "test"));
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0]["kernel"], "bfs_expand");
  // The first launch looks at one node of the frontier: each thread reads its own flag alone.
  const Workload workload = Workload::Load(FindWorkload("bfs"), "test");
  const uint64_t flags = workload.launches[0].grid.Count() * workload.launches[0].block.Count();
  EXPECT_GT(rows[0]["references"], flags);
  EXPECT_GT(rows[0]["shared_tbs"], 0);
  EXPECT_EQ(rows[0]["inter_tb"], "low");
}

TEST(SharingStudy, SharesOfReadsAndOfDataAddUpToOne) {
  const Json rows = SharingRows("hotspot", Workload::Load(FindWorkload("hotspot"), "test"));
  for (const char* of : {"data", "reads"}) {
    double sum = 0;
    for (const Json& share : rows[0][of]) sum += share.get<double>();
    EXPECT_NEAR(sum, 1, 1e-12) << of;
  }
  EXPECT_GT(rows[0]["reads"]["inter_tb"], rows[0]["data"]["inter_tb"]);
  EXPECT_EQ(rows[0]["inter_tb"], "high");
}

Json Row(double sp_score, uint64_t references, const std::string& inter_tb) {
  Json row = {{"tbs", 10}, {"references", references}, {"sp_score", sp_score}, {"shared_tbs", 10}};
  row["inter_tb"] = inter_tb;
  row["reads"] = {{"inter_tb", 0.25}, {"both", 0.5}};
  row["theirs"] = {{"tbs", 10},        {"references", 100},          {"sp_score", 0.12345678},
                   {"shared_tbs", 10}, {"degree_of_sharing", 0.017}, {"inter_tb", "low"}};
  return row;
}

TEST(SharingStudy, AgreesWithNumbersExactlyAndWithSpScoreToSixPlaces) {
  EXPECT_TRUE(SharingAgrees(Row(0.1234571, 100, "low")));
  EXPECT_FALSE(SharingAgrees(Row(0.1234575, 100, "low")));
  EXPECT_FALSE(SharingAgrees(Row(0.1234568, 101, "low")));
  EXPECT_FALSE(SharingAgrees(Row(0.1234568, 100, "high")));
  Json silent = Row(0.5, 1, "none");
  for (Json& value : silent["theirs"]) value = nullptr;
  EXPECT_TRUE(SharingAgrees(silent)) << "what the paper does not say cannot differ";
  const Json summary = SummarizeSharing({Row(0.1234568, 100, "low"), Row(0.5, 100, "low")});
  EXPECT_EQ(summary, Json({{"kernels", 2}, {"agree", 1}, {"mean_shared", 0.75}}));
}

TEST(SharingStudy, AWrongClassNamesItsLine) {
  EXPECT_EQ(BadInputMessage([] {
              const toml::table table = ParseToml("tbs = 3\ninter_tb = \"some\"", "e");
              ReadTheirSharing(TomlReader(table, "e", "[[kernel]]"));
            }),
            "e:2:12: key 'inter_tb' is 'some': expected one of high, low, none");
}

// Those kernels of both that are quick.
TEST(SharingStudy, PaversTable2AndFig2AreMetOrExplained) {
  for (const auto& [name, agree] : {std::pair{"paver-table2", 2}, {"paver-fig2", 4}}) {
    const LoadStudy study = *Experiment::Load(name).study;
    Json rows = Json::array();
    for (size_t run = 0; run < study.runs.size(); ++run) {
      const RunOptions& options = study.runs[run];
      const std::string& workload = options.workload;
      const bool quick = workload == "hotspot" || workload == "syrk" || workload == "matmul" ||
                         workload == "blackscholes";
      if (!quick) continue;
      const Json record =
          RunLoadStudy(study, run, Workload::Load(FindWorkload(workload), options.size));
      for (const Json& row : record["rows"]) rows.push_back(row);
    }
    const Json summary = JudgeLoadStudy(study, &rows);
    EXPECT_EQ(rows.size(), 4U) << name;
    EXPECT_TRUE(IsReproduced(rows)) << rows.dump(1);
    EXPECT_EQ(summary["agree"], agree) << name;
  }
}

}  // namespace sharing_study_test
}  // namespace flagstone
