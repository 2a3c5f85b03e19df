// What is looked at of large launches.
#include "analyzer/replay/sampling.h"

#include <gtest/gtest.h>

namespace flagstone::replay {
namespace sampling_test {

const MachineConfig& Fermi() {
  static const MachineConfig machine = MachineConfig::Load("fermi", {});
  return machine;
}

TEST(ChooseSample, IsAllOfASmallLaunchOrWithoutALimit) {
  EXPECT_TRUE(ChooseSample({100, 8, 1000, 6}, Fermi(), 100'000).whole);
  EXPECT_TRUE(ChooseSample({1'000'000, 8, 1000, 6}, Fermi(), 0).whole);
  EXPECT_FALSE(ChooseSample({101, 8, 1000, 6}, Fermi(), 100'000).whole);
}

TEST(ChooseSample, LooksAtSomeSmsAndAtTheBeginningOfTbs) {
  const Sample sample = ChooseSample({1'000'000, 8, 10'000, 6}, Fermi(), 2'000'000);
  EXPECT_LT(sample.sms, Fermi().sm.count);
  EXPECT_LT(sample.tbs, 1'000'000U);
  EXPECT_GT(sample.short_steps, 0U);
  EXPECT_EQ(sample.steps, 0U);
  const double whole = static_cast<double>(sample.tbs) * sample.sms / Fermi().sm.count * 10'000;
  const double begun = static_cast<double>(sample.short_tbs) * 8 * sample.short_steps;
  EXPECT_LT(whole + begun, 2'200'000);
}

TEST(ChooseSample, LooksAtAWaveOfTbsThatAreCutIfTheyAreVeryLong) {
  const Sample sample = ChooseSample({10'000, 8, 1'000'000, 6}, Fermi(), 1'000'000);
  EXPECT_EQ(sample.tbs, 15U * 6);
  EXPECT_EQ(sample.sms, 3U);  // those of a channel
  EXPECT_EQ(sample.steps, 1'000'000U / (3 * 6 * 8));
  EXPECT_EQ(ChooseSample({10'000, 8, 50'000, 6}, Fermi(), 1'000'000).steps, 0U);
}

TEST(PartOf, HasItsShareOfAllParts) {
  const MachineConfig part = PartOf(Fermi(), 0.5);
  EXPECT_EQ(part.sm.count, 8U);
  EXPECT_EQ(part.dram.channels, Fermi().dram.channels / 2);
  EXPECT_EQ(part.l2.slices, Fermi().l2.slices / 2);
  EXPECT_EQ(PartOf(Fermi(), 1).sm.count, 15U);
}

// ipoly permutes 9 to 64 slices.
TEST(PartOf, LeavesAHashThatTheSlicesCanHave) {
  const MachineConfig volta = MachineConfig::Load("volta", {});
  ASSERT_EQ(volta.l2.slice_hash, SliceHash::kIpoly);
  const MachineConfig part = PartOf(volta, 0.05);
  ASSERT_LT(part.l2.slices, 9U);
  EXPECT_NE(part.l2.slice_hash, SliceHash::kIpoly);
}

}  // namespace sampling_test
}  // namespace flagstone::replay
