// What the progress bar says.
#include "app/cli/terminal.h"

#include <gtest/gtest.h>

namespace flagstone {
namespace terminal_test {

TEST(Progress, NamesLaunchTbsCyclesAndRate) {
  Progress progress;
  progress.tbs = 64;
  progress.tbs_completed = 12;
  progress.cycle = 1'200'000;
  progress.launches = 1;
  EXPECT_EQ(Describe(progress, 0), "12/64 TBs, cycle 1,200,000");
  EXPECT_EQ(Describe(progress, 85'400), "12/64 TBs, cycle 1,200,000, 85 kcycles/s");
  progress.launch = 1;
  progress.launches = 5;
  EXPECT_EQ(Describe(progress, 0), "launch 2/5, 12/64 TBs, cycle 1,200,000");
  progress.launches = 0;
  EXPECT_EQ(Describe(progress, 0), "launch 2, 12/64 TBs, cycle 1,200,000");
}

TEST(Progress, TheShareIsOfAllLaunchesWhereTheirNumberIsKnown) {
  Progress progress;
  progress.tbs = 4;
  progress.tbs_completed = 1;
  EXPECT_DOUBLE_EQ(ShareDone(progress), 0.25);
  progress.launch = 3;
  EXPECT_DOUBLE_EQ(ShareDone(progress), 0.25);
  progress.launches = 5;
  EXPECT_DOUBLE_EQ(ShareDone(progress), 0.65);
}

}  // namespace terminal_test
}  // namespace flagstone
