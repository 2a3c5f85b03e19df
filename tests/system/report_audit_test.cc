// Each kind of page, wide and narrow, light and dark: whether people can read all that it says.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "tests/system/audit.h"
#include "tests/system/browser.h"
#include "tests/system/command.h"

namespace flagstone {
namespace report_audit_test {

using Json = nlohmann::ordered_json;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class ReportAudit : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!HasBrowser()) GTEST_SKIP() << "no browser here: install the package 'chromium'";
  }
  std::string File(const std::string& name) { return folder_.File(name); }
  // Runs the command in the scratch folder.
  void Do(const std::string& arguments) {
    const CommandResult result = RunShell(fmt::format(
        "cd '{}' && '{}' {} >out.txt", folder_.path().string(), FlagstoneProgram(), arguments));
    EXPECT_EQ(result.exit_code, 0) << arguments << "\n" << result.err;
  }
  // The page of what a verb finds.
  void Make(const std::string& page, const std::string& verb) {
    Do(fmt::format("{} -q --report {}", verb, page));
    pages_.push_back(page);
  }
  // The page of a result that has been changed.
  void Write(const std::string& page, const Json& json) {
    WriteFileAtomically(File("result.json"), json.dump());
    Do("report result.json -o " + page);
    pages_.push_back(page);
  }
  Json Result(const std::string& verb) {
    Do(fmt::format("{} -q --json made.json", verb));
    return Json::parse(ReadFile(File("made.json")));
  }
  void ExpectReadable() {
    const std::vector<AuditedPage> audited = AuditPages(folder_.path().string(), pages_);
    EXPECT_EQ(audited.size(), 2 * pages_.size());
    for (const AuditedPage& page : audited) EXPECT_THAT(page.faults, IsEmpty()) << page.name;
  }

  ScratchFolder folder_;
  std::vector<std::string> pages_;
};

TEST_F(ReportAudit, SeesWhatCannotBeRead) {
  const std::string begin = "<!DOCTYPE html><meta charset=\"utf-8\"><body data-errors=\"0\">";
  WriteFileAtomically(File("bad.html"), begin + R"(
<main id="page"><div class="top"><button></button></div>
<section data-view="words"><p style="color:#aaa">pale</p><p style="width:2000px">NaN</p>
<p>1 TBs ran</p><p>-0.3 % less time</p><p>- of loads</p>
<p style="width:60px;overflow-wrap:anywhere">0123456789abcdef</p>
<p style="width:20px">--seed 1</p>
<p style="position:absolute;top:200px">above</p><p style="position:absolute;top:203px">below</p>
</section><section data-view="chart"><canvas></canvas></section></main>
<script nonce="1">
const canvas = document.querySelector("canvas"), c = canvas.getContext("2d");
canvas.width = 300;
c.fillStyle = "#fff"; c.fillRect(0, 0, 300, 150);
c.fillStyle = "#000"; c.fillText("one", 10, 20); c.fillText("two", 16, 22);
c.fillText("way out", 280, 40); c.fillText("covered", 10, 90); c.fillRect(0, 70, 100, 50);
c.fillStyle = "#ccc"; c.fillText("faint", 10, 60);
document.body.dataset.ready = "1";
</script></body>)");
  const std::vector<AuditedPage> audited = AuditPages(folder_.path().string(), {"bad.html"});
  ASSERT_EQ(audited.size(), 2U);
  for (const AuditedPage& page : audited) {
    EXPECT_EQ(page.texts, 2 * 5) << page.name;  // light and dark
    for (const char* const fault :
         {"words: '1 TBs ran' says several of one", "words: '-0.3 % less time' is less of less",
          "words: '- of loads' has a gap for a figure", "has '0123456789abcdef' in two lines",
          "has '--seed' in two lines", "words: 'pale' has a contrast of", "words: 'NaN' is no word",
          "page: is ", "words: 'above' and 'below' overlap", "chart: 'one' and 'two' overlap",
          "chart: 'way out' leaves its chart", "chart: 'covered' has a contrast of 1.0",
          "chart: 'faint' has a contrast of"}) {
      EXPECT_THAT(page.faults, Contains(HasSubstr(fault))) << page.name;
    }
  }
}

TEST_F(ReportAudit, PagesOfRunsCanBeRead) {
  Make("run.html", "run syrk --policy rb --engine model");
  Make("launches.html", "run bfs --policy lrr --engine model");
  Make("functional.html", "run vecadd --functional --no-check");
  ExpectReadable();
}

TEST_F(ReportAudit, PagesOfOneTbCanBeRead) {
  const std::string launch =
      std::filesystem::absolute("workloads/matmul/kernel.ptx").string() +
      " --grid 1 --block 16x16 --arg a=f32[256] --arg b=f32[256] --arg c=f32[256] --arg 16";
  Make("run.html", "run " + launch + " --policy rb --engine model");
  Make("analysis.html", "analyze " + launch);
  Make("order.html", "order --verify --store none " + launch);
  ExpectReadable();
}

TEST_F(ReportAudit, PagesOfProgramsAndOfBothEnginesCanBeRead) {
  Json program = Result("run bfs --engine model --detail");
  program["program"] = {{"exit_code", 0}, {"check", "none"}, {"failed_launches", 0}};
  program["size"] = program["asked_size"] = program["input_hash"] = nullptr;
  program["checks"] = Json::array();
  Write("program.html", program);
  Make("lockstep.html", "run syrk --policy rb --engine lockstep --machine tiny");
  Make("verified.html", "order matmul --machine tiny --verify --store none");
  ExpectReadable();
}

TEST_F(ReportAudit, PagesOfNodesAndPrefetchesCanBeRead) {
  Make("prefetch.html", "run syrk --prefetch caps+ --engine model");
  Make("nodes.html", "run syrk --machine ladm_quarter --policy lasp --engine model");
  ExpectReadable();
}

TEST_F(ReportAudit, PagesOfSeveralResultsCanBeRead) {
  Make("compare.html", "compare syrk matmul --policy lrr,rb,bcs --engine model");
  Make("prefetchers.html",
       "compare syrk matmul --policy lrr --prefetch caps,caps+pas,mta+gto --machine caps_fermi "
       "--engine model");
  Do("run syrk --policy lrr --engine model -q --json lrr.json");
  Do("run syrk --policy rb --engine model -q --json rb.json");
  Do("report lrr.json rb.json -o tabs.html");
  Do("diff lrr.json rb.json --report diff.html");
  pages_.insert(pages_.end(), {"tabs.html", "diff.html"});
  ExpectReadable();
}

// Names of 300 letters, in each place that a name may stand in.
TEST_F(ReportAudit, PagesWithLongNamesCanBeRead) {
  const std::string name(300, 'w');
  Json run = Result("run syrk --policy rb --engine model --machine tiny --detail");
  run["workload"] = run["policy"] = run["machine"] = run["checks"][0]["buffer"] = name;
  Json second = run["launches"][0];
  second["kernel"] = name;
  run["launches"].push_back(second);
  Write("run.html", run);
  Json compared = Result("compare syrk --policy lrr,rb --engine model --machine tiny");
  for (Json& each : compared["runs"]) each["workload"] = name;
  compared["runs"][1]["policy"] = name;
  Write("compare.html", compared);
  Json cost = Result("synth fifo --detail");
  for (Json& instance : cost["blocks"][0]["instances"]) instance["path"] = name + "." + name;
  cost["blocks"][0]["name"] = name;
  Write("cost.html", cost);
  ExpectReadable();
}

TEST_F(ReportAudit, PagesOfAnalysesAndHardwareCanBeRead) {
  Make("analysis.html", "analyze syrk --policy all");
  Make("unshared.html", "analyze bfs");
  Make("orders.html", "order matmul --machine tiny --order column,hilbert --verify");
  Make("hardware.html", "synth fifo round_robin_arbiter lru_of_4");
  ExpectReadable();
}

// The smallest experiment of each kind.
TEST_F(ReportAudit, PagesOfExperimentsAndSweepsCanBeRead) {
  const std::string head = "description = \"d\"\nsource = \"none\"\n";
  const std::string small = "machine = \"tiny\"\nsize = \"test\"\n";
  const std::string two = "workloads = [\"vecadd\", \"laplace3d\"]\n";
  const std::string variants =
      "[[variant]]\nname = \"lrr\"\n[[variant]]\nname = \"rb\"\npolicy = \"rb\"\n";
  const std::pair<const char*, std::string> studies[] = {
      {"iterations", "study = \"load-iterations\"\n" + two},
      {"bases", "study = \"tb-bases\"\n" + small + two},
      {"distances",
       "study = \"warp-distance\"\nmachine = \"tiny\"\nwarps = 3\n"
       "workloads = [\"vecadd\"]\n"},
      {"coalescing", "study = \"coalescing\"\n" + small + two +
                         "[[kernel]]\nworkload = \"vecadd\"\nkernel = \"vecadd\"\ndegree = 1\n"
                         "sectors_in_range = 4\nsector_expectation = 4\nsectors_per_request = 4\n"},
      {"sharing",
       "study = \"tb-sharing\"\n[[kernel]]\nlabel = \"V\"\nworkload = \"vecadd\"\n"
       "kernel = \"vecadd\"\nsize = \"test\"\n"},
      {"grid", "machines = [\"tiny\"]\nsize = \"test\"\nbaseline = \"lrr\"\n" + variants +
                   "[[set]]\nname = \"all\"\n" + two +
                   "[[table]]\nname = \"cycles\"\ntitle = \"cycles\"\nkey = \"cycles\"\n"
                   "relative = \"ratio\"\n"},
  };
  for (const auto& [name, text] : studies) {
    WriteFileAtomically(File(std::string(name) + ".toml"), head + text);
    Make(std::string(name) + ".html",
         fmt::format("reproduce {}.toml --store none --engine model", name));
  }
  WriteFileAtomically(File("figures.toml"),
                      head +
                          "[[metric]]\nkey = \"cycles\"\ntolerance = 0.2\n[[metric]]\n"
                          "key = \"l1.miss_rate\"\n[[case]]\nworkload = \"vecadd\"\n"
                          "machine = \"tiny\"\nsize = \"test\"\n[case.expect]\ncycles = 1000\n"
                          "\"l1.miss_rate\" = 0.5\n");
  Make("figures.html", "reproduce figures.toml --store none --engine model");
  WriteFileAtomically(File("plan.toml"),
                      "description = \"L1\"\nmachines = [\"tiny\"]\nsize = \"test\"\n"
                      "engine = \"model\"\n" +
                          two + "[axes]\n\"sm.l1.size_kib\" = [16, 32]\n" + variants);
  Do("sweep run plan.toml --store store -q --jobs 1");
  Do("sweep report plan.toml --store store -q -o sweep.html");
  pages_.push_back("sweep.html");
  ExpectReadable();
}

}  // namespace report_audit_test
}  // namespace flagstone
