// `flagstone sweep` on this machine, as users see it.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "base/file.h"
#include "tests/system/command.h"

namespace flagstone {
namespace sweep_test {

using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::ordered_json;

namespace fs = std::filesystem;

constexpr char kHead[] = R"(description = "d"
machines = ["tiny"]
size = "test"
engine = "model"
workloads = ["vecadd"]
)";

class Sweep : public testing::Test {
 protected:
  void Plan(const std::string& rest, const std::string& head = kHead) {
    WriteFileAtomically(plan(), head + rest);
  }
  std::string plan() const { return scratch_.File("p.toml"); }
  std::string store() const { return scratch_.File("results"); }
  CommandResult Do(const std::string& action, const std::string& options = "") {
    return RunFlagstone(
        fmt::format("sweep {} '{}' --store '{}' {}", action, plan(), store(), options));
  }
  // What a shell has to type to start it.
  std::string Command(const std::string& action, const std::string& options) {
    return fmt::format("'{}' sweep {} '{}' --store '{}' {}", FlagstoneProgram(), action, plan(),
                       store(), options);
  }
  // The one line of bad input.
  std::string Refused(const std::string& rest, const std::string& head = kHead) {
    Plan(rest, head);
    const CommandResult result = Do("plan");
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    return result.err;
  }

  ScratchFolder scratch_;
};

TEST_F(Sweep, MultipliesItsAxesAndCollectsARowForEachPoint) {
  Plan(
      "[axes]\n\"sm.l1.size_kib\" = [16, 32]\nseed = [1, 2]\n"
      "[[variant]]\nname = \"a\"\n[[variant]]\nname = \"b\"\npolicy = \"rb\"\n");
  EXPECT_THAT(Do("plan").out, HasSubstr("p: 8 points: 0 done, 0 failed, 8 open"));
  const CommandResult run = Do("run");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("8 points: 8 done, 0 failed, 0 open"));
  const CommandResult csv = Do("collect");
  EXPECT_THAT(csv.out,
              testing::StartsWith("machine,workload,size,variant,policy,warp_scheduler,"
                                  "prefetcher,engine,sm_l1_size_kib,seed,status,message,cycles,"));
  EXPECT_EQ(std::count(csv.out.begin(), csv.out.end(), '\n'), 9);
  EXPECT_THAT(csv.out, HasSubstr("\ntiny,vecadd,test,b,rb,gto,none,model,32,2,done,,"));
  // The same figures as a run's own.
  const CommandResult own = RunFlagstone(
      "run vecadd --machine tiny --engine model --policy rb --seed 2 --set sm.l1.size_kib=32 "
      "--json");
  const Json json = Json::parse(Do("collect", "--json").out);
  EXPECT_EQ(json["rows"][7]["cycles"], Json::parse(own.out)["totals"]["cycles"]);
  EXPECT_EQ(json["rows"][7]["sm_l1_size_kib"], 32);
  EXPECT_THAT(Do("collect", "--columns l1.hits,sm.issue.memory").out,
              HasSubstr("status,message,l1_hits,sm_issue_memory\n"));
}

TEST_F(Sweep, KeepsOnlyWhatFiltersAndSamplesLeave) {
  Plan("[axes]\nseed = [1, 2, 3, 4, 5, 6]\n[[skip]]\nseed = [2, 3]\n[[only]]\nseed = [1, 2, 4]\n");
  EXPECT_THAT(Do("plan").out, HasSubstr("2 points"));
  Plan(
      "[axes]\nseed = [1, 2, 3, 4, 5, 6]\n\"sm.l1.mshrs\" = [8, 16, 32]\n"
      "[sample]\nkind = \"latin-hypercube\"\npoints = 6\n");
  EXPECT_THAT(Do("plan").out, HasSubstr("6 points"));
}

TEST_F(Sweep, SharesResultsWithRun) {
  Plan("");
  RunFlagstone(fmt::format("run vecadd --machine tiny --engine model --prefetch none --store '{}'",
                           store()));
  EXPECT_THAT(Do("plan").out, HasSubstr("1 points: 1 done"));
}

TEST_F(Sweep, AFailedPointIsRecordedTriedAgainAndStopsNobody) {
  Plan("[axes]\n\"sm.l1.ways\" = [3, 4]\n");
  const CommandResult run = Do("run");
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.out, HasSubstr("2 points: 1 done, 1 failed, 0 open"));
  EXPECT_THAT(run.out, HasSubstr("failed: tiny: sm.l1.ways is 3: "));
  EXPECT_THAT(Do("collect").out, HasSubstr(",3,failed,tiny: sm.l1.ways is 3: "));
  const auto attempts = [&] {
    for (const auto& entry : fs::recursive_directory_iterator(store() + "/sweeps")) {
      if (entry.path().parent_path().filename() == "failed") {
        return Json::parse(ReadFile(entry.path()))["attempts"].get<int>();
      }
    }
    return 0;
  };
  EXPECT_EQ(attempts(), 1);
  Do("run");
  EXPECT_EQ(attempts(), 1);
  Do("run", "--retry 2");
  EXPECT_EQ(attempts(), 3);
}

TEST_F(Sweep, APointThatRunsTooLongFailsWithItsMessage) {
  Plan("max_cycles = 50\n");
  EXPECT_EQ(Do("run").exit_code, 1);
  EXPECT_THAT(Do("status").out, HasSubstr("cycle limit of 50 reached"));
}

// Killed again and again, driver and workers, the table is that of an undisturbed run.
TEST_F(Sweep, KilledAtAnyTimeItEndsWithTheSameTable) {
  Plan(
      "[axes]\nseed = [1, 2, 3, 4, 5, 6, 7, 8]\n\"sm.l1.mshrs\" = [8, 16, 24, 32]\n"
      "\"sm.l1.ways\" = [3, 4]\n");
  ASSERT_EQ(Do("run").exit_code, 1);
  const std::string undisturbed = Do("collect").out;
  fs::remove_all(store());
  for (int kill = 0; kill < 20; ++kill) {
    // A new session, so that the driver and its workers of the moment go together.
    RunShell(fmt::format("setsid {} & sleep 0.{:02d}; kill -9 -- -$!; wait",
                         Command("run", "--jobs 2 -q"), 4 + kill));
  }
  EXPECT_EQ(Do("run", "--jobs 2").exit_code, 1);
  EXPECT_EQ(Do("collect").out, undisturbed);
  EXPECT_THAT(undisturbed, HasSubstr("failed"));
  EXPECT_EQ(RunFlagstone(fmt::format("store verify --store '{}'", store())).exit_code, 0);
}

// A point whose process is killed is tried again by the same driver.
TEST_F(Sweep, AWorkerThatIsKilledCostsNothingButTime) {
  Plan("[axes]\nseed = [1, 2, 3, 4, 5]\n\"sm.l1.mshrs\" = [8, 12, 16, 20, 24, 28, 32]\n",
       "description = \"d\"\nmachines = [\"tiny\"]\nsize = \"test\"\nengine = \"model\"\n"
       "workloads = [\"matmul\"]\n");
  const CommandResult run = RunShell(
      fmt::format("{} & p=$!; for i in 1 2 3; do for t in $(seq 1000); do c=$(grep -o '^[0-9]*' "
                  "/proc/$p/task/$p/children) && break; sleep 0.01; done; kill -9 $c && echo "
                  "killed; sleep 0.1; "
                  "done; wait $p; echo ended $?",
                  // On a busy machine all three may hit one point, which has three attempts.
                  Command("run", "--jobs 1 --retry 1")));
  EXPECT_THAT(run.out, HasSubstr("killed\n"));
  EXPECT_THAT(run.out, HasSubstr("35 points: 35 done, 0 failed, 0 open"));
  EXPECT_THAT(run.out, HasSubstr("ended 0\n"));
}

TEST_F(Sweep, AChangedPlanKeepsWhatIsDone) {
  Plan("[axes]\nseed = [1, 2]\n");
  EXPECT_EQ(Do("run").exit_code, 0);
  Plan("[axes]\nseed = [2, 3, 4]\n");
  EXPECT_THAT(Do("status").err, HasSubstr("the plan has changed since this sweep began: 1 of its 3 "
                                          "points are as before, 2 are new"));
  const CommandResult run = Do("run");
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_THAT(run.out, HasSubstr("1 of them were there"));
  EXPECT_EQ(Do("status").err, "");
}

TEST_F(Sweep, AnotherBuildOnTheStoreIsSaidInOneLine) {
  Plan("[axes]\nseed = [1, 2]\n");
  Do("run");
  for (const auto& entry : fs::recursive_directory_iterator(store() + "/sweeps")) {
    if (entry.path().filename() != "points") continue;
    std::string text = ReadFile(entry.path());
    const size_t at = text.find("\"code\":\"") + 8;
    text.replace(at, 16, "0123456789abcdef");
    text.replace(text.find("\"stamp\":\"") + 9, 16, "0123456789abcdef");
    WriteFileAtomically(entry.path(), text);
  }
  EXPECT_THAT(Do("status").err, HasSubstr("another build of flagstone ("));
}

TEST_F(Sweep, ADamagedResultIsOpenAgain) {
  Plan("");
  Do("run");
  for (const auto& entry : fs::recursive_directory_iterator(store())) {
    if (entry.path().extension() == ".json") WriteFileAtomically(entry.path(), "{}");
  }
  const CommandResult table = Do("collect");
  EXPECT_THAT(table.out, HasSubstr(",open,"));
  EXPECT_THAT(table.err, HasSubstr("is damaged"));
  EXPECT_EQ(Do("run").exit_code, 0);
  EXPECT_THAT(Do("collect").out, HasSubstr(",done,"));
}

TEST_F(Sweep, ATextThatNeedsQuotesHasThemOnce) {
  Plan("[[variant]]\nname = \"a, \\\"b\\\"\"\n");
  Do("run");
  const std::string file = scratch_.File("t.sqlite");
  const CommandResult table =
      Do("collect", "--columns l1.load_latency.buckets --csv - --sqlite '" + file + "'");
  EXPECT_THAT(table.out, HasSubstr("\ntiny,vecadd,test,\"a, \"\"b\"\"\",lrr,"));
  EXPECT_THAT(table.out, testing::ContainsRegex(",done,,\"\\[[0-9,]+\\]\"\n"));  // a histogram
  const CommandResult database = RunShell(
      "python3 -c 'import json, sqlite3, sys; row, = sqlite3.connect(sys.argv[1]).execute(\"select "
      "variant, l1_load_latency_buckets from points\"); print(row[0], sum(json.loads(row[1])) > "
      "0)' "
      "'" +
      file + "'");
  EXPECT_EQ(database.out, "a, \"b\" True\n") << database.err;
}

TEST_F(Sweep, ADatabaseHasATypedColumnForEach) {
  Plan("[axes]\n\"sm.l1.ways\" = [3, 4]\n");
  Do("run");
  const std::string file = scratch_.File("t.sqlite");
  ASSERT_EQ(Do("collect", "--sqlite '" + file + "'").exit_code, 0);
  const CommandResult types = RunShell(
      "python3 -c 'import sqlite3, sys; print(*sqlite3.connect(sys.argv[1]).execute(\"select "
      "typeof(sm_l1_ways), typeof(status), typeof(cycles), typeof(ipc), typeof(checks_passed) from "
      "points\"))' '" +
      file + "'");
  EXPECT_EQ(types.out,
            "('integer', 'text', 'null', 'null', 'null') "
            "('integer', 'text', 'integer', 'real', 'integer')\n");
}

TEST_F(Sweep, BadPlansAreOneLineWithTheirPlace) {
  EXPECT_THAT(Refused("mashines = 1\n"), HasSubstr("p.toml:6:1: unknown key 'mashines'"));
  EXPECT_THAT(Refused("[axes]\n\"sm.l1.sise_kib\" = [1]\n"),
              HasSubstr("p.toml:7:1: axis 'sm.l1.sise_kib' is no key of a machine"));
  EXPECT_THAT(Refused("[axes]\nseed = []\n"), HasSubstr("axis 'seed' is empty"));
  EXPECT_THAT(Refused("[axes]\nseed = [1, 1]\n"), HasSubstr("has the value 1 twice"));
  EXPECT_THAT(Refused("[axes]\nseed = [\"one\"]\n"), HasSubstr("expected an integer"));
  EXPECT_THAT(Refused("[axes]\nseed = [1]\n[[skip]]\nseed = 2\n"),
              HasSubstr("seed has no value '2': expected some of 1"));
  EXPECT_THAT(Refused("[axes]\nseed = [1]\n[[skip]]\nseed = 1\n"), HasSubstr("leave no point"));
  EXPECT_THAT(Refused("[sample]\nkind = \"best\"\npoints = 1\n"),
              HasSubstr("expected random or latin-hypercube"));
  EXPECT_THAT(Refused("", "description = \"d\"\nworkloads = [\"vecadd\"]\n"),
              HasSubstr("missing key 'machines'"));
  EXPECT_THAT(
      Refused("", "description = \"d\"\nmachines = [\"tinny\"]\nworkloads = [\"vecadd\"]\n"),
      HasSubstr("unknown machine 'tinny'"));
}

TEST_F(Sweep, ManyPointsAreRefusedUnlessTheyAreMeant) {
  std::string axes = "[axes]\n";
  for (const char* key : {"sm.l1.hit_latency", "dram.t_cl", "dram.t_rp", "l2.pipeline_latency"}) {
    axes += fmt::format("\"{}\" = [", key);
    for (int i = 1; i <= 60; ++i) axes += fmt::format("{}{}", i == 1 ? "" : ", ", i);
    axes += "]\n";
  }
  EXPECT_THAT(Refused(axes),
              HasSubstr("12,960,000 points are more than 10,000,000: expected fewer, "
                        "a [sample], or --yes"));
  Plan(axes + "[sample]\nkind = \"random\"\npoints = 3\n");
  EXPECT_THAT(Do("plan").out, HasSubstr("3 points"));
}

TEST_F(Sweep, AStoreThatCannotBeWrittenStopsItInOneLine) {
  Plan("");
  WriteFileAtomically(store(), "a file in the way");
  const CommandResult run = Do("run");
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_EQ(run.err, fmt::format("flagstone: cannot write in '{}': Not a directory\n", store()));
  EXPECT_EQ(RunFlagstone("sweep run '" + plan() + "' --store none").exit_code, 2);
}

TEST_F(Sweep, AFullStoreStopsItInOneLine) {
  if (RunShell("unshare -rm true").exit_code != 0) GTEST_SKIP() << "no namespaces here";
  Plan("[axes]\nseed = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]\n");
  fs::create_directories(store());
  const CommandResult run =
      RunShell(fmt::format("unshare -rm sh -c \"mount -t tmpfs -o size=32k none '{}' && {}\"",
                           store(), Command("run", "--jobs 1 -q")));
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
  EXPECT_THAT(run.err, HasSubstr("No space left on device"));
}

}  // namespace sweep_test
}  // namespace flagstone
