// The least that slices of several nodes need, and what they say while something is under way.
#include <gtest/gtest.h>

#include "tests/unit/gpu_model/memory/l2_nodes.h"

namespace flagstone {
namespace numa_l2_slice_limits_test {

TEST(NumaL2SliceLimits, AReadThatTakesNoWayNeedsOnePlaceInTheMissQueue) {
  MachineConfig machine = MachineOfNodes();
  machine.l2.cache.miss_queue = 1;
  L2Nodes nodes(/*once=*/true, machine);
  nodes.Ask(1, 5);
  nodes.Finish();
  EXPECT_EQ(nodes.replies[1].packets.size(), 1U);
  EXPECT_EQ(nodes.slices[0]->remote().bypassed, 1U);
}

TEST(NumaL2SliceLimits, TheLatencyOfAFetchWithoutAWayIsThatOfTheRequest) {
  L2Nodes nodes(/*once=*/true);
  for (int i = 0; i < 1000; ++i) nodes.Tick();
  nodes.Ask(1, 5);
  nodes.Finish();
  ASSERT_EQ(nodes.slices[0]->statistics().latency.count, 1U);
  EXPECT_LT(nodes.slices[0]->statistics().latency.cycles, 50U);
}

TEST(NumaL2SliceLimits, AWriteThatIsNotOnItsWayHomeYetIsNoEnd) {
  L2Nodes nodes(/*once=*/false);
  nodes.wires[1].open = false;
  nodes.Ask(1, 5, PacketKind::kWrite);
  for (int i = 0; i < 60; ++i) nodes.Tick();
  EXPECT_FALSE(nodes.slices[1]->Drained());
  EXPECT_EQ(nodes.slices[1]->Leftover(),
            "1 requests, 0 MSHRs, 0 replies, 0 misses, 0 without an answer");
  nodes.wires[1].open = true;
  nodes.Finish();
  EXPECT_EQ(nodes.slices[1]->Leftover(),
            "0 requests, 0 MSHRs, 0 replies, 0 misses, 0 without an answer");
}

TEST(NumaL2SliceLimits, SaysWhatIsLeftOfARead) {
  L2Nodes nodes(/*once=*/false);
  nodes.dram_answers = false;
  nodes.Ask(1, 5);
  nodes.Ask(1, 6);
  for (int i = 0; i < 60; ++i) nodes.Tick();
  EXPECT_EQ(nodes.slices[1]->Leftover(),
            "0 requests, 2 MSHRs, 0 replies, 0 misses, 2 without an answer");
  EXPECT_EQ(nodes.slices[0]->Leftover(),
            "0 requests, 2 MSHRs, 0 replies, 0 misses, 2 without an answer");
  nodes.dram_answers = true;
  nodes.Finish();
}

}  // namespace numa_l2_slice_limits_test
}  // namespace flagstone
