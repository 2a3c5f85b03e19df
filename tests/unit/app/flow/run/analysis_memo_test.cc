// When a launch counts as one that has been analysed.
#include "app/flow/run/analysis_memo.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "kernels/launch/workload.h"

namespace flagstone {
namespace analysis_memo_test {

class AnalysisMemoTest : public testing::Test {
 protected:
  std::string Key() const { return AnalysisMemo::KeyOf(launch_, bound_.memory); }

  const Workload workload_ = Workload::Load(FindWorkload("conv_separable"), "test");
  BoundWorkload bound_ = Bind(workload_);
  KernelLaunch launch_ = bound_.launches[0];
  const std::string before_ = Key();
};

TEST_F(AnalysisMemoTest, WhatALaunchHasWrittenDoesNotMatter) {
  for (const DeviceMemory::Region& region : bound_.memory.regions()) {
    if (region.writable && region.size != 0) *bound_.memory.At(region.address) ^= std::byte{1};
  }
  EXPECT_EQ(Key(), before_);
}

TEST_F(AnalysisMemoTest, AnotherShapeIsAnotherLaunch) {
  ++launch_.grid.x;
  EXPECT_NE(Key(), before_);
}

TEST_F(AnalysisMemoTest, AnotherArgumentIsAnotherLaunch) {
  launch_.parameters.back() ^= std::byte{1};
  EXPECT_NE(Key(), before_);
}

TEST_F(AnalysisMemoTest, AnotherBufferMakesAnotherLaunch) {
  bound_.memory.Allocate("one more", 1000);
  EXPECT_NE(Key(), before_);
}

TEST_F(AnalysisMemoTest, AConstantVariableCountsWithItsBytes) {
  ASSERT_FALSE(launch_.symbols.empty());
  *bound_.memory.At(launch_.symbols.begin()->second) ^= std::byte{1};
  EXPECT_NE(Key(), before_);
}

TEST_F(AnalysisMemoTest, FindsWhatWasPutIn) {
  AnalysisMemo memo;
  EXPECT_EQ(memo.Find(before_), nullptr);
  LaunchFindings findings;
  findings.groups.groups = {{1, 0}, {2}};
  memo.Put(before_, std::move(findings));
  ASSERT_NE(memo.Find(before_), nullptr);
  EXPECT_EQ(memo.Find(before_)->groups.groups.size(), 2U);
  for (int i = 0; i < 64; ++i) memo.Put(std::to_string(i), {});
  EXPECT_EQ(memo.Find(before_), nullptr);  // it holds so many
}

}  // namespace analysis_memo_test
}  // namespace flagstone
