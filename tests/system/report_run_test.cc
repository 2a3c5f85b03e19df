// The page of a run, in a real browser: what its views drew is what its JSON holds.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "tests/system/browser.h"
#include "tests/system/command.h"

namespace flagstone {
namespace report_run_test {

using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;
using ::testing::Not;

class RunReport : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!HasBrowser()) GTEST_SKIP() << "no browser here: install the package 'chromium'";
  }
  std::string File(const std::string& name) { return folder_.File(name); }

  // The page of a result, opened.
  OpenedPage Open(const Json& json) {
    WriteFileAtomically(File("result.json"), json.dump());
    const CommandResult report =
        RunFlagstone(fmt::format("report '{}' -o '{}'", File("result.json"), File("report.html")));
    EXPECT_EQ(report.exit_code, 0) << report.err;
    return OpenInBrowser(File("report.html"));
  }
  Json Run(const std::string& arguments) {
    const CommandResult run =
        RunFlagstone(fmt::format("run {} -q --report '{}'", arguments, File("made.html")));
    EXPECT_EQ(run.exit_code, 0) << run.err;
    const CommandResult data =
        RunFlagstone(fmt::format("report --extract '{}'", File("made.html")));
    EXPECT_EQ(data.exit_code, 0) << data.err;
    return Json::parse(data.out);
  }

  ScratchFolder folder_;
};

size_t PlacedTbs(const Json& run) {
  size_t tbs = 0;
  for (const Json& launch : run["launches"]) tbs += launch["timeline"]["tb"].size();
  return tbs;
}

void ExpectClean(const OpenedPage& page) {
  EXPECT_EQ(page.body.count("data-ready"), 1U);
  EXPECT_EQ(page.body.at("data-ready"), "1");
  EXPECT_EQ(page.body.at("data-errors"), "0")
      << (page.body.contains("data-first-error") ? page.body.at("data-first-error") : "");
  EXPECT_EQ(page.console, "");
}

TEST_F(RunReport, DrawsEachTbEachCellAndEachSlotOfTheJson) {
  const Json run = Run("syrk --policy rb --size medium --engine model");
  const OpenedPage page = OpenInBrowser(File("made.html"));
  ExpectClean(page);
  EXPECT_EQ(page.Find("gantt").marks(), static_cast<double>(PlacedTbs(run)));
  EXPECT_EQ(page.Find("gantt").marks(), run["totals"]["tb"]["completed"]);
  EXPECT_EQ(page.Find("gantt").Number("data-steals"),
            static_cast<double>(run["launches"][0]["steals"].size()));
  const Json& misses = run["counters"]["sms"]["l1_misses"];
  EXPECT_EQ(page.Find("heat").marks(), static_cast<double>(misses.size() * misses[0].size()));
  EXPECT_EQ(page.Find("grid").marks(), run["totals"]["tb"]["count"]);
  EXPECT_EQ(page.Find("issue").marks(), 8.0 * (1 + static_cast<double>(misses.size())));
  EXPECT_EQ(page.Find("memory").marks(), 5);
  EXPECT_EQ(page.Find("misses").marks(), 4 + 5);
  for (const OpenedPage::View& view : page.views) {
    if (view.attributes.contains("data-painted")) {
      EXPECT_GT(view.painted(), 0.04) << view.id;
    }
  }
}

// Buckets up to the last with a count.
size_t UsedBuckets(const Json& buckets) {
  size_t used = 0;
  for (size_t i = 0; i < buckets.size(); ++i) {
    if (buckets[i] != 0) used = i + 1;
  }
  return used;
}

TEST_F(RunReport, DrawsEachPairOfNodesAndEachLinkOfTheJson) {
  const Json run = Run("syrk --machine ladm_quarter --policy lasp --engine model");
  const OpenedPage page = OpenInBrowser(File("made.html"));
  ExpectClean(page);
  const Json& totals = run["totals"];
  ASSERT_EQ(totals["traffic"].size(), 16U);
  EXPECT_EQ(page.Find("node_traffic").marks(), 16.0 * 16);
  EXPECT_EQ(page.Find("node_traffic").Number("data-rows"), 16.0 * 16);
  // Two of each chiplet, two of each GPU.
  ASSERT_EQ(totals["links"].size(), 2 * 16U + 2 * 4U);
  EXPECT_EQ(page.Find("links").marks(), static_cast<double>(totals["links"].size()));
  EXPECT_EQ(page.Find("links").Number("data-rows"), static_cast<double>(totals["links"].size()));
  EXPECT_GT(page.Find("node_traffic").painted(), 0.04);
  EXPECT_GT(page.Find("links").painted(), 0.02);
  uint64_t ring = 0, crossbar = 0, away = 0, all = 0;
  for (const Json& link : totals["links"]) {
    const bool in_ring = link["from"].is_number() && link["to"].is_number();
    (in_ring ? ring : crossbar) += link["bytes"].get<uint64_t>();
  }
  EXPECT_EQ(ring, totals["numa"]["ring"]["bytes"]);
  EXPECT_EQ(crossbar, totals["numa"]["switch"]["bytes"]);
  for (size_t from = 0; from < 16; ++from) {
    for (size_t home = 0; home < 16; ++home) {
      const auto sectors = totals["traffic"][from][home].get<uint64_t>();
      all += sectors;
      if (home != from) away += sectors;
    }
  }
  EXPECT_THAT(page.dom,
              HasSubstr(fmt::format("{:.1f} % came from another node",
                                    100.0 * static_cast<double>(away) / static_cast<double>(all))));
}

TEST_F(RunReport, SaysWhichKeyOfTheNodesIsNotThere) {
  Json run = Run("syrk --machine tiny_numa --policy lasp --engine model");
  run["totals"].erase("links");
  run["totals"]["traffic"] = nullptr;
  OpenedPage page = Open(run);
  ExpectClean(page);
  EXPECT_THAT(page.missing, HasSubstr("links"));
  EXPECT_THAT(page.missing, HasSubstr("node_traffic"));
  // A machine of one node has neither view, and lacks nothing.
  Run("vecadd --engine model");
  page = OpenInBrowser(File("made.html"));
  EXPECT_FALSE(page.Has("links"));
  EXPECT_FALSE(page.Has("node_traffic"));
  EXPECT_EQ(page.missing.find("links"), std::string::npos);
}

TEST_F(RunReport, DrawsEachBucketOfLatencyAndEachCounterAndWhatPrefetchesDid) {
  const Json run = Run("syrk --prefetch caps --engine model");
  const OpenedPage page = OpenInBrowser(File("made.html"));
  ExpectClean(page);
  const Json& totals = run["totals"];
  size_t most = 0, most_levels = 0;
  for (const Json* level :
       {&totals["l1"]["load_latency"], &totals["l2"]["latency"], &totals["dram"]["latency"]}) {
    const size_t used = UsedBuckets((*level)["buckets"]);
    if (used > 0) ++most_levels;
    most = std::max(most, used);
  }
  EXPECT_EQ(page.Find("latency").marks(), static_cast<double>(most * most_levels));
  EXPECT_EQ(page.Find("counters").marks(),
            5.0 * static_cast<double>(run["counters"]["gpu"]["l1_misses"].size()));
  EXPECT_EQ(page.Find("head").marks(), static_cast<double>(run["checks"].size()));
  ASSERT_GT(totals["prefetch"]["issued"], 0);
  EXPECT_EQ(page.Find("prefetch").marks(),
            static_cast<double>(UsedBuckets(totals["prefetch"]["distance"]["buckets"])));
  const Json& loads = run["launches"][0]["load_prefetches"];
  EXPECT_EQ(page.Find("prefetch_loads").marks(), 4.0 * static_cast<double>(loads.size()));
  // A bar for each load, and a row for each instruction.
  EXPECT_EQ(page.Find("loads").Number("data-rows"),
            static_cast<double>(run["launches"][0]["loads"].size()));
  EXPECT_GT(page.Find("everything").Number("data-rows"), 300);
}

TEST_F(RunReport, DrawsTheTbsOfAllLaunches) {
  const Json run = Run("bfs --policy lrr --engine model");
  ASSERT_GT(run["launches"].size(), 1U);
  const OpenedPage page = OpenInBrowser(File("made.html"));
  ExpectClean(page);
  EXPECT_EQ(page.Find("gantt").marks(), static_cast<double>(PlacedTbs(run)));
  EXPECT_EQ(page.Find("launches").marks(), static_cast<double>(run["launches"].size()));
}

TEST_F(RunReport, HasHalfTheMarksForHalfTheSpansAndNoViewWithoutItsKey) {
  Json run = Run("vecadd --engine model");
  const size_t all = PlacedTbs(run);
  for (auto& [name, column] : run["launches"][0]["timeline"].items()) {
    column.erase(column.begin() + static_cast<int64_t>(all / 2), column.end());
  }
  run.erase("counters");
  const OpenedPage page = Open(run);
  ExpectClean(page);
  EXPECT_EQ(page.Find("gantt").marks(), static_cast<double>(all / 2));
  EXPECT_FALSE(page.Has("heat"));
  EXPECT_THAT(page.missing, HasSubstr("heat"));
}

// What a result holds is text, whatever it looks like.
TEST_F(RunReport, ShowsMarkupInNamesAsText) {
  const std::string evil =
      "</script><img src=x onerror=\"document.body.dataset.owned=1\">"
      "<script>document.body.dataset.owned=1</script><!--\u2028";
  Json run = Run("vecadd --engine model");
  run["workload"] = run["command"] = run["policy"] = evil;
  run["launches"][0]["entry"] = run["totals"]["entry"] = evil;
  run["checks"][0]["buffer"] = evil;
  run["findings"].push_back({{"kind", "race"}, {"times", 1}, {"text", evil}});
  const OpenedPage page = Open(run);
  ExpectClean(page);
  EXPECT_EQ(page.body.count("data-owned"), 0U);
  EXPECT_THAT(page.dom.substr(0, page.dom.find("id=\"flagstone-data\"")), Not(HasSubstr("<img")));
  const CommandResult back =
      RunFlagstone(fmt::format("report --extract '{}'", File("report.html")));
  EXPECT_EQ(Json::parse(back.out), run);
}

// Every value null, as after --functional, and then some.
void MakeNull(Json* json) {
  if (json->is_structured()) {
    for (Json& value : *json) MakeNull(&value);
  } else {
    *json = nullptr;
  }
}

TEST_F(RunReport, ShowsAResultOfNullsAndAnInterruptedOne) {
  Json run = Run("vecadd --engine model");
  Json nulls = run;
  MakeNull(&nulls);
  nulls["schema"] = run["schema"];
  ExpectClean(Open(nulls));
  for (auto& [key, value] : nulls.items()) {
    if (key != "schema" && key != "totals") value = nullptr;
  }
  ExpectClean(Open(nulls));
  Json interrupted = run;
  interrupted["interrupted"] = true;
  interrupted["checks"] = Json::array();
  const OpenedPage page = Open(interrupted);
  ExpectClean(page);
  EXPECT_THAT(page.dom, HasSubstr("Interrupted: the figures are of what ran until then."));
  const CommandResult functional = RunFlagstone(
      fmt::format("run vecadd --functional -q --report '{}'", File("functional.html")));
  ASSERT_EQ(functional.exit_code, 0) << functional.err;
  ExpectClean(OpenInBrowser(File("functional.html")));
}

TEST_F(RunReport, NamesNoAddressOnTheNetwork) {
  Run("vecadd --engine model");
  const std::string page = ReadFile(File("made.html"));
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  const OpenedPage opened = OpenInBrowser(File("made.html"));
  for (const char* const attribute : {" src=", " href="}) {
    EXPECT_THAT(opened.dom.substr(0, opened.dom.find("id=\"flagstone-data\"")),
                Not(HasSubstr(attribute)));
  }
}

}  // namespace report_run_test
}  // namespace flagstone
