#include "analyzer/replay/timetable.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace flagstone::replay {
namespace timetable_test {

TEST(Server, ServesInTheOrderOfTheCalls) {
  Server server;
  EXPECT_EQ(server.Serve(100, 5), 105);
  EXPECT_EQ(server.Serve(10, 5), 110);
  EXPECT_EQ(server.Serve(200, 5), 205);
}

// What will come from far away does not hold up what is here.
TEST(Timetable, ServesWhereThereIsTimeBeforeALaterOne) {
  Timetable table;
  EXPECT_EQ(table.Serve(1000, 5), 1005);
  EXPECT_EQ(table.Serve(10, 5), 15);
}

TEST(Timetable, ServesNoMoreThanThereIsTimeFor) {
  Timetable table;
  double last = 0;
  for (int i = 0; i < 100; ++i) last = std::max(last, table.Serve(0, 4));
  EXPECT_EQ(last, 400);
  EXPECT_EQ(table.Serve(800, 4), 804);
}

TEST(Timetable, ForgetsWhatIsLongOver) {
  Timetable table;
  for (int i = 0; i < 100; ++i) table.Serve(0, 4);
  EXPECT_EQ(table.Serve(1'000'000, 4), 1'000'004);
  EXPECT_GT(table.Serve(0, 4), 900'000);
}

}  // namespace timetable_test
}  // namespace flagstone::replay
