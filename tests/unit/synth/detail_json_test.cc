#include "synth/detail_json.h"

#include <gtest/gtest.h>

#include <vector>

namespace flagstone {
namespace detail_json_test {

constexpr char kReport[] =
    R"(Startpoint: a_q[0]$cell (rising edge-triggered flip-flop clocked by clk)
      Cap      Slew     Delay      Time   Description
-------------------------------------------------------------------------------
             0.0000    0.0000    0.0000   clock clk (rise edge)
                       0.0000    0.0000   clock network delay (ideal)
             0.0000    0.0000    0.0000 ^ u_x.a_q[0]$cell/CK (DFF_X1)
   9.2000    0.0252    0.1037    0.1037 ^ u_x.a_q[0]$cell/Q (DFF_X1)
   4.1000    0.0170    0.0425    0.1462 v n674$cell/ZN (AND2_X1)
                                 0.1462   data arrival time

             0.0000    1.4286    1.4286 ^ u_x.b_q[3]$cell/CK (DFF_X1)
)";

TEST(StagesOf, AreTheCellsOfTheFirstPathUpToItsEnd) {
  const std::vector<PathStage> stages = StagesOf(kReport);
  ASSERT_EQ(stages.size(), 3U);
  EXPECT_EQ(stages[1].pin, "u_x.a_q[0]/Q");
  EXPECT_EQ(stages[1].cell, "DFF_X1");
  EXPECT_NEAR(stages[1].delay_ps, 103.7, 1e-9);
  EXPECT_EQ(stages[2].cell, "AND2_X1");
  EXPECT_NEAR(stages[2].delay_ps, 42.5, 1e-9);
  EXPECT_NEAR(stages[2].arrival_ps, 146.2, 1e-9);
}

TEST(StagesOf, TakeNoDelayOutsideTheBlockForACell) {
  EXPECT_TRUE(StagesOf("  0.1000    0.1000 ^ input external delay\n").empty());
  EXPECT_TRUE(StagesOf("").empty());
  const std::vector<PathStage> port =
      StagesOf("   1.0000    0.0000    0.0000    0.1000 v tb_ready_i[3] (in)\n");
  ASSERT_EQ(port.size(), 1U);
  EXPECT_EQ(port[0].cell, "in");
}

}  // namespace detail_json_test
}  // namespace flagstone
