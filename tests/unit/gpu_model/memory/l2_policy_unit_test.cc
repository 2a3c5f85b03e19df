// The unit between the slices of a node and their policy: when it answers and when it may sleep.
#include "gpu_model/memory/l2_policy_unit.h"

#include <gtest/gtest.h>

#include <vector>

#include "gpu_model/blocks/l2_policy/l2_remote_policy.h"

namespace flagstone {
namespace l2_policy_unit_test {

struct Slice final : L2PolicyClient {
  void Decided(uint32_t lane, const L2Decision&) override { lanes.push_back(lane); }
  std::vector<uint32_t> lanes;
};

TEST(L2PolicyUnit, AsksForEachCycleInWhichItHasWorkAndForNoOther) {
  L2RemotePolicy policy({L2PolicyUnit::kLanes, 2});
  L2PolicyUnit unit(&policy, {});
  Slice slice;
  unit.Connect(&slice);
  const auto tick = [&](uint64_t now) {
    unit.Sample(now);
    unit.Commit(now);
  };
  EXPECT_EQ(unit.NextWork(1), 2U);  // the mode is still to be told
  tick(2);
  EXPECT_EQ(unit.NextWork(2), kNever);
  unit.Ask(L2PolicyUnit::LaneOf(0, false), false, PacketKind::kRead, 0);
  EXPECT_FALSE(unit.Drained());
  EXPECT_EQ(unit.NextWork(7), 8U);
  tick(8);
  EXPECT_EQ(slice.lanes, std::vector<uint32_t>{0});
  EXPECT_EQ(unit.NextWork(8), 9U);  // the block takes its answer back
  tick(9);
  EXPECT_EQ(slice.lanes, std::vector<uint32_t>{0});
  EXPECT_EQ(unit.NextWork(9), kNever);
  EXPECT_TRUE(unit.Drained());
}

}  // namespace l2_policy_unit_test
}  // namespace flagstone
