// The table of columns: names, values, formats.
#include "app/results/columns.h"

#include <gtest/gtest.h>

#include <set>

namespace flagstone {
namespace columns_test {

Json SomeRun() {
  RunRecord record;
  record.workload = "syrk";
  record.policy = "rb";
  record.totals.cycles = 1234567;
  record.totals.thread_instructions = 2469134;
  record.totals.l1.accesses = 200;
  record.totals.l1.misses = 25;
  record.checks = {{.buffer = "c", .passed = true}};
  return ToJson(record, "1", "flagstone run syrk");
}

std::string Shown(const char* name, const Json& run) {
  const std::optional<Column> column = FindColumn(name);
  return column ? column->Cell(column->Of(run)) : "no column";
}

TEST(Columns, HaveANameASentenceAndATableOrAUseElsewhere) {
  std::set<std::string> names;
  for (const Column& column : Columns()) {
    EXPECT_TRUE(names.insert(column.name).second) << column.name;
    EXPECT_FALSE(column.sentence.empty()) << column.name;
    EXPECT_EQ(column.sentence.back(), '.') << column.name;
    EXPECT_FALSE(column.heading.empty()) << column.name;
    EXPECT_TRUE(column.tables != 0 || column.name.starts_with("host.")) << column.name;
  }
}

// Who adds a column with a name that no run has would see a "-" for ever.
TEST(Columns, StandInEveryRunUnlessCompareAddsThem) {
  Json run = SomeRun();
  for (const Column& column : Columns()) {
    if (column.from_compare || column.name == "checks_passed") continue;
    std::string pointer = (column.statistic ? "/totals/" : "/") + column.name;
    for (char& c : pointer) c = c == '.' ? '/' : c;
    EXPECT_TRUE(run.contains(Json::json_pointer(pointer))) << column.name;
  }
}

TEST(Columns, AreShownInTheirFormats) {
  const Json run = SomeRun();
  EXPECT_EQ(Shown("policy", run), "rb");
  EXPECT_EQ(Shown("cycles", run), "1,234,567");
  EXPECT_EQ(Shown("ipc", run), "2.0");
  EXPECT_EQ(Shown("l1.miss_rate", run), "12.5%");
  EXPECT_EQ(Shown("l2.miss_rate", run), "-");  // of nothing
  EXPECT_EQ(Shown("l1.fails.way", run), "0");  // a statistic without a row of its own
  EXPECT_EQ(Shown("checks_passed", run), "passed");
  EXPECT_EQ(Shown("prefetch_overhead.dram_reads", run), "-");
  Json compared = run;
  compared["prefetch_overhead"] = {{"dram_reads", -0.051}};
  EXPECT_EQ(Shown("prefetch_overhead.dram_reads", compared), "-5.1%");
  EXPECT_EQ(Shown("l1.luck", run), "no column");
}

TEST(Columns, ChecksAreNoneWhereNobodyMadeAnyAndFailTogether) {
  Json run = SomeRun();
  const Json checks = run["checks"];
  run["checks"] = Json::array();
  EXPECT_EQ(Shown("checks_passed", run), "none");
  EXPECT_TRUE(FindColumn("checks_passed")->Of(run).is_null());
  run["checks"] = checks;
  run["checks"].push_back({{"buffer", "d"}, {"passed", false}});
  EXPECT_EQ(Shown("checks_passed", run), "FAILED");
}

TEST(Columns, TakeUnitAndSentenceFromTheStatistics) {
  EXPECT_EQ(FindColumn("l2.accesses")->unit, "32 B sectors");
  EXPECT_EQ(FindColumn("l2.accesses")->sentence, "Asked of the L2 slices.");
  EXPECT_EQ(FindColumn("l1.fails.way")->unit, "SM cycles");
  EXPECT_EQ(FindColumn("dram.utilization")->format, Column::Format::kShare);
}

TEST(RelativeCell, IsUndefinedWithoutABase) {
  EXPECT_EQ(RelativeCell(Json(3), Json(2)), "1.500");
  EXPECT_EQ(RelativeCell(Json(3), Json(0)), "-");
  EXPECT_EQ(RelativeCell(Json(), Json(2)), "-");
  EXPECT_EQ(RelativeCell(Json(3), Json()), "-");
}

TEST(Csv, HasPlainNamesAndEmptyCellsForWhatIsUndefined) {
  EXPECT_EQ(CsvName(*FindColumn("prefetch.distance.mean")), "prefetch_distance_mean");
  EXPECT_EQ(CsvCell(Json()), "");
  EXPECT_EQ(CsvCell(Json("syrk")), "syrk");
  EXPECT_EQ(CsvCell(Json(12)), "12");
  EXPECT_EQ(CsvCell(Json(true)), "true");
}

}  // namespace columns_test
}  // namespace flagstone
