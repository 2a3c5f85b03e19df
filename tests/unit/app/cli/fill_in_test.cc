// Figures of a launch in the place of their names.
#include "app/cli/fill_in.h"

#include <gtest/gtest.h>

#include "app/results/statistics_json.h"
#include "base/error.h"

namespace flagstone {
namespace fill_in_test {

TEST(FillIn, PutsValuesAndSharesInThePlaceOfNames) {
  LaunchStatistics statistics;
  statistics.cycles = 1000;
  statistics.thread_instructions = 2500;
  statistics.l1.accesses = 1600;
  statistics.l1.misses = 400;
  statistics.sm[IssueSlot::kIssued] = 1;
  statistics.sm[IssueSlot::kMemory] = 3;
  Json launch;
  PutStatistics(statistics, {}, &launch);
  EXPECT_EQ(FillIn("{cycles} ({ipc} a cycle)", launch), "1,000 (2.5 a cycle)");
  EXPECT_EQ(FillIn("{l1.misses/l1.accesses}", launch), "25.0 %");
  EXPECT_EQ(FillIn("{l1.accesses-l1.misses/l1.accesses+l1.misses}", launch), "60.0 %");
  EXPECT_EQ(FillIn("{sm.issue.memory/sm.issue}", launch), "75.0 %");
  EXPECT_EQ(FillIn("{sm.memory_share}", launch), "75.0%");
  EXPECT_EQ(FillIn("{l2.misses/l2.accesses}", launch), "-");
  EXPECT_THROW(FillIn("{l1.luck}", launch), Error);
  EXPECT_THROW(FillIn("{l1.luck/cycles}", launch), Error);
  EXPECT_THROW(FillIn("{policy}", launch), Error);
}

}  // namespace fill_in_test
}  // namespace flagstone
