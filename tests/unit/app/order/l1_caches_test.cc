// What L1s of a launch still hold, in cases that can be worked out by hand.
#include "app/order/l1_caches.h"

#include <gtest/gtest.h>

namespace flagstone::order {
namespace l1_caches_test {

constexpr uint32_t kLine = 128;

// Misses of a single runner that goes through `lines` lines again and again.
double MissesOfCycle(uint32_t lines, uint32_t cache_lines, uint32_t ways) {
  L1Caches caches(1, 1, uint64_t{cache_lines} * kLine, ways);
  double misses = 0;
  for (uint32_t turn = 0; turn < 10; ++turn) {
    caches.BeginStep(0);
    for (uint32_t line = 0; line < lines; ++line) misses += caches.Touch(0, line, kLine, 1, 1);
  }
  return misses;
}

TEST(L1Caches, KeepWhatFits) { EXPECT_NEAR(MissesOfCycle(16, 256, 64), 16, 0.5); }

TEST(L1Caches, LoseACycleThatIsLongerThanTheyHold) {
  EXPECT_NEAR(MissesOfCycle(1024, 256, 64), 10 * 1024, 10);
}

// Of few ways some sets are full before all are.
TEST(L1Caches, OfFewWaysLoseSomeOfWhatFits) {
  const double misses = MissesOfCycle(128, 256, 2);
  EXPECT_GT(misses, 1.2 * 128);
  EXPECT_LT(misses, 8.0 * 128);
}

TEST(L1Caches, BringWhatIsTouchedInEachTurnInAgainWhereTurnsAreLong) {
  L1Caches caches(1, 1, 64 * kLine, 64);
  double misses = 0;
  for (int step = 0; step < 2; ++step) {
    caches.BeginStep(0);
    misses = caches.Touch(0, 0, kLine, 8, 1);
    caches.Pass(0, 1024 * kLine, 1, 1);
  }
  EXPECT_NEAR(misses, 8, 0.1);
}

// More has gone by in the end than there is room for at once.
TEST(L1Caches, KeepWhatIsTouchedAgainWhileOthersPassBy) {
  constexpr uint32_t kKept = 8, kPassing = 8, kSteps = 10'000;
  L1Caches caches(1, 1, 256 * kLine, 64);
  double misses = 0;
  for (uint32_t step = 0; step < kSteps; ++step) {
    caches.BeginStep(0);
    for (uint32_t line = 0; line < kKept; ++line) misses += caches.Touch(0, line, kLine, 1, 1);
    for (uint32_t i = 0; i < kPassing; ++i) {
      misses += caches.Touch(0, kKept + step * kPassing + i, kLine, 1, 1);
    }
  }
  EXPECT_NEAR(misses, kKept + kPassing * kSteps, 1);
}

TEST(L1Caches, ForgetWhatIsDropped) {
  L1Caches caches(1, 1, 64 * kLine, 4);
  EXPECT_DOUBLE_EQ(caches.Touch(0, 7, kLine, 1, 1), 1);
  EXPECT_DOUBLE_EQ(caches.Touch(0, 7, kLine, 1, 1), 0);
  caches.Drop(0, 8);  // was never there
  EXPECT_DOUBLE_EQ(caches.Touch(0, 7, kLine, 1, 1), 0);
  caches.Drop(0, 7);
  EXPECT_DOUBLE_EQ(caches.Touch(0, 7, kLine, 1, 1), 1);
}

}  // namespace l1_caches_test
}  // namespace flagstone::order
