// Which way packets go around a large ring, and that each slice of a node gets onto it.
#include <gtest/gtest.h>

#include <cstdint>
#include <deque>

#include "tests/unit/gpu_model/memory/fabric_bench.h"

namespace flagstone {
namespace fabric_ways_test {

TEST(FabricWays, GoTheShorterWayAroundARingOfEight) {
  const NumaConfig numa = NodesOf(1, 8);
  for (const uint32_t from : {0U, 3U}) {
    for (uint32_t distance = 1; distance < 8; ++distance) {
      const uint32_t hops = distance <= 4 ? distance : 8 - distance;
      EXPECT_EQ(LatencyOf(numa, from, (from + distance) % 8), 32 * hops) << from << " " << distance;
    }
  }
}

// A slice sends whoever sent before it, and whether or not others have something to send.
TEST(FabricWays, AreOpenToEachSliceAlone) {
  Fabric fabric(NodesOf(1, 4), 3);
  std::deque<RecordingFabricSink> sinks(12);
  for (uint32_t i = 0; i < 12; ++i) fabric.ConnectSink(i / 3, i % 3, &sinks[i]);
  uint64_t now = 1;
  for (const uint32_t slice : {2U, 1U, 0U, 1U, 2U, 0U, 0U}) {
    Packet packet = FabricRequest(0, 1);
    packet.port = static_cast<uint16_t>(slice);
    fabric.port(0, slice)->Send(Channel::kRequest, packet);
    const size_t before = sinks[3 + slice].requests.size();
    for (const uint64_t end = now + 40; now < end; ++now) {
      fabric.Sample(now);
      fabric.Commit(now);
    }
    EXPECT_EQ(sinks[3 + slice].requests.size(), before + 1) << slice;
    EXPECT_TRUE(fabric.Drained());
    EXPECT_EQ(fabric.NextWork(now), kNever);
  }
}

// Until its packet comes to the end of a wire, the fabric has nothing to do.
TEST(FabricWays, LetTheFabricSleepWhileAPacketIsOnItsWire) {
  FabricBench bench(NodesOf(1, 4));
  bench.Send(0, Channel::kRequest, FabricRequest(0, 1));
  EXPECT_EQ(bench.fabric.NextWork(0), 1U);
  bench.Tick();
  EXPECT_GT(bench.fabric.NextWork(1), 20U);
}

}  // namespace fabric_ways_test
}  // namespace flagstone
