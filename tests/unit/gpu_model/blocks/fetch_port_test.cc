#include "gpu_model/blocks/tb_scheduler/paver/fetch_port.h"

#include <gtest/gtest.h>

#include <vector>

namespace flagstone {
namespace fetch_port_test {

// One cycle: whose request is placed.
uint32_t Tick(FetchPort* port, bool descriptor, const SmMask& ids, bool ready) {
  const uint32_t owner = port->Choose(descriptor, ready);
  const uint32_t pick = port->Pick(ids, owner);
  if (ready) port->Taken();
  if (owner != kNoOwner) port->Place(owner);
  if (pick != kNoOwner) port->TakePick(pick);
  return owner;
}

TEST(FetchPort, PrefersDescriptorsAndServesSmsRoundRobinACycleAfterThePick) {
  FetchPort port(3, 7);
  std::vector<uint32_t> order;
  for (const bool descriptor : {false, true, false, false, false, false}) {
    order.push_back(Tick(&port, descriptor, {0b111, 0}, true));
  }
  EXPECT_EQ(order, (std::vector<uint32_t>{kNoOwner, kDispatcherOwner, 0, 1, 2, 0}));
}

TEST(FetchPort, WaitsUntilTheRequestShownIsTaken) {
  FetchPort port(2, 6);
  Tick(&port, false, {0b11, 0}, false);
  EXPECT_EQ(Tick(&port, false, {0b11, 0}, false), 0u);
  EXPECT_EQ(port.Picked(), 1u);
  EXPECT_EQ(Tick(&port, true, {0b11, 0}, false), kNoOwner);
  EXPECT_EQ(port.Picked(), 1u);  // and nobody else is picked
  EXPECT_EQ(Tick(&port, false, {0b11, 0}, true), 1u);
  EXPECT_EQ(port.Picked(), 0u);
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
  EXPECT_EQ(Tick(&port, false, {0, 0}, true), kNoOwner);
  EXPECT_EQ(port.Picked(), kNoOwner);
}

}  // namespace fetch_port_test
}  // namespace flagstone
