#include "gpu_model/blocks/tb_scheduler/fetch_port.h"

#include <gtest/gtest.h>

#include <vector>

namespace flagstone {
namespace {

TEST(FetchPort, PrefersDescriptorsAndServesSmsRoundRobin) {
  FetchPort port(3, 7);
  std::vector<uint32_t> order;
  for (const bool descriptor : {false, true, false, false, false}) {
    const uint32_t owner = port.Choose(descriptor, {0b111, 0}, true);
    order.push_back(owner);
    if (port.RequestValid()) port.Taken();
    port.Place(owner);
  }
  EXPECT_EQ(order, (std::vector<uint32_t>{0, kDispatcherOwner, 1, 2, 0}));
}

TEST(FetchPort, WaitsUntilTheRequestShownIsTaken) {
  FetchPort port(2, 6);
  port.Place(port.Choose(false, {0b11, 0}, false));
  EXPECT_EQ(port.Choose(true, {0b11, 0}, false), kNoOwner);
  EXPECT_EQ(port.Choose(false, {0b11, 0}, true), 1u);
}

TEST(FetchPort, GivesAnswersToTheRequestersInOrderAcrossTheRingsEnd) {
  FetchPort port(2, 3);
  const std::vector<uint32_t> owners = {1, 0, kDispatcherOwner};
  for (int round = 0; round < 4; ++round) {
    EXPECT_EQ(port.NextAnswer(), kNoOwner);
    for (const uint32_t owner : owners) port.Place(owner);
    for (const uint32_t owner : owners) {
      EXPECT_EQ(port.NextAnswer(), owner);
      port.Answered();
    }
    port.Place(0);  // shifts the ring by one
    port.Answered();
  }
}

TEST(FetchPort, ChoosesNobodyWhenNobodyAsks) {
  FetchPort port(2, 6);
  EXPECT_EQ(port.Choose(false, {0, 0}, true), kNoOwner);
}

}  // namespace
}  // namespace flagstone
