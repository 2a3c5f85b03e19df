// The links between nodes, with a slice of each node at their ends.
#ifndef FLAGSTONE_TESTS_UNIT_GPU_MODEL_MEMORY_FABRIC_BENCH_H_
#define FLAGSTONE_TESTS_UNIT_GPU_MODEL_MEMORY_FABRIC_BENCH_H_

#include <gtest/gtest.h>

#include <deque>
#include <utility>
#include <vector>

#include "gpu_model/memory/fabric.h"
#include "gpu_model/memory/physical_line.h"

namespace flagstone {

inline NumaConfig NodesOf(uint32_t gpus, uint32_t chiplets) {
  NumaConfig numa;
  numa.gpus = gpus;
  numa.chiplets = chiplets;
  return numa;
}

inline Packet FabricRequest(uint32_t from, uint32_t home, PacketKind kind = PacketKind::kRead,
                            SectorMask sectors = 1) {
  Packet packet;
  packet.line = PhysicalLine(home, 0);
  packet.origin = static_cast<uint8_t>(from);
  packet.kind = kind;
  packet.sectors = sectors;
  return packet;
}

class RecordingFabricSink final : public FabricSink {
 public:
  bool CanAccept(Channel channel) const override { return channel == Channel::kReply || open; }
  void Accept(Channel channel, const Packet& packet) override {
    (channel == Channel::kReply ? replies : requests).push_back({now, packet});
  }

  bool open = true;
  uint64_t now = 0;
  std::vector<std::pair<uint64_t, Packet>> requests, replies;
};

// The fabric alone: each node has one slice of the L2 behind it.
class FabricBench {
 public:
  explicit FabricBench(const NumaConfig& numa, const FabricQueues& queues = {})
      : fabric(numa, 1, queues), sinks(numa.Nodes()) {
    for (uint32_t n = 0; n < sinks.size(); ++n) fabric.ConnectSink(n, 0, &sinks[n]);
  }
  // Sends in the cycle before `now`.
  void Send(uint32_t node, Channel channel, const Packet& packet) {
    ASSERT_TRUE(fabric.port(node, 0)->CanSend(channel));
    fabric.port(node, 0)->Send(channel, packet);
  }
  void Tick() {
    ++now;
    for (RecordingFabricSink& sink : sinks) sink.now = now;
    fabric.Sample(now);
    fabric.Commit(now);
  }

  Fabric fabric;
  std::deque<RecordingFabricSink> sinks;
  uint64_t now = 0;
};

// The cycle in which the receiver can sample what was sent in cycle 0.
inline uint64_t LatencyOf(const NumaConfig& numa, uint32_t from, uint32_t home) {
  FabricBench bench(numa);
  bench.Send(from, Channel::kRequest, FabricRequest(from, home));
  while (bench.sinks[home].requests.empty() && bench.now < 2000) bench.Tick();
  EXPECT_TRUE(bench.fabric.Drained());
  return bench.now + 1;
}

}  // namespace flagstone

#endif  // FLAGSTONE_TESTS_UNIT_GPU_MODEL_MEMORY_FABRIC_BENCH_H_
