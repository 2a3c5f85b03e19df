// Pages of comparisons, experiments, analyses, synthesis, differences and sweeps in a real browser:
// what their views drew is what the JSON holds.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "tests/system/browser.h"
#include "tests/system/command.h"

namespace flagstone {
namespace report_pages_test {

using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;

class ReportPages : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!HasBrowser()) GTEST_SKIP() << "no browser here: install the package 'chromium'";
  }
  std::string File(const std::string& name) { return folder_.File(name); }
  // Runs the command in the scratch folder.
  void Do(const std::string& arguments) {
    const CommandResult result = RunShell(
        fmt::format("cd '{}' && '{}' {}", folder_.path().string(), FlagstoneProgram(), arguments));
    EXPECT_EQ(result.exit_code, 0) << arguments << "\n" << result.err;
  }
  // page.html, opened, which must have no error.
  OpenedPage Open() {
    OpenedPage page = OpenInBrowser(File("page.html"));
    EXPECT_EQ(page.body["data-ready"], "1");
    EXPECT_EQ(page.body["data-errors"], "0") << page.body["data-first-error"];
    EXPECT_EQ(page.console, "");
    for (const OpenedPage::View& view : page.views) {
      if (view.attributes.contains("data-painted")) {
        EXPECT_GT(view.painted(), 0.01) << view.id;
      }
    }
    return page;
  }
  // What page.html holds.
  Json Data() {
    Do("report --extract page.html > data.json");
    return Json::parse(ReadFile(File("data.json")));
  }

  // The page of a study that a file asks for.
  OpenedPage OpenStudy(const std::string& file) {
    WriteFileAtomically(File("study.toml"), file);
    Do("reproduce study.toml --store none --engine model -q --report page.html >/dev/null");
    return Open();
  }

  ScratchFolder folder_;
};

// Figures and words of a result; the page counts an array of more than 64 as one.
double Leaves(const Json& json) {
  if (!json.is_structured() || (json.is_array() && json.size() > 64)) return 1;
  double leaves = 0;
  for (const Json& value : json) leaves += Leaves(value);
  return leaves;
}

double Count(const Json& array) { return static_cast<double>(array.size()); }

TEST_F(ReportPages, OfAComparisonHasACellAndABarForEachRun) {
  Do("compare syrk matmul --policy lrr,rb,bcs --engine model -q --report page.html >/dev/null");
  const OpenedPage page = Open();
  const Json data = Data();
  EXPECT_EQ(Count(data["runs"]), 6);
  EXPECT_EQ(page.Find("compare").marks(), Count(data["runs"]));
  EXPECT_EQ(page.Find("compare_bars").marks(), Count(data["runs"]));
}

TEST_F(ReportPages, OfPrefetchersHasAPointForEachRunThatPrefetched) {
  Do("compare syrk matmul --policy lrr --prefetch caps --engine model -q --report page.html "
     ">/dev/null");
  const OpenedPage page = Open();
  const Json data = Data();
  double prefetched = 0;
  for (const Json& run : data["runs"]) {
    const Json& issued = run["totals"]["prefetch"]["issued"];
    if (issued.is_number() && issued > 0) ++prefetched;
  }
  EXPECT_GT(prefetched, 0);
  EXPECT_EQ(page.Find("prefetchers").marks(), prefetched);
}

TEST_F(ReportPages, OfAnExperimentHasABarForEachFigureBesideTheirs) {
  Do("reproduce peer --engine model -q --report page.html >/dev/null");
  const OpenedPage page = Open();
  const Json data = Data();
  double known = 0;
  for (const Json& figure : data["figures"]) {
    const bool has_both = figure["ours"].is_number() && figure["theirs"].is_number();
    if (has_both && figure["theirs"] != 0) ++known;
  }
  EXPECT_GT(known, 20);
  EXPECT_EQ(page.Find("figures").marks(), known);
  EXPECT_EQ(page.Find("means").marks(), Count(data["means"][0]["mean_absolute_difference"]));
}

TEST_F(ReportPages, OfAGridHasABarForEachValueAndMeanOfItsTables) {
  WriteFileAtomically(File("grid.toml"), R"(description = "a grid"
source = "none"
machines = ["tiny"]
size = "test"
baseline = "lrr"
[[variant]]
name = "lrr"
[[variant]]
name = "rb"
policy = "rb"
[[set]]
name = "all"
workloads = ["vecadd", "syrk"]
[[table]]
name = "cycles"
title = "cycles"
key = "cycles"
relative = "ratio"
)");
  Do("reproduce grid.toml --store none --engine model -q --report page.html >/dev/null");
  const OpenedPage page = Open();
  const Json data = Data();
  double bars = 0;
  for (const Json& table : data["tables"]) {
    for (const Json& row : table["rows"]) bars += Count(row["values"]);
    for (const Json& mean : table["means"]) bars += Count(mean["ours"]);
  }
  EXPECT_GT(bars, 0);
  EXPECT_EQ(page.Find("tables").marks(), bars);
}

TEST_F(ReportPages, OfAStudyHasARowForEachOfItsWorkloads) {
  const OpenedPage page = OpenStudy(R"(description = "loads"
source = "none"
study = "load-iterations"
workloads = ["vecadd", "syrk"]
)");
  EXPECT_EQ(Count(Data()["rows"]), 2);
  EXPECT_EQ(page.Find("study").marks(), 2);
}

TEST_F(ReportPages, OfAStudyOfWarpDistancesHasAPointForEachDistance) {
  const OpenedPage page = OpenStudy(R"(description = "distances"
source = "none"
study = "warp-distance"
machine = "tiny"
warps = 3
workloads = ["vecadd", "syrk"]
)");
  EXPECT_EQ(Count(Data()["rows"]), 6);
  EXPECT_EQ(page.Find("study").marks(), 6);
}

TEST_F(ReportPages, OfAStudyOfBasesHasAPointForEachTbOfTheSm) {
  const OpenedPage page = OpenStudy(R"(description = "bases"
source = "none"
study = "tb-bases"
machine = "tiny"
size = "test"
workloads = ["vecadd", "laplace3d"]
)");
  EXPECT_GT(Count(Data()["rows"]), 2);
  EXPECT_EQ(page.Find("study").marks(), Count(Data()["rows"]));
}

TEST_F(ReportPages, OfAStudyOfCoalescingHasAPointForEachKernel) {
  const OpenedPage page = OpenStudy(R"(description = "coalescing"
source = "none"
study = "coalescing"
machine = "tiny"
size = "test"
workloads = ["backprop", "pagerank"]
[[kernel]]
workload = "vecadd"
kernel = "vecadd"
degree = 1
sectors_in_range = 4
sector_expectation = 4
sectors_per_request = 4
)");
  EXPECT_EQ(Count(Data()["rows"]), 7) << "the last one, pagerank_start, has no loads";
  EXPECT_EQ(page.Find("study").marks(), 7);
}

TEST_F(ReportPages, OfAStudyOfSharingHasTheSharesOfEachKernel) {
  const OpenedPage page = OpenStudy(R"(description = "sharing"
source = "none"
study = "tb-sharing"
[[kernel]]
workload = "vecadd"
kernel = "vecadd"
size = "test"
)");
  EXPECT_EQ(page.Find("study").marks(), 4);
  EXPECT_EQ(page.Find("study").Number("data-rows"), 1);
  EXPECT_THAT(page.dom, HasSubstr("<dt>version</dt><dd>" + Data()["version"].get<std::string>()));
}

TEST_F(ReportPages, OfAStudyOfLadmHasALineForEachKernel) {
  Do("reproduce ladm-table4 --store none -q --report page.html >/dev/null");
  const OpenedPage page = Open();
  EXPECT_EQ(page.Find("study").marks(), 27);
}

TEST_F(ReportPages, OfAnAnalysisHasTheMatrixTwiceTheGraphAndEachInstruction) {
  Do("analyze syrk --policy all -q --report page.html >/dev/null");
  const OpenedPage page = Open();
  const Json launch = Data()["launches"][0];
  const Json& matrix = launch["graph"]["matrix"];
  EXPECT_EQ(page.Find("matrix").marks(),
            Count(matrix["by_id"]["weight"]) + Count(matrix["by_group"]["weight"]));
  EXPECT_EQ(page.Find("graph").marks(),
            Count(launch["graph"]["edge_list"]) + launch["graph"]["tbs"].get<double>());
  EXPECT_EQ(page.Find("policies").marks(), Count(launch["policies"]));
  EXPECT_EQ(page.Find("groups").marks(), launch["graph"]["tbs"]);
  EXPECT_EQ(page.Find("sharers").marks(), Count(launch["graph"]["sharers"]) + 4);
  EXPECT_EQ(page.Find("coalescing").marks(), 32);
  EXPECT_EQ(page.Find("kernel").marks(), Count(launch["instructions"]["text"]));
  EXPECT_EQ(page.Find("analysis_head").marks(), 1);
}

TEST_F(ReportPages, OfOrdersHasTheBarsOfEachOrder) {
  Do("order matmul --machine tiny --order column,hilbert --verify -q --report page.html");
  const OpenedPage page = Open();
  // Data from DRAM, time and simulated time of three orders.
  EXPECT_EQ(page.Find("orders").marks(), 9);
  const Json data = Data();
  EXPECT_EQ(data["schema"], "flagstone.order/1");
  EXPECT_EQ(data["candidates"].size(), 3U);
  EXPECT_THAT(page.dom, HasSubstr("matmul on tiny: orders of its TBs"));
}

TEST_F(ReportPages, OfSynthesisHasATileForEachInstanceAndABarForEachStage) {
  Do("synth fifo -q --report page.html >/dev/null");
  const OpenedPage page = Open();
  const Json data = Data();
  const Json& block = data["blocks"][0];
  double area = 0, flip_flops = 0;
  for (const Json& instance : block["instances"]) {
    area += instance["area_um2"].get<double>();
    flip_flops += instance["flip_flops"].get<double>();
  }
  EXPECT_NEAR(area, block["area_um2"].get<double>(), 0.01);
  EXPECT_EQ(flip_flops, block["flip_flops"]);
  EXPECT_EQ(page.Find("area").marks(), Count(block["instances"]));
  EXPECT_EQ(page.Find("path").marks(), Count(block["worst_path"]["stages"]));
  EXPECT_EQ(page.Find("cost").marks(), 3 * Count(data["blocks"]));
  EXPECT_EQ(page.Find("energy").marks(), Count(data["blocks"]));
  EXPECT_EQ(page.Find("everything").marks(), Leaves(data));
}

TEST_F(ReportPages, OfAnFpgaHasABarForTheBlockAndOneForItsWrapper) {
  const auto block = [](const char* name, bool fits) {
    Json made = {
        {"name", name},        {"parameters", {{"NumSm", 4}}},
        {"luts", 9},           {"flip_flops", 8},
        {"carries", 1},        {"block_rams", 0},
        {"logic_cells", 7000}, {"wrapper", {{"luts", 2}, {"flip_flops", 6}, {"logic_cells", 600}}},
        {"fits", fits},        {"fmax_mhz", nullptr},
        {"seed", nullptr},     {"worst_path", nullptr},
        {"seconds", 1.0}};
    if (fits) {
      made["fmax_mhz"] = 71.5;
      made["worst_path"] = {{"from", "a_q"}, {"to", "b_q"}};
    }
    return made;
  };
  const Json result = {{"schema", "flagstone.fpga/1"},
                       {"device",
                        {{"family", "ice40"},
                         {"part", "HX8K"},
                         {"package", "ct256"},
                         {"logic_cells", 7680},
                         {"block_rams", 32}}},
                       {"tools", {{"yosys", "y"}, {"nextpnr", "n"}}},
                       {"blocks", {block("small", true), block("large", false)}},
                       {"version", "v"},
                       {"command", "c"}};
  WriteFileAtomically(File("fpga.json"), result.dump());
  Do("report fpga.json -o page.html");
  const OpenedPage page = Open();
  EXPECT_EQ(page.Find("fpga").marks(), 2 * Count(result["blocks"]));
  EXPECT_EQ(page.Find("everything").marks(), Leaves(result));
  EXPECT_THAT(page.dom, HasSubstr(">71.5</td>"));
  EXPECT_THAT(page.dom, HasSubstr("large does not fit beside the pin wrapper"));
}

TEST_F(ReportPages, OfADifferenceHasABarForEachKindOfSchedulerCycles) {
  Do("run syrk --policy lrr --engine model -q --json a.json >/dev/null");
  Do("run syrk --policy rb --engine model -q --json b.json >/dev/null");
  Do("diff a.json b.json --report page.html --json diff.json >text");
  EXPECT_THAT(ReadFile(File("text")), HasSubstr("policy: lrr -> rb"));
  EXPECT_THAT(ReadFile(File("text")), HasSubstr("of the change: sm.issue."));
  const OpenedPage page = Open();
  const Json data = Data();
  EXPECT_EQ(data, Json::parse(ReadFile(File("diff.json"))));
  EXPECT_EQ(page.Find("diff_head").marks(), Count(data["pairs"]));
  EXPECT_EQ(page.Find("explained").marks(), Count(data["pairs"][0]["explained_by"]));
  EXPECT_EQ(page.Find("moved").Number("data-rows"), Count(data["pairs"][0]["differences"]));
}

TEST_F(ReportPages, OfSeveralResultsHasTheirTabsAndTheComparisonOfItsRuns) {
  Do("run syrk --policy lrr --engine model -q --detail --json lrr.json >/dev/null");
  Do("run syrk --policy rb --engine model -q --detail --json rb.json >/dev/null");
  Do("analyze syrk -q --detail --json analysis.json >/dev/null");
  Do("report lrr.json rb.json analysis.json -o page.html");
  const OpenedPage page = Open();
  EXPECT_EQ(page.Find("compare").marks(), 2);
  size_t charts = 0;
  for (const OpenedPage::View& view : page.views) {
    if (view.id != "gantt") continue;
    ++charts;
    EXPECT_EQ(view.marks(), 16);
  }
  EXPECT_EQ(charts, 2U);
  // The analysis says what its loads missed in the runs.
  EXPECT_THAT(page.dom, HasSubstr("rb: "));
  EXPECT_THAT(page.dom, HasSubstr("accesses missed"));
  EXPECT_EQ(Count(Data()["results"]), 3);
}

// On paper, where there is no tab to press: each result begins a sheet.
TEST_F(ReportPages, OfSeveralResultsIsPrintedWhole) {
  const auto sheets = [&] {
    OpenInBrowser(File("page.html"), "--print-to-pdf='" + File("page.pdf") + "'");
    const std::string pdf = ReadFile(File("page.pdf"));
    size_t count = 0;
    for (size_t at = pdf.find("/Type /Page\n"); at != std::string::npos;
         at = pdf.find("/Type /Page\n", at + 1)) {
      ++count;
    }
    return count;
  };
  Do("run vecadd --functional -q --json a.json >/dev/null");
  Do("report a.json -o page.html");
  EXPECT_EQ(sheets(), 1U);
  Do("run vecadd --functional -q --size medium --json b.json >/dev/null");
  Do("report a.json b.json -o page.html");
  EXPECT_EQ(sheets(), 3U);  // the comparison and two runs
}

TEST_F(ReportPages, OfASweepHasEachOfItsPoints) {
  WriteFileAtomically(File("plan.toml"), R"(description = "L1"
machines = ["tiny"]
size = "test"
engine = "model"
workloads = ["vecadd"]
[axes]
"sm.l1.size_kib" = [16, 32]
[[variant]]
name = "lrr"
[[variant]]
name = "rb"
policy = "rb"
)");
  Do("sweep run plan.toml --store store -q --jobs 1 >/dev/null");
  Do("sweep report plan.toml --store store -q -o page.html");
  const OpenedPage page = Open();
  const Json data = Data();
  EXPECT_EQ(Count(data["rows"]), 4);
  EXPECT_EQ(page.Find("sweep_axis").marks(), 4);
  EXPECT_EQ(page.Find("sweep_pairs").marks(), 2);
  EXPECT_EQ(page.Find("sweep_points").marks(), 4);
  EXPECT_EQ(page.Find("sweep_head").marks(), 4);
  // A command is broken between its words alone.
  const std::string text =
      std::regex_replace(page.dom, std::regex("<span class=\"word\">([^<]*)</span>"), "$1");
  for (const char* const fact :
       {"<dt>machine</dt><dd>tiny</dd>", "<dt>size</dt><dd>test</dd>",
        "<dt>command</dt><dd>flagstone sweep report plan.toml", "<dt>version</dt>"}) {
    EXPECT_THAT(text, HasSubstr(fact));
  }
}

}  // namespace report_pages_test
}  // namespace flagstone
