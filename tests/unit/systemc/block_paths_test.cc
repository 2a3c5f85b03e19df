#include "systemc/block_paths.h"

#include <gtest/gtest.h>

namespace flagstone {
namespace block_paths_test {

TEST(BlockPaths, AnOnlyNodeHasNoName) {
  MachineConfig machine;
  machine.sm.count = 4;
  const BlockPaths paths(machine);
  EXPECT_FALSE(paths.several());
  EXPECT_EQ(paths.OfNode(0, "tb_scheduler"), "gpu.tb_scheduler");
  EXPECT_EQ(paths.OfEachNode("sm*.prefetcher"), "gpu.sm*.prefetcher");
  EXPECT_EQ(paths.OfSm(3, "prefetcher"), "gpu.sm3.prefetcher");
}

TEST(BlockPaths, EachOfSeveralNodesCountsItsSmsFromZero) {
  MachineConfig machine;
  machine.sm.count = 12;
  machine.numa.gpus = 3;
  machine.numa.chiplets = 2;
  const BlockPaths paths(machine);
  EXPECT_TRUE(paths.several());
  EXPECT_EQ(paths.OfNode(5, "l2_policy"), "gpu.node5.l2_policy");
  EXPECT_EQ(paths.OfEachNode("tb_scheduler"), "gpu.node*.tb_scheduler");
  EXPECT_EQ(paths.OfSm(1, "prefetcher"), "gpu.node0.sm1.prefetcher");
  EXPECT_EQ(paths.OfSm(11, "prefetcher"), "gpu.node5.sm1.prefetcher");
}

}  // namespace block_paths_test
}  // namespace flagstone
