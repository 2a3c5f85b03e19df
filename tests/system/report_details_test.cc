// What people read off pages: names, counts and choices that are right, and words that do not
// overlap.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <string>

#include "base/file.h"
#include "tests/system/browser.h"
#include "tests/system/command.h"

namespace flagstone {
namespace report_details_test {

using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;
using ::testing::Not;

class ReportDetails : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!HasBrowser()) GTEST_SKIP() << "no browser here: install the package 'chromium'";
  }
  // The page of a result; with the name of a view, its chart alone, as SVG.
  OpenedPage Open(const Json& json, const std::string& view = "", const std::string& more = "") {
    WriteFileAtomically(folder_.File("result.json"), json.dump());
    const std::string page = folder_.File("page.html");
    const CommandResult made =
        RunFlagstone(fmt::format("report '{}' -o '{}'", folder_.File("result.json"), page));
    EXPECT_EQ(made.exit_code, 0) << made.err;
    OpenedPage opened = OpenInBrowser(view.empty() ? page : page + "#svg=" + view, more);
    EXPECT_EQ(opened.body["data-errors"], "0") << opened.body["data-first-error"];
    // What people read, without the script.
    for (size_t at = 0; (at = opened.dom.find("<script", at)) != std::string::npos;) {
      opened.dom.erase(at, opened.dom.find("</script>", at) - at);
      at += 1;
    }
    // Words of commands stand in elements of their own.
    opened.dom =
        std::regex_replace(opened.dom, std::regex("<span class=\"word\">([^<]*)</span>"), "$1");
    return opened;
  }
  // What a verb writes with --json.
  Json Result(const std::string& arguments) {
    const std::string file = folder_.File("made.json");
    const CommandResult run = RunFlagstone(fmt::format("{} -q --json '{}'", arguments, file));
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return Json::parse(ReadFile(file));
  }
  ScratchFolder folder_;
};

size_t Count(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST_F(ReportDetails, BarsOfOrdersHaveTheirNames) {
  const Json orders = Result("order matmul --machine tiny");
  const std::string svg = Open(orders, "orders").dom;
  EXPECT_THAT(svg, HasSubstr(">identity</text>"));
  EXPECT_THAT(svg, HasSubstr(">" + orders["candidates"][0]["name"].get<std::string>() + "</text>"));
  const std::string page = Open(orders).dom;
  EXPECT_THAT(page, HasSubstr("<dt>machine</dt><dd>tiny</dd>"));
  EXPECT_THAT(page, HasSubstr("<dt>command</dt><dd>flagstone order matmul"));
}

TEST_F(ReportDetails, TheSentenceOfOrdersIsOfWhatWasSimulated) {
  Json orders = Result("order matmul --machine tiny");
  const auto put = [](Json* candidate, const char* source, double cycles, double bytes) {
    (*candidate)[source]["cycles"] = cycles;
    (*candidate)[source]["dram_bytes"] = bytes;
  };
  Json first = orders["candidates"][0], identity = first;
  first["name"] = "band:2";
  identity["name"] = "identity";
  put(&first, "predicted", 1003, 90);
  put(&identity, "predicted", 1000, 100);
  orders["candidates"] = {first, identity};
  EXPECT_THAT(Open(orders).dom, HasSubstr("band:2: 0.3 % more time, 10.0 % less data from DRAM."));
  put(&orders["candidates"][0], "simulated", 900, 150);
  put(&orders["candidates"][1], "simulated", 1000, 100);
  EXPECT_THAT(Open(orders).dom, HasSubstr("band:2: 10.0 % less time, 50.0 % more data from DRAM, "
                                          "as simulated."));
}

// `exec` makes such a record: the workload has no size, no input and no references.
TEST_F(ReportDetails, AProgramIsJudgedByItselfAndByWhatIsExpectedOfIt) {
  Json run = Result("run syrk --machine tiny --engine model");
  run["size"] = run["asked_size"] = run["input_hash"] = nullptr;
  run["checks"] = Json::array();
  const auto says = [&](int code, const char* check, int failed) {
    run["program"] = {{"exit_code", code}, {"check", check}, {"failed_launches", failed}};
    return Open(run).dom;
  };
  const std::string page = says(0, "none", 0);
  EXPECT_THAT(page, HasSubstr("Not checked: --expect says which line"));
  EXPECT_THAT(page, HasSubstr("<dt>workload</dt><dd>syrk</dd>"));
  EXPECT_THAT(page, HasSubstr("exec with --miss-classes"));
  EXPECT_THAT(says(0, "passed", 0), HasSubstr("Right: the program's output is as expected."));
  EXPECT_THAT(says(0, "failed", 0), HasSubstr("Wrong: no line of the program's output"));
  EXPECT_THAT(says(3, "failed", 0), HasSubstr("Wrong: the program ended with exit code 3."));
  EXPECT_THAT(says(0, "failed", 1), HasSubstr("Wrong: 1 launch failed."));
}

TEST_F(ReportDetails, ARunWithoutItsBaselineIsNamed) {
  Json both = Result("compare vecadd matmul --policy lrr,rb --machine tiny --engine model");
  both["runs"].erase(0);
  EXPECT_THAT(Open(both).dom, HasSubstr("Without a bar, as no run of lrr stands beside: "));
}

TEST_F(ReportDetails, AComparisonSaysWhatWasComparedAndHow) {
  const Json result = Result(
      "compare vecadd syrk --policy lrr,rb --engine model --machine tiny --set sm.l1.mshrs=9");
  const std::string page = Open(result).dom;
  EXPECT_THAT(page, HasSubstr("<dt>size</dt><dd>test</dd>"));
  EXPECT_THAT(page, HasSubstr("<dt>machine</dt><dd>tiny</dd>"));
  EXPECT_THAT(page, HasSubstr("<dt>engine</dt><dd>model</dd>"));
  EXPECT_THAT(page, HasSubstr("<dt>machine keys set</dt><dd>sm.l1.mshrs=9</dd>"));
  EXPECT_THAT(page, HasSubstr("<dt>command</dt><dd>flagstone compare vecadd syrk"));
  EXPECT_THAT(page,
              HasSubstr("<dt>version</dt><dd>" + result["runs"][0]["version"].get<std::string>()));
  EXPECT_THAT(page, HasSubstr("<dt>checks</dt><dd>4 right</dd>"));
}

// A run of two kernels and five launches.
class RunOfSeveral : public ReportDetails {
 protected:
  Json Made() {
    Json run = Result("run syrk --policy rb --engine model --machine tiny --detail");
    Json second = run["launches"][0];
    second["entry"] = "_Z6secondPfi";
    second["kernel"] = "second";
    second["cycles"] = 2 * second["cycles"].get<uint64_t>();
    for (Json& load : second["loads"]) load["misses"] = 1000 + load["misses"].get<uint64_t>();
    run["launches"].push_back(second);
    Json kernel = run["kernels"][0];
    kernel["entry"] = "_Z6secondPfi";
    kernel["text"][0] = "first.instruction.of.second;";
    run["kernels"].push_back(kernel);
    return run;
  }
};

TEST_F(RunOfSeveral, LaunchesAreCountedFromOneAndGroupsOverAll) {
  const Json run = Made();
  const std::string page = Open(run).dom;
  EXPECT_THAT(page, HasSubstr("2 launches; the longest, 2 (second), takes"));
  EXPECT_THAT(page, HasSubstr(fmt::format("{} groups in 2 launches",
                                          2 * run["launches"][0]["groups"].size())));
  EXPECT_THAT(page, HasSubstr(">2: second</option>"));
  EXPECT_THAT(page, Not(HasSubstr("_Z6second")));
}

TEST_F(RunOfSeveral, TheChosenKernelIsTheOneThatIsShown) {
  const std::string page = Open(Made()).dom;
  EXPECT_THAT(page, HasSubstr("<option value=\"1\" selected=\"\">second</option>"));
  EXPECT_THAT(page, HasSubstr("first.instruction.of.second;"));
}

TEST_F(ReportDetails, APrefetcherWithoutPrefetchesIsNotAdvisedAgain) {
  Json run = Result("run vecadd --engine model --machine tiny");
  EXPECT_THAT(Open(run).dom, HasSubstr("Run with --prefetch caps"));
  run["prefetcher"] = "caps";
  const std::string page = Open(run).dom;
  EXPECT_THAT(page, HasSubstr("The prefetcher caps has issued none in this run."));
  EXPECT_THAT(page, Not(HasSubstr("Run with --prefetch")));
}

TEST_F(ReportDetails, AWorkloadWithoutSizesHasItsNameAlone) {
  Json run = Result("run vecadd --engine model --machine tiny");
  EXPECT_THAT(Open(run).dom, HasSubstr("<dd>vecadd (test)</dd>"));
  run["size"] = nullptr;
  EXPECT_THAT(Open(run).dom, HasSubstr("<dd>vecadd</dd>"));
  run["from_store"] = true;
  EXPECT_THAT(Open(run).dom, HasSubstr("<dd>model, from the store</dd>"));
}

TEST_F(ReportDetails, HeadsThatAreWiderThanTheirColumnsLean) {
  Json result = Result(
      "compare vecadd --policy lrr --engine model --machine tiny --prefetch caps+pas,mta+gto");
  const std::string wide = Open(result, "compare").dom;
  EXPECT_EQ(Count(wide, "rotate(-35"), 3U) << wide;
  Json plain = Result("compare vecadd --policy lrr,rb --engine model --machine tiny");
  EXPECT_EQ(Count(Open(plain, "compare").dom, "rotate(-35"), 0U);
}

// Ten runs at one place get one name, and the page says how many have none.
TEST_F(ReportDetails, NamesOfPointsDoNotOverlap) {
  Json result =
      Result("compare laplace3d --policy lrr --engine model --machine caps_fermi --prefetch caps");
  Json run = result["runs"][1];
  run["totals"]["prefetch"]["issued"] = 100;
  run["totals"]["prefetch"]["coverage"] = 0.5;
  run["totals"]["prefetch"]["accuracy"] = 0.5;
  result["runs"] = Json::array();
  for (int i = 0; i < 10; ++i) {
    run["workload"] = fmt::format("kernel_{}", i);
    result["runs"].push_back(run);
  }
  EXPECT_EQ(Count(Open(result, "prefetchers").dom, ")\">kernel_"), 1U);
  EXPECT_THAT(Open(result).dom, HasSubstr("9 points without a name"));
}

TEST_F(ReportDetails, BlocksOfOneNameAreToldApartAndColoursHaveAKey) {
  Json result = Result("synth first_index --detail");
  Json block = result["blocks"][0];
  block["parameters"]["Width"] = 99;
  block["default_energy_pj"] = block["energy_pj"] = 1.5;
  result["blocks"].push_back(block);
  const std::string svg = Open(result, "energy").dom;
  EXPECT_THAT(svg, HasSubstr("Width=99"));
  Json path = Result("synth lru_of_4 round_robin_arbiter --detail");
  // The block that is shown first has the least clock to spare.
  const auto spare = [](const Json& made) {
    return made["fmax_mhz"].get<double>() / made["clock_mhz"].get<double>();
  };
  const bool second = spare(path["blocks"][1]) < spare(path["blocks"][0]);
  const std::string page = Open(path).dom;
  for (const Json& stage : path["blocks"][second ? 1 : 0]["worst_path"]["stages"]) {
    const std::string kind =
        std::regex_replace(stage["cell"].get<std::string>(), std::regex("_X[0-9]+$"), "");
    EXPECT_THAT(page, HasSubstr("</i>" + kind + "</span>"));
  }
}

// 224 TBs that all share with all: 24,976 edges would be one grey area.
TEST_F(ReportDetails, ADenseGraphIsDrawnByItsStrongestEdges) {
  Json result = Result("analyze syrk --machine tiny --detail");
  Json& graph = result["launches"][0]["graph"];
  graph["tbs"] = 224;
  graph["edge_list"] = Json::array();
  for (int a = 0; a < 224; ++a) {
    for (int b = a + 1; b < 224; b += 6) graph["edge_list"].push_back({a, b, 1 + (a * b) % 97});
  }
  result["launches"][0]["groups"] = Json::array();
  const size_t edges = graph["edge_list"].size();
  const OpenedPage page = Open(result);
  EXPECT_THAT(page.dom, HasSubstr("The 448 strongest of "));
  EXPECT_EQ(page.Find("graph").marks(), 448 + 224);
  EXPECT_EQ(page.Find("graph").Number("data-rows"), static_cast<double>(edges));
}

TEST_F(ReportDetails, ASweepsAxisCanShowRatios) {
  const Json sweep = {{"schema", "flagstone.sweep/1"},
                      {"description", "d"},
                      {"rows",
                       {{{"machine", "m"},
                         {"workload", "w"},
                         {"l1", 16},
                         {"status", "done"},
                         {"message", nullptr},
                         {"cycles", 100000}},
                        {{"machine", "m"},
                         {"workload", "w"},
                         {"l1", 32},
                         {"status", "done"},
                         {"message", nullptr},
                         {"cycles", 99000}}}}};
  EXPECT_THAT(Open(sweep).dom, HasSubstr("<option value=\"ratios\">ratios to the first point"));
}

TEST_F(ReportDetails, ARateOfAHundredPercentHasNoMore) {
  const Json run = Result("run vecadd --engine model --machine tiny --detail");
  const std::string svg = Open(run, "heat").dom;
  EXPECT_THAT(svg, HasSubstr(">100.0 %</text>"));
  EXPECT_THAT(svg, Not(HasSubstr("100.0 % or more")));
}

// Hebrew letters, and an override that would turn the rest of the line around.
TEST_F(ReportDetails, NamesFromRightToLeftStayWhole) {
  Json run = Result("run vecadd --engine model --machine tiny");
  run["workload"] = "\u05d0\u05d1\u202e\u05d2";
  const std::string page = Open(run).dom;
  EXPECT_THAT(page, HasSubstr("<dd>\u2068\u05d0\u05d1\u05d2\u2069 (test)</dd>"));
  run["workload"] = std::string(300, 'w');
  EXPECT_EQ(Open(run, "", "--window-size=900,1000").body["data-errors"], "0");
}

TEST_F(ReportDetails, TitlesHoldNamesFromRightToLeftAndNoMoreThanALineOfAName) {
  Json run = Result("run vecadd --engine model --machine tiny");
  run["workload"] = "\u05d0\u05d1\u202e\u05d2";
  EXPECT_THAT(Open(run).dom,
              HasSubstr("<h1>\u2068\u05d0\u05d1\u05d2\u2069 under lrr on tiny</h1>"));
  run["workload"] = std::string(300, 'w');
  EXPECT_THAT(Open(run).dom, HasSubstr("<h1>" + std::string(60, 'w') + "… under lrr on tiny</h1>"));
}

TEST_F(ReportDetails, AComparisonOfPrefetchersIsTitledByThem) {
  const Json result =
      Result("compare vecadd --policy lrr --engine model --machine tiny --prefetch caps");
  EXPECT_THAT(Open(result).dom, HasSubstr("<h1>vecadd: prefetchers none, caps compared</h1>"));
}

TEST_F(ReportDetails, ADifferenceOfMachineKeysIsNotTheSame) {
  const auto write = [&](const std::string& name, const std::string& more) {
    const Json run = Result("run vecadd --engine model --machine tiny " + more);
    WriteFileAtomically(folder_.File(name), run.dump());
  };
  write("a.json", "");
  write("b.json", "--set sm.l1.mshrs=9");
  const CommandResult made =
      RunFlagstone(fmt::format("diff '{}' '{}' --json '{}'", folder_.File("a.json"),
                               folder_.File("b.json"), folder_.File("diff.json")));
  EXPECT_EQ(made.exit_code, 0) << made.err;
  const std::string page = Open(Json::parse(ReadFile(folder_.File("diff.json")))).dom;
  EXPECT_THAT(page, HasSubstr("The machines are set differently."));
  EXPECT_THAT(page, Not(HasSubstr("The same was asked for.")));
}

TEST_F(RunOfSeveral, TheGridsSentenceSaysOfWhichLaunchItIs) {
  EXPECT_THAT(Open(Made()).dom, HasSubstr("In launch 1, "));
}

// More SMs than have room in the chart are rows of the view's own table.
TEST_F(ReportDetails, TheTableOfSchedulersHasEachSm) {
  const Json run =
      Result("run vecadd --engine model --machine ladm_quarter --policy lasp --detail");
  const size_t sms = run["launches"][0]["sms"]["sm"]["issue"]["issued"].size();
  ASSERT_GT(sms, 32U);
  const OpenedPage page = Open(run);
  EXPECT_THAT(page.dom, HasSubstr(fmt::format("{} SMs: the table has each.", sms)));
  EXPECT_EQ(page.Find("issue").Number("data-rows"), 8.0 * static_cast<double>(1 + sms));
}

TEST_F(ReportDetails, AnAnalysisWithoutSharingClaimsNoneOfItsGroups) {
  const std::string page = Open(Result("analyze bfs --machine tiny --detail")).dom;
  EXPECT_THAT(page, HasSubstr("No two of 16 TBs read the same data."));
  EXPECT_THAT(page, Not(HasSubstr("of what pairs share inside a group")));
  EXPECT_THAT(page, Not(HasSubstr("the one with the most sharing")));
}

TEST_F(ReportDetails, SmallEnergiesAreNotNone) {
  Json result = Result("synth lru_of_4 --detail");
  result["blocks"][0]["default_energy_pj"] = 0.00312;
  EXPECT_THAT(Open(result, "energy").dom, HasSubstr(">0.0031 pJ</text>"));
  EXPECT_THAT(Open(result).dom, Not(HasSubstr("flagstone list statistics")));
}

}  // namespace report_details_test
}  // namespace flagstone
