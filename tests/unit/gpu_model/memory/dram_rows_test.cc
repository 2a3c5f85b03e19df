// When a DRAM channel closes an open row.
#include <gtest/gtest.h>

#include "tests/unit/gpu_model/memory/dram_channel_bench.h"

namespace flagstone {
namespace dram_rows_test {

// With row 5 open in banks 0 and 1, and everything quiet.
class DramRowsTest : public DramChannelTest {
 protected:
  DramRowsTest() {
    Request(0, 5, 1);
    Request(1, 5, 2);
    RunUntil(500);
  }
};

TEST_F(DramRowsTest, ARowStaysOpenForARequestThatWaitsForItsColumn) {
  Request(0, 5, 3, false, kAllSectors);  // the bus is taken for four cycles
  Request(0, 5, 4, false, kAllSectors);  // and for four more
  Request(1, 5, 5);
  Request(1, 6, 6);  // another row of a bank whose open one is still wanted
  RunUntil(1000);
  EXPECT_EQ(channel_.statistics().activations, 2U + 1);
  EXPECT_EQ(channel_.statistics().row_hits, 4U + 4 + 1);
  EXPECT_EQ(channel_.statistics().row_conflicts, 1U);
  EXPECT_EQ(client_.replies.back().second, 6U);
}

TEST_F(DramRowsTest, ARowIsClosedSoonAfterTheLastReadOfIt) {
  Request(0, 5, 3, false, kAllSectors);
  Request(0, 6, 4);
  // Read in cycle 500, precharge when its burst of 4 is over and tRTPL = 2 more, then tRP = 11,
  // tRCD = 13, tCL = 12 and a burst of one.
  EXPECT_EQ(ReplyCycle(4), 500 + 4 + 2 + 11 + 13 + 12 + 1 + kFixed);
}

}  // namespace dram_rows_test
}  // namespace flagstone
