// The stack alone: what is on it after divergences, arrivals and exits.
#include <gtest/gtest.h>

#include "gpu_model/simt/thread_block_state.h"

namespace flagstone::simt {
namespace reconvergence_stack_test {

constexpr uint32_t kSize = 100;

TEST(ReconvergenceStack, KeepsItsDepthInALoopWithADivergentExit) {
  ReconvergenceStack stack;
  stack.Reset(kAllLanes, kSize);
  LaneMask left = 0;
  for (uint32_t lane = 0; lane < 31; ++lane) {
    // One lane leaves the loop at 10..20 to instruction 50, where all meet.
    stack.Diverge(1U << lane, 50, 10, 50);
    left |= 1U << lane;
    EXPECT_EQ(stack.depth(), 2U);
    EXPECT_EQ(stack.top().pc, 10U);
    EXPECT_EQ(stack.top().mask, ~left);
    stack.GoTo(20);
  }
  stack.GoTo(50);
  EXPECT_EQ(stack.depth(), 1U);
  EXPECT_EQ(stack.top().pc, 50U);
  EXPECT_EQ(stack.top().mask, kAllLanes);
}

TEST(ReconvergenceStack, RunsBothSidesThenTheMeetingPoint) {
  ReconvergenceStack stack;
  stack.Reset(kAllLanes, kSize);
  stack.Diverge(0xff, 30, 10, 50);
  EXPECT_EQ(stack.depth(), 3U);
  EXPECT_EQ(stack.top().mask, ~0xffU);
  stack.GoTo(50);
  EXPECT_EQ(stack.top().pc, 30U);
  EXPECT_EQ(stack.top().mask, 0xffU);
  stack.GoTo(50);
  EXPECT_EQ(stack.depth(), 1U);
  EXPECT_EQ(stack.top().mask, kAllLanes);
}

TEST(ReconvergenceStack, ForgetsLanesThatExit) {
  ReconvergenceStack stack;
  stack.Reset(kAllLanes, kSize);
  stack.Diverge(0xff, 30, 10, 50);
  stack.Exit(0xffff0000U);  // some of the first side
  EXPECT_EQ(stack.top().mask, 0xff00U);
  stack.Exit(0xff00);  // the rest of it: the other side goes on
  EXPECT_EQ(stack.top().pc, 30U);
  stack.GoTo(50);
  EXPECT_EQ(stack.top().mask, 0xffU);
  stack.Exit(0xff);
  EXPECT_TRUE(stack.empty());
}

TEST(ReconvergenceStack, EndsAtTheEndOfTheKernel) {
  ReconvergenceStack stack;
  stack.Reset(0xf, kSize);
  stack.Diverge(0x3, 30, 10, kSize);
  EXPECT_EQ(stack.depth(), 2U);
  stack.GoTo(kSize);
  EXPECT_EQ(stack.top().mask, 0x3U);
  stack.GoTo(kSize);
  EXPECT_TRUE(stack.empty());
}

}  // namespace reconvergence_stack_test
}  // namespace flagstone::simt
