#include "app/flow/reproduce/experiment_grid.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "app/results/perturbed_json.h"
#include "base/error.h"
#include "base/toml_reader.h"
#include "tests/unit/base/error_message.h"

namespace flagstone {
namespace experiment_grid_test {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Optional;

constexpr char kGrid[] = R"(description = "d"
source = "s"
machines = ["tiny", "fermi"]
size = "test"
baseline = "lrr"
[[variant]]
name = "rb"
policy = "rb"
[[variant]]
name = "lrr"
[[set]]
name = "high"
workloads = ["syrk", { workload = "matmul", label = "mm", size = "paper" }]
[[set]]
name = "none"
workloads = ["vecadd"]
[[table]]
name = "one"
title = "speed-up"
figure = "Fig. 11"
key = "cycles"
relative = "speedup"
[[table.published]]
machine = "fermi"
set = "high"
rb = 1.29
cause = "other sizes"
[[table]]
name = "two"
title = "cycles"
key = "cycles"
)";

ExperimentGrid Parse(const std::string& text, const GridFilter& filter = {}) {
  const toml::table table = ParseToml(text, "e.toml");
  return ExperimentGrid::Parse(TomlReader(table, "e.toml", "the file"), filter);
}

std::string Replaced(const std::string& from, const std::string& to) {
  std::string text = kGrid;
  return text.replace(text.find(from), from.size(), to);
}

std::string ErrorOf(const std::string& text, const GridFilter& filter = {}) {
  try {
    Parse(text, filter);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

Json Run(double cycles) { return {{"totals", {{"cycles", cycles}}}}; }

// tiny, then fermi: syrk, mm, vecadd, each under rb and lrr.
std::vector<Json> Runs() {
  return {Run(50),  Run(100), Run(200), Run(100), Run(7), Run(7),
          Run(100), Run(800), Run(100), Run(200), Run(4), Run(2)};
}

TEST(ExperimentGrid, RunsGoByMachineWorkloadAndVariant) {
  const ExperimentGrid grid = Parse(kGrid);
  ASSERT_EQ(grid.runs.size(), 12U);
  EXPECT_EQ(grid.WorkloadCount(), 3U);
  const RunOptions& mm = grid.runs[grid.RunOf(1, 1, 0)];
  EXPECT_EQ(mm.machine.name, "fermi");
  EXPECT_EQ(mm.workload, "matmul");
  EXPECT_EQ(mm.size, "paper");
  EXPECT_EQ(mm.policy, "rb");
  const RunOptions& last = grid.runs.back();
  EXPECT_EQ(last.workload, "vecadd");
  EXPECT_EQ(last.size, "test");
  EXPECT_EQ(last.policy, "lrr");
}

// Under two settings, whose runs are paired: speed-ups of 2 and 2.2, and of 1/2 and 0.45.
TEST(ExperimentGrid, FiguresUnderSeveralSettingsHaveDeviationsAndSoHaveTheirMeans) {
  const ExperimentGrid grid = Parse(kGrid);
  std::vector<Json> runs = Runs();
  const auto perturb = [&](size_t run, double other) {
    const Json second = {{"totals", {{"cycles", other}}}};
    runs[run] = WithSettings({runs[run], second});
  };
  perturb(0, 50);
  perturb(1, 110);
  perturb(2, 200);
  perturb(3, 90);
  const GridTable tiny = MakeGridTable(grid, grid.tables[0], 0, runs);
  EXPECT_NEAR(*tiny.rows[0].values[0], 2.1, 1e-12);
  EXPECT_NEAR(tiny.rows[0].deviations[0], 0.1414, 1e-4);
  EXPECT_EQ(tiny.rows[0].deviations[1], 0);  // the baseline is equal to itself
  // sqrt(2 * 1/2) = 1 and sqrt(2.2 * 0.45) = 0.995.
  EXPECT_NEAR(*tiny.means[0].ours[0], 0.9975, 1e-4);
  EXPECT_NEAR(tiny.means[0].deviations[0], 0.00355, 1e-4);
  // The third workload has one setting: the mean of all has the means of the others.
  EXPECT_EQ(tiny.means[2].deviations[0], 0);
}

TEST(ExperimentGrid, RelativeFiguresHaveGeometricMeansPerSet) {
  const ExperimentGrid grid = Parse(kGrid);
  const GridTable tiny = MakeGridTable(grid, grid.tables[0], 0, Runs());
  ASSERT_EQ(tiny.rows.size(), 3U);
  EXPECT_EQ(tiny.rows[1].set, "high");
  EXPECT_EQ(tiny.rows[1].workload, "mm");
  EXPECT_THAT(tiny.rows[0].values, ElementsAre(Optional(2.0), Optional(1.0)));
  EXPECT_THAT(tiny.rows[1].values, ElementsAre(Optional(0.5), Optional(1.0)));
  ASSERT_EQ(tiny.means.size(), 3U);
  EXPECT_DOUBLE_EQ(*tiny.means[0].ours[0], 1.0);  // of 2 and 1/2
  EXPECT_FALSE(tiny.means[0].theirs[0]);          // published for fermi only
  const GridTable fermi = MakeGridTable(grid, grid.tables[0], 1, Runs());
  EXPECT_DOUBLE_EQ(*fermi.means[0].ours[0], 4.0);  // of 8 and 2
  EXPECT_THAT(fermi.means[0].theirs, ElementsAre(Optional(1.29), std::nullopt));
  EXPECT_DOUBLE_EQ(*fermi.means[1].ours[0], 0.5);
}

TEST(ExperimentGrid, ATableNamesItsFigureAndAMeanTheCauseOfItsDifference) {
  const ExperimentGrid grid = Parse(kGrid);
  EXPECT_EQ(grid.tables[0].figure, "Fig. 11");
  EXPECT_EQ(grid.tables[1].figure, "");
  const GridTable fermi = MakeGridTable(grid, grid.tables[0], 1, Runs());
  EXPECT_EQ(fermi.means[0].cause, "other sizes");
  EXPECT_EQ(fermi.means[1].cause, "");
  EXPECT_EQ(MakeGridTable(grid, grid.tables[0], 0, Runs()).means[0].cause, "");
  EXPECT_THAT(ErrorOf(Replaced("cause = \"other sizes\"", "cause = 3")),
              HasSubstr("e.toml:27:9: key 'cause'"));
  EXPECT_THAT(ErrorOf(Replaced("cause = \"other sizes\"", "cause = \"\"")), HasSubstr("'cause'"));
  EXPECT_THAT(ErrorOf(Replaced("figure = \"Fig. 11\"", "figure = 11")), HasSubstr("'figure'"));
}

TEST(ExperimentGrid, VariantsOfASetHaveCausesOfTheirOwn) {
  const ExperimentGrid grid = Parse(Replaced("cause = \"other sizes\"",
                                             "cause = \"other sizes\"\n[[table.published]]\n"
                                             "machine = \"fermi\"\nset = \"high\"\nlrr = 1.5\n"
                                             "cause = \"another order\""));
  const GridTable fermi = MakeGridTable(grid, grid.tables[0], 1, Runs());
  EXPECT_THAT(fermi.means[0].theirs, ElementsAre(Optional(1.29), Optional(1.5)));
  EXPECT_EQ(fermi.means[0].cause, "rb: other sizes; lrr: another order");
  EXPECT_THAT(
      ErrorOf(Replaced("cause = \"other sizes\"",
                       "[[table.published]]\nmachine = \"fermi\"\nset = \"high\"\nrb = 1.3")),
      HasSubstr("key 'rb' is published twice"));
}

TEST(ExperimentGrid, SeveralSetsHaveAMeanOfAllWorkloads) {
  const ExperimentGrid grid = Parse(Replaced("cause = \"other sizes\"",
                                             "[[table.published]]\nmachine = \"fermi\"\n"
                                             "set = \"all\"\nrb = 1.11"));
  const GridTable fermi = MakeGridTable(grid, grid.tables[0], 1, Runs());
  ASSERT_EQ(fermi.means.size(), 3U);
  EXPECT_EQ(fermi.means[2].set, "all");
  EXPECT_DOUBLE_EQ(*fermi.means[2].ours[0], 2.0);  // of 8, 2 and 1/2
  EXPECT_EQ(fermi.means[2].theirs[0], 1.11);
  EXPECT_EQ(fermi.means[0].theirs[0], 1.29);
}

TEST(ExperimentGrid, TheTimeWithTheAnalysisIsTheHosts) {
  const ExperimentGrid grid =
      Parse(Replaced("key = \"cycles\"", "key = \"host.kernel_and_jit_seconds\""));
  std::vector<Json> runs = Runs();
  for (Json& run : runs) run["host"] = {{"kernel_and_jit_seconds", run["totals"]["cycles"]}};
  runs[0]["host"]["kernel_and_jit_seconds"] = 25;
  const GridTable tiny = MakeGridTable(grid, grid.tables[0], 0, runs);
  EXPECT_THAT(tiny.rows[0].values, ElementsAre(Optional(4.0), Optional(1.0)));
}

TEST(ExperimentGrid, ATableMayShowSomeVariantsOnly) {
  const ExperimentGrid grid =
      Parse(Replaced("key = \"cycles\"", "key = \"cycles\"\nvariants = [\"lrr\"]"));
  EXPECT_THAT(grid.tables[0].columns, ElementsAre(1U));
  EXPECT_THAT(ErrorOf(Replaced("key = \"cycles\"", "key = \"cycles\"\nvariants = [\"bcs\"]")),
              HasSubstr("key 'variants' names 'bcs': expected some of rb, lrr"));
}

TEST(ExperimentGrid, PlainFiguresHaveArithmeticMeans) {
  const ExperimentGrid grid = Parse(kGrid);
  const GridTable fermi = MakeGridTable(grid, grid.tables[1], 1, Runs());
  EXPECT_THAT(fermi.rows[0].values, ElementsAre(Optional(100.0), Optional(800.0)));
  EXPECT_DOUBLE_EQ(*fermi.means[0].ours[1], 500.0);
}

TEST(ExperimentGrid, AFailedRunLeavesItsCellsOut) {
  const ExperimentGrid grid = Parse(kGrid);
  std::vector<Json> runs = Runs();
  runs[grid.RunOf(1, 0, 0)] = nullptr;  // syrk under rb
  runs[grid.RunOf(1, 2, 1)] = nullptr;  // vecadd's baseline
  const GridTable fermi = MakeGridTable(grid, grid.tables[0], 1, runs);
  EXPECT_FALSE(fermi.rows[0].values[0]);
  EXPECT_DOUBLE_EQ(*fermi.means[0].ours[0], 2.0);  // mm alone
  EXPECT_FALSE(fermi.means[1].ours[0]);
}

TEST(ExperimentGrid, AFilterKeepsMachinesAndWorkloads) {
  const ExperimentGrid fermi = Parse(kGrid, {{"fermi"}, {}});
  EXPECT_EQ(fermi.runs.size(), 6U);
  EXPECT_EQ(MakeGridTable(fermi, fermi.tables[0], 0, std::vector<Json>(6)).means[0].theirs[0],
            1.29);
  const ExperimentGrid mm = Parse(kGrid, {{"fermi"}, {"mm"}});
  ASSERT_EQ(mm.runs.size(), 2U);
  EXPECT_EQ(mm.sets.size(), 1U);
  EXPECT_TRUE(mm.tables[0].published.empty());  // their mean is of the whole set
  EXPECT_THAT(ErrorOf(kGrid, {{"volta"}, {}}), HasSubstr("no machine 'volta'"));
  EXPECT_THAT(ErrorOf(kGrid, {{}, {"matmul"}}), HasSubstr("no workload 'matmul'"));
}

TEST(ExperimentGrid, RunsAtTheSizeAskedFor) {
  EXPECT_EQ(Parse(kGrid).runs[0].size, "test");
  const ExperimentGrid grid = Parse(kGrid, {{}, {}, "medium"});
  EXPECT_EQ(grid.runs[0].size, "medium");
  EXPECT_EQ(grid.runs[grid.RunOf(0, 1, 0)].size, "paper");  // has a size of its own
}

// Of three variants the table shows one; it is relative to another.
TEST(ExperimentGrid, ATableAloneNeedsTheRunsOfWhatItShowsAndOfItsBaseline) {
  std::string text = Replaced("[[set]]", "[[variant]]\nname = \"mst\"\npolicy = \"mst\"\n[[set]]");
  text.replace(text.find("figure ="), 0, "variants = [\"rb\"]\n");
  ExperimentGrid grid = Parse(text);
  ASSERT_EQ(grid.runs.size(), 18U);
  ASSERT_TRUE(grid.KeepTable("one"));
  EXPECT_THAT(grid.variants, ElementsAre("rb", "lrr"));
  ASSERT_EQ(grid.runs.size(), 12U);
  EXPECT_EQ(grid.runs[grid.RunOf(1, 2, 0)].policy, "rb");
  EXPECT_EQ(grid.runs[grid.RunOf(1, 2, 1)].policy, "lrr");
  EXPECT_EQ(grid.runs[grid.RunOf(1, 2, 1)].workload, "vecadd");
  EXPECT_THAT(grid.tables[0].columns, ElementsAre(0U));
  const GridTable fermi = MakeGridTable(grid, grid.tables[0], 1, Runs());
  EXPECT_THAT(fermi.rows[0].values, ElementsAre(Optional(8.0), Optional(1.0)));
  EXPECT_THAT(fermi.means[0].theirs, ElementsAre(Optional(1.29), std::nullopt));
}

TEST(ExperimentGrid, ATableAloneThatIsNotRelativeNeedsNoBaseline) {
  std::string text = Replaced("title = \"cycles\"", "title = \"cycles\"\nvariants = [\"rb\"]");
  ExperimentGrid grid = Parse(text);
  ASSERT_TRUE(grid.KeepTable("two"));
  EXPECT_EQ(grid.runs.size(), 6U);
  EXPECT_EQ(grid.baseline, 0U);
  const Json run = {{"totals", {{"cycles", 3}}}};
  const GridTable tiny = MakeGridTable(grid, grid.tables[0], 0, std::vector<Json>(6, run));
  EXPECT_THAT(tiny.rows[0].values, ElementsAre(Optional(3.0)));
  EXPECT_FALSE(Parse(text).KeepTable("three"));
}

TEST(ExperimentGrid, MayHaveTheSetsOfAnotherExperimentBesideIt) {
  const std::filesystem::path folder = testing::TempDir() + "experiment_grid_test";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "other.toml") << kGrid;
  const std::string own = std::string(kGrid).substr(0, std::string(kGrid).find("[[set]]")) +
                          "[[table]]\nname = \"t\"\ntitle = \"t\"\nkey = \"cycles\"\n";
  const auto parse = [&](const std::string& text) {
    const std::string file = (folder / "e.toml").string();
    const toml::table table = ParseToml(text, file);
    return ExperimentGrid::Parse(TomlReader(table, file, "the file"), {});
  };
  const ExperimentGrid grid = parse("sets_of = \"other\"\n" + own);
  ASSERT_EQ(grid.sets.size(), 2U);
  EXPECT_THAT(grid.sets[0].workloads, ElementsAre("syrk", "mm"));
  EXPECT_EQ(grid.runs.size(), 2U * 3 * 2);
  EXPECT_THAT(BadInputMessage([&] { parse("sets_of = \"other\"\n" + std::string(kGrid)); }),
              HasSubstr("e.toml:1:11: key 'sets_of' goes without [[set]]"));
  EXPECT_THAT(BadInputMessage([&] { parse("sets_of = \"none\"\n" + own); }),
              HasSubstr("none.toml"));
  std::filesystem::remove_all(folder);
}

TEST(ExperimentGrid, BadFilesNameTheirLine) {
  EXPECT_THAT(ErrorOf(Replaced("key = \"cycles\"", "key = \"cycle\"")),
              HasSubstr("e.toml:21:7: unknown statistic 'cycle'"));
  EXPECT_THAT(ErrorOf(Replaced("baseline = \"lrr\"", "baseline = \"bcs\"")),
              HasSubstr("e.toml:5:12: key 'baseline' is 'bcs': expected one of rb, lrr"));
  EXPECT_THAT(ErrorOf(Replaced("machine = \"fermi\"", "machine = \"volta\"")), HasSubstr("volta"));
  EXPECT_THAT(ErrorOf(Replaced("rb = 1.29", "mst = 1.29")), HasSubstr("unknown key 'mst'"));
  EXPECT_THAT(ErrorOf(Replaced("size = \"test\"", "data = \"live\"")),
              HasSubstr("expected static or known"));
}

}  // namespace experiment_grid_test
}  // namespace flagstone
