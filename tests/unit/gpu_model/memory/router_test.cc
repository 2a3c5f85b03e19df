#include "gpu_model/memory/router.h"

#include <gtest/gtest.h>

#include <set>

namespace flagstone {
namespace router_test {

MachineConfig Machine() {
  MachineConfig machine;
  machine.l2.slices = 12;
  machine.dram.channels = 6;
  return machine;
}

TEST(Router, GivesEachAskerAPortOfItsOwn) {
  const AddressMap map(Machine());
  const Router router(map, 256);
  std::set<uint32_t> ports = {router.TbScheduler()};
  for (uint32_t sm = 0; sm < 256; ++sm) ports.insert(router.Sm(sm));
  EXPECT_EQ(ports.size(), 257U);
  EXPECT_EQ(router.Sources(Direction::kRequest), 257U);
  EXPECT_EQ(router.Destinations(Direction::kReply), 257U);
  for (const uint32_t port : ports) EXPECT_LT(port, router.askers());
}

TEST(Router, ARequestLeavesByThePortOfItsLinesSliceAndItsReplyByTheOneItCameIn) {
  const AddressMap map(Machine());
  const Router router(map, 15);
  for (LineNumber line = 1 << 20; line < (1 << 20) + 1000; ++line) {
    Packet packet;
    packet.line = line;
    const uint32_t source = line % 2 == 0 ? router.TbScheduler() : router.Sm(line % 15);
    ASSERT_EQ(router.Route(Direction::kRequest, source, &packet),
              router.Slice(map.Slice(line).slice));
    ASSERT_EQ(router.Route(Direction::kReply, router.Slice(0), &packet), source);
  }
}

}  // namespace router_test
}  // namespace flagstone
