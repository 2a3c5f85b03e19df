// The page of a run: its lines are filled from the statistics by name.
#include "app/cli/run_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/results/run_record.h"

namespace flagstone {
namespace run_page_test {

using testing::HasSubstr;
using testing::Not;

RunRecord Record() {
  RunRecord record;
  record.workload = "syrk";
  record.engine = "model";
  LaunchRecord launch;
  launch.entry = "k";
  LaunchStatistics& s = launch.statistics;
  s.cycles = 1000;
  s.thread_instructions = 2500;
  s.l1.accesses = 1600;
  s.l1.misses = 400;
  s.sm[IssueSlot::kIssued] = 1;
  s.sm[IssueSlot::kMemory] = 3;
  record.launches.push_back(launch);
  record.totals = s;
  return record;
}

std::string PageOf(const RunRecord& record) { return RunPage(ToJson(record, "", "")); }

TEST(RunPage, ShowsTheNodesAndTheirTrafficWhereThereAreSeveral) {
  RunRecord record = Record();
  EXPECT_THAT(PageOf(record), Not(HasSubstr("nodes")));
  LaunchRecord& launch = record.launches[0];
  launch.nodes.emplace();
  launch.nodes->nodes = {{.tbs = 3, .cycles_busy = 900}, {.tbs = 5, .dram_reads = 77}};
  launch.nodes->traffic = {{10, 20}, {30, 4321}};
  launch.statistics.numa.ll.accesses = 150;
  launch.statistics.numa.lr.accesses = 50;
  launch.statistics.numa.lr.misses = 20;
  launch.statistics.numa.lr.other_gpu = 10;
  const std::string page = PageOf(record);
  EXPECT_THAT(page, HasSubstr("10.0 % of the SMs' accesses, to other GPUs 5.0 %"));
  EXPECT_THAT(page,
              HasSubstr("   0          3          900            0           10          20"));
  EXPECT_THAT(page,
              HasSubstr("   1          5            0           77           30       4,321"));
}

TEST(RunPage, HasEveryLineOfWhatWasCounted) {
  RunRecord record = Record();
  EXPECT_THAT(PageOf(record), HasSubstr("1,600 accesses"));
  EXPECT_THAT(PageOf(record), HasSubstr("issued 25.0 %, no grant 0.0 %"));
  EXPECT_THAT(PageOf(record), Not(HasSubstr("conflict")));
  EXPECT_THAT(PageOf(record), Not(HasSubstr("prefetches")));
  record.miss_classes = true;
  record.launches[0].statistics.prefetch.demand_fetches = 10;
  record.launches[0].statistics.prefetch.issued = 4;
  record.launches[0].statistics.prefetch.early_evicted = 2;
  record.launches[0].statistics.prefetch.too_early = 1;
  const std::string page = PageOf(record);
  EXPECT_THAT(page, HasSubstr("0 conflict, 0 on what was written"));
  EXPECT_THAT(page, HasSubstr("0 capacity, 0 conflict\n")) << "of the L2";
  EXPECT_THAT(page, HasSubstr("4 issued (coverage 40.0 %), 0.0 % used, 25.0 % too early, "
                              "25.0 % wrong"));
}

TEST(RunPage, OfAFunctionalRunHasNoCycles) {
  RunRecord record = Record();
  record.engine = "functional";
  EXPECT_THAT(PageOf(record), HasSubstr("executed without timing"));
  EXPECT_THAT(PageOf(record), HasSubstr("thread instructions  2,500\n"));
  EXPECT_THAT(PageOf(record), Not(HasSubstr("cycle")));
}

}  // namespace run_page_test
}  // namespace flagstone
