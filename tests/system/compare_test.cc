// `flagstone compare`: one table, whatever the number of workers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/file.h"
#include "tests/system/command.h"

namespace flagstone {
namespace compare_test {

using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

TEST(Compare, PrintsARowPerWorkloadAndPolicyRelativeToLrr) {
  const CommandResult result =
      RunFlagstone("compare vecadd matmul --policy rb,lrr --machine tiny -q");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("L2 accesses"));
  std::istringstream lines(result.out);
  int rows = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("passed") == std::string::npos) continue;
    ++rows;
    // The baseline is lrr, although rb is named first.
    if (line.find(" lrr ") != std::string::npos) {
      EXPECT_THAT(line, HasSubstr("1.000"));
    }
  }
  EXPECT_EQ(rows, 4);
}

TEST(Compare, TheNumberOfWorkersChangesNothing) {
  const std::string arguments =
      "compare vecadd syrk --policy lrr,rb --machine tiny -q --json --jobs ";
  const auto results = [&](const char* jobs) {
    Json json = Json::parse(RunFlagstone(arguments + jobs).out, nullptr, false);
    EXPECT_EQ(json["runs"].size(), 4U);
    std::string text;
    for (Json& run : json["runs"]) {
      run.erase("host");
      run.erase("command");
      text += run.dump();
    }
    return text;
  };
  EXPECT_EQ(results("1"), results("3"));
}

TEST(Compare, WritesACsvRowPerRun) {
  const ScratchFolder scratch;
  const CommandResult result = RunFlagstone(
      "compare vecadd --policy lrr,rb --machine tiny,fermi -q --csv " + scratch.File("r.csv"));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::string csv = ReadFile(scratch.File("r.csv"));
  EXPECT_THAT(csv, HasSubstr("workload,size,machine,settings,policy"));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 5);
}

TEST(Compare, SetsPrefetchersBesideTheRunWithout) {
  const std::string arguments =
      "compare vecadd --policy lrr --machine tiny --engine model -q --prefetch ";
  const CommandResult table = RunFlagstone(arguments + "caps,caps+pas");
  ASSERT_EQ(table.exit_code, 0) << table.err;
  for (const char* text : {"cover", "accur", "DRAM", " none ", " caps ", " caps+pas "}) {
    EXPECT_THAT(table.out, HasSubstr(text));
  }
  const Json json =
      Json::parse(RunFlagstone(arguments + "caps+pas --json").out, nullptr, false)["runs"];
  ASSERT_EQ(json.size(), 2U);
  EXPECT_EQ(json[0]["prefetcher"], "none");
  EXPECT_EQ(json[0]["prefetch_overhead"]["l2_requests"], 0);
  EXPECT_EQ(json[1]["prefetcher"], "caps");
  EXPECT_EQ(json[1]["warp_scheduler"], "pas");
  // A name may end in a plus.
  const Json plus =
      Json::parse(RunFlagstone(arguments + "caps+,caps++pas,caps+pas+,caps++pas+ --json").out,
                  nullptr, false)["runs"];
  ASSERT_EQ(plus.size(), 5U);
  EXPECT_EQ(plus[1]["prefetcher"], "caps+");
  EXPECT_NE(plus[1]["warp_scheduler"], "pas");
  EXPECT_EQ(plus[2]["prefetcher"], "caps+");
  EXPECT_EQ(plus[2]["warp_scheduler"], "pas");
  EXPECT_EQ(plus[3]["prefetcher"], "caps");
  EXPECT_EQ(plus[3]["warp_scheduler"], "pas+");
  EXPECT_EQ(plus[4]["prefetcher"], "caps+");
  EXPECT_EQ(plus[4]["warp_scheduler"], "pas+");
  const auto packets = [&](size_t run) {
    return json[run]["totals"]["noc"]["request"]["packets"].get<double>();
  };
  EXPECT_DOUBLE_EQ(json[1]["prefetch_overhead"]["l2_requests"].get<double>(),
                   packets(1) / packets(0) - 1);
  for (const char* bad : {"psychic", "caps+psychic", "caps,", "nlp+", "caps+pas++"}) {
    EXPECT_EQ(RunFlagstone(arguments + bad).exit_code, 2) << bad;
  }
}

TEST(Compare, AFailedRunFailsTheComparisonAndNamesItself) {
  const CommandResult result = RunFlagstone(
      "compare vecadd --policy lrr --machine tiny -q --set sm.shared_kib=48 --set "
      "no_progress_cycles=1");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("vecadd under lrr on tiny"));
}

}  // namespace compare_test
}  // namespace flagstone
