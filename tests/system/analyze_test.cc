// `flagstone analyze`: the locality graph of real kernels, stage by stage.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "base/file.h"
#include "tests/system/command.h"

namespace flagstone {
namespace analyze_test {

using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

Json AnalyzeJson(const std::string& arguments) {
  const CommandResult result = RunFlagstone("analyze " + arguments + " --json -q");
  EXPECT_EQ(result.exit_code, 0) << arguments << "\n" << result.err;
  return Json::parse(result.out, nullptr, false);
}

// PAVER's Table 2: SpScore 0.857988166 at 169 TBs, that is 4,056 off-diagonal non-zeros.
TEST(Analyze, MatmulsGraphHasTheEdgesOfThePaper) {
  const Json launch = AnalyzeJson("matmul --size paper")["launches"][0];
  EXPECT_EQ(launch["graph"]["tbs"], 169);
  EXPECT_EQ(launch["graph"]["edges"], 4056 / 2);
  EXPECT_EQ(launch["graph"]["shared_tbs"], 169);
  EXPECT_NEAR(launch["graph"]["sp_score"].get<double>(), 0.857988166, 1e-8);
}

// Table 2: SpScore 0.995823097 at 1,849 TBs, that is 14,280 off-diagonal non-zeros.
TEST(Analyze, HotspotsGraphHasTheEdgesOfThePaper) {
  const Json launch = AnalyzeJson("hotspot --size paper")["launches"][0];
  EXPECT_EQ(launch["graph"]["tbs"], 1849);
  EXPECT_EQ(launch["graph"]["edges"], 14280 / 2);
}

TEST(Analyze, GroupsHoldEachTbOnceAndFitAnSm) {
  const Json launch = AnalyzeJson("syrk --size paper --policy rb")["launches"][0];
  std::multiset<uint64_t> tbs;
  for (const Json& group : launch["groups"]) {
    EXPECT_LE(group.size(), launch["tbs_per_sm"].get<size_t>());
    for (const Json& tb : group) tbs.insert(tb.get<uint64_t>());
  }
  EXPECT_EQ(tbs.size(), 256U);
  EXPECT_EQ(std::set<uint64_t>(tbs.begin(), tbs.end()).size(), 256U);
  EXPECT_GT(launch["kept_weight"].get<double>(), 0.0);
  EXPECT_LT(launch["union_ratio"].get<double>(), 1.0);
}

TEST(Analyze, IndirectLoadsAreReportedAndLeftOut) {
  const Json launch = AnalyzeJson("spmv")["launches"][0];
  std::multiset<std::string> classes;
  for (const Json& load : launch["loads"]) classes.insert(load["class"].get<std::string>());
  EXPECT_GT(classes.count("indirect"), 0U);
  EXPECT_GT(classes.count("affine"), 0U);
  EXPECT_GT(launch["graph"]["skipped_loads"], 0);
}

TEST(Analyze, KnownDataBringInTheIndirectLoads) {
  const Json left_out = AnalyzeJson("spmv")["launches"][0]["graph"];
  const Json graph = AnalyzeJson("spmv --data known")["launches"][0]["graph"];
  EXPECT_EQ(graph["skipped_loads"], 0);
  EXPECT_GT(graph["edges"], left_out["edges"]);
  EXPECT_GT(graph["total_references"], left_out["total_references"]);
  EXPECT_THAT(RunFlagstone("analyze spmv").out, HasSubstr("left out               load in line"));
  EXPECT_EQ(RunFlagstone("analyze spmv --data guessed").exit_code, 2);
}

TEST(Analyze, SetsPoliciesSideBySide) {
  const Json launch = AnalyzeJson("syrk --size paper --policy rb,traffic,tile")["launches"][0];
  ASSERT_EQ(launch["policies"].size(), 3U);
  EXPECT_EQ(launch["policies"][0]["policy"], "rb");
  EXPECT_EQ(launch["policies"][0]["kept_weight"], launch["kept_weight"]);
  EXPECT_EQ(launch["policies"][0]["union_ratio"], launch["union_ratio"]);
  EXPECT_LT(launch["policies"][1]["union_ratio"], launch["policies"][0]["union_ratio"]);
  EXPECT_THAT(RunFlagstone("analyze matmul --policy all").out, HasSubstr("cta-auto"));
}

TEST(Analyze, TellsWhichWayTbsShouldFollow) {
  const Json mapping = AnalyzeJson("matmul --size paper")["launches"][0]["cta_mapping"];
  EXPECT_EQ(mapping["direction"], "x");
  EXPECT_EQ(mapping["distance_x"], 12);
  EXPECT_EQ(mapping["distance_y"], 12);
  EXPECT_EQ(mapping["weight_x"], 4 * 208 * 208);
  EXPECT_EQ(mapping["weight_y"], 4 * 208 * 208);
}

// A TB's eight warps read one half line of b, its neighbour's the other half.
TEST(Analyze, SaysHowManyWarpsGoFirstInEachLoop) {
  const Json mapping = AnalyzeJson("matmul --size paper")["launches"][0]["cta_mapping"];
  const Json& groups = mapping["warp_groups"];
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[0]["line"], nullptr);
  EXPECT_EQ(groups[0]["size"], 0);
  EXPECT_EQ(groups[1]["line"], 60);
  EXPECT_EQ(groups[1]["size"], 16);
  EXPECT_EQ(groups[1]["bound"], 8 * 12);
  EXPECT_THAT(RunFlagstone("analyze matmul --size paper").out,
              HasSubstr("16 in the loop of line 60: 16 share lines"));
}

TEST(Analyze, SharesOutTheData) {
  const Json graph = AnalyzeJson("matmul")["launches"][0]["graph"];
  uint64_t units = 0;
  for (const char* kind : {"unshared", "intra_tb", "inter_tb", "both"}) {
    units += graph["distribution"][kind].get<uint64_t>();
  }
  EXPECT_EQ(units, graph["total_references"].get<uint64_t>());
}

TEST(Analyze, JsonHoldsEveryKeyOfTheSchema) {
  const Json json = AnalyzeJson("matmul");
  EXPECT_EQ(json["schema"], "flagstone.analyze/1");
  for (const char* key : {"parse", "addresses", "graph", "partition"}) {
    EXPECT_TRUE(json["host"]["seconds"].contains(key)) << key;
  }
  for (const char* key : {"loads", "graph", "groups", "kept_weight", "union_ratio", "coalescing",
                          "cta_mapping", "ladm"}) {
    EXPECT_TRUE(json["launches"][0].contains(key)) << key;
  }
}

// Two rows of a 16 x 16 block make a warp: its loads of b are half of what one of 32 x 1 reads.
TEST(Analyze, CoalescingIsThereForTheKernelAndForEachLoad) {
  const Json launch = AnalyzeJson("matmul")["launches"][0];
  std::vector<Json> all = {launch["coalescing"]};
  for (const Json& load : launch["loads"]) all.push_back(load["coalescing"]);
  for (const Json& c : all) {
    for (const char* key :
         {"degree", "sectors_in_range", "sector_expectation", "sectors_per_request", "graph"}) {
      EXPECT_TRUE(c.contains(key)) << key;
    }
    EXPECT_EQ(c["graph"].size(), 32U);
  }
  const Json& of_b = launch["loads"][1]["coalescing"];
  EXPECT_EQ(launch["loads"][1]["array"], "b");
  EXPECT_EQ(of_b["degree"], 1.0);
  EXPECT_EQ(of_b["sectors_in_range"], 2);
  EXPECT_EQ(of_b["sectors_per_request"], 2.0);
}

TEST(Analyze, PagesFitHundredColumns) {
  for (const char* workload : {"syrk", "spmv", "hotspot"}) {
    const CommandResult result = RunFlagstone(std::string("analyze ") + workload);
    std::istringstream page(result.out);
    for (std::string line; std::getline(page, line);) EXPECT_LE(line.size(), 100U) << line;
  }
}

TEST(Analyze, DumpsEveryStage) {
  std::set<std::string> texts;
  for (const char* stage : {"kernel", "addresses", "tree", "footprints", "sharers", "graph",
                            "groups", "image", "coalescing", "ladm"}) {
    const CommandResult result = RunFlagstone(std::string("analyze matmul --dump ") + stage);
    EXPECT_EQ(result.exit_code, 0) << stage << result.err;
    EXPECT_GT(result.out.size(), 50U) << stage;
    texts.insert(result.out);
  }
  EXPECT_EQ(texts.size(), 10U);
}

TEST(Analyze, WritesTheGraphInBothFormats) {
  const ScratchFolder scratch;
  EXPECT_EQ(
      RunFlagstone("analyze matmul --size paper --graph " + scratch.File("g.graph")).exit_code, 0);
  EXPECT_THAT(ReadFile(scratch.File("g.graph")), HasSubstr("169 2028"));
  EXPECT_EQ(RunFlagstone("analyze matmul --graph " + scratch.File("g.graphml")).exit_code, 0);
  EXPECT_THAT(ReadFile(scratch.File("g.graphml")), HasSubstr("<graphml"));
  EXPECT_EQ(RunFlagstone("analyze matmul --graph " + scratch.File("g.png")).exit_code, 2);
}

}  // namespace analyze_test
}  // namespace flagstone
