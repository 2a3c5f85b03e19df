// The links between nodes: latency, bandwidth, ways, and that nothing waits for ever.
#include "gpu_model/memory/fabric.h"

#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <utility>
#include <vector>

#include "base/random.h"
#include "tests/unit/gpu_model/memory/fabric_bench.h"
#include "tests/unit/gpu_model/memory/sleeping_core.h"

namespace flagstone {
namespace fabric_test {

using Bench = FabricBench;
using Sink = RecordingFabricSink;

TEST(Fabric, TakesTheLatencyOfAHopForEachAndThatOfTheSwitchOnce) {
  const NumaConfig numa = NodesOf(2, 4);
  EXPECT_EQ(LatencyOf(numa, 0, 1), 32U);
  EXPECT_EQ(LatencyOf(numa, 0, 2), 64U);
  EXPECT_EQ(LatencyOf(numa, 0, 3), 32U);  // the other way round
  EXPECT_EQ(LatencyOf(numa, 5, 4), 32U);
  EXPECT_EQ(LatencyOf(numa, 1, 6), 128U);
  EXPECT_EQ(LatencyOf(numa, 6, 1), 128U);
}

TEST(Fabric, MovesAsManyBytesACycleAsTheLinkHas) {
  // 1,000 packets of 136 B over 64 B a cycle; then requests of 8 B, eight a cycle.
  for (const auto& [kind, bytes] : {std::pair(PacketKind::kWrite, 136), {PacketKind::kRead, 8}}) {
    FabricQueues queues;
    queues.slice = 16;
    queues.link = 64;
    Bench bench(NodesOf(1, 4), queues);
    uint32_t sent = 0;
    while (bench.sinks[1].requests.size() < 1000 && bench.now < 10'000) {
      while (sent < 1000 && bench.fabric.port(0, 0)->CanSend(Channel::kRequest)) {
        bench.Send(0, Channel::kRequest, FabricRequest(0, 1, kind, 0xf));
        ++sent;
      }
      bench.Tick();
    }
    // A slice hands one packet a cycle to its router.
    const double ideal = std::max(1000.0 * bytes / 64, 1000.0);
    EXPECT_NEAR(static_cast<double>(bench.now), ideal + 32, 4) << bytes;
    EXPECT_EQ(bench.fabric.RingStatistics(bench.now).bytes, 1000U * static_cast<uint32_t>(bytes));
  }
}

TEST(Fabric, LetsTheChipletsOfAGpuShareItsLinkEvenly) {
  // All four ask for more than the link out of their GPU can take.
  Bench bench(NodesOf(2, 4));
  std::array<uint32_t, 4> sent = {};
  while (bench.now < 4000) {
    for (uint32_t node = 0; node < 4; ++node) {
      FabricPort* port = bench.fabric.port(node, 0);
      if (!port->CanSend(Channel::kRequest)) continue;
      bench.Send(node, Channel::kRequest, FabricRequest(node, 4 + node, PacketKind::kWrite));
      ++sent[node];
    }
    bench.Tick();
  }
  for (uint32_t node = 0; node < 4; ++node)
    EXPECT_NEAR(sent[node], sent[0], 0.05 * sent[0]) << node;
}

TEST(Fabric, CountsWhatEachLinkMovesAndNoOther) {
  Bench bench(NodesOf(2, 4));
  bench.Send(0, Channel::kRequest, FabricRequest(0, 1));
  bench.Send(3, Channel::kRequest, FabricRequest(3, 2));
  bench.Send(1, Channel::kRequest, FabricRequest(1, 6));
  while (!bench.fabric.Drained()) bench.Tick();
  const std::vector<LinkLoad> loads = bench.fabric.Loads(bench.now);
  ASSERT_EQ(loads.size(), 2U * 8 + 2 * 2);
  uint64_t bytes = 0;
  for (const LinkLoad& load : loads) {
    using Kind = LinkLoad::Kind;
    const bool used = (load.kind == Kind::kClockwise && load.from == 0 && load.to == 1) ||
                      (load.kind == Kind::kCounterclockwise && load.from == 3 && load.to == 2) ||
                      (load.kind == Kind::kOut && load.from == 0) ||
                      (load.kind == Kind::kIn && load.to == 1);
    EXPECT_EQ(load.packets, used ? 1U : 0U) << load.from << " to " << load.to;
    EXPECT_EQ(load.capacity, 64 * bench.now);
    bytes += load.bytes;
  }
  EXPECT_EQ(bytes, bench.fabric.RingStatistics(bench.now).bytes +
                       bench.fabric.SwitchStatistics(bench.now).bytes);
  EXPECT_EQ(Fabric(NodesOf(1, 4), 1).Loads(1).size(), 2U * 4);
  EXPECT_EQ(Fabric(NodesOf(4, 1), 1).Loads(1).size(), 2U * 4);
}

TEST(Fabric, GoesHalfAroundARingClockwiseFromEvenChipletsAlone) {
  for (uint32_t from = 0; from < 8; ++from) {
    Bench bench(NodesOf(2, 4));
    const uint32_t home = from / 4 * 4 + (from + 2) % 4;
    bench.Send(from, Channel::kRequest, FabricRequest(from, home));
    while (!bench.fabric.Drained()) bench.Tick();
    EXPECT_EQ(bench.sinks[home].requests.size(), 1U);
    const auto kind =
        from % 2 == 0 ? LinkLoad::Kind::kClockwise : LinkLoad::Kind::kCounterclockwise;
    uint64_t hops = 0;
    for (const LinkLoad& load : bench.fabric.Loads(bench.now)) {
      EXPECT_TRUE(load.packets == 0 || load.kind == kind) << from;
      hops += load.packets;
    }
    EXPECT_EQ(hops, 2U);
  }
}

TEST(Fabric, CountsTheCyclesThatPacketsSpendOnItsLinks) {
  Bench bench(NodesOf(2, 4));
  bench.Send(0, Channel::kRequest, FabricRequest(0, 2));  // two hops of 32 cycles
  while (!bench.fabric.Drained()) bench.Tick();
  EXPECT_EQ(bench.fabric.RingStatistics(bench.now).packet_cycles, 63U);
  EXPECT_EQ(bench.fabric.SwitchStatistics(bench.now).packet_cycles, 0U);
  bench.Send(0, Channel::kRequest, FabricRequest(0, 5));
  while (!bench.fabric.Drained()) bench.Tick();
  EXPECT_EQ(bench.fabric.RingStatistics(bench.now).packet_cycles, 63U);
  EXPECT_EQ(bench.fabric.SwitchStatistics(bench.now).packet_cycles, 127U);
  EXPECT_EQ(bench.fabric.RingStatistics(bench.now).backpressure, 0U);
  EXPECT_EQ(bench.fabric.SwitchStatistics(bench.now).capacity, 4 * 64 * bench.now);
  EXPECT_EQ(bench.fabric.RingStatistics(bench.now).capacity, 16 * 64 * bench.now);
}

TEST(Fabric, LetsTheSlicesOfANodeTakeTurns) {
  Fabric fabric(NodesOf(1, 4), 3);
  std::deque<Sink> sinks(12);
  for (uint32_t i = 0; i < 12; ++i) fabric.ConnectSink(i / 3, i % 3, &sinks[i]);
  std::array<uint32_t, 3> sent = {};
  for (uint64_t now = 1; now < 3000; ++now) {
    for (uint32_t slice = 0; slice < 3; ++slice) {
      FabricPort* port = fabric.port(0, slice);
      if (!port->CanSend(Channel::kRequest)) continue;
      Packet packet = FabricRequest(0, 1, PacketKind::kWrite, 0xf);
      packet.port = static_cast<uint16_t>(slice);
      port->Send(Channel::kRequest, packet);
      ++sent[slice];
    }
    fabric.Sample(now);
    fabric.Commit(now);
  }
  for (const uint32_t count : sent) EXPECT_NEAR(count, sent[0], 0.02 * sent[0]);
  for (uint32_t i = 0; i < 12; ++i) EXPECT_EQ(sinks[i].requests.empty(), i < 3 || i > 5) << i;
  EXPECT_GT(fabric.RingStatistics(3000).backpressure, 1000U);
}

struct Arrivals {
  std::vector<std::vector<uint64_t>> requests, replies;  // by node: when
  std::vector<uint64_t> counts;
  uint64_t ticks = 0;
};

Arrivals RandomPackets(const NumaConfig& numa, bool sleeps) {
  Fabric fabric(numa, 1);
  std::deque<Sink> sinks(numa.Nodes());
  for (uint32_t n = 0; n < sinks.size(); ++n) fabric.ConnectSink(n, 0, &sinks[n]);
  SleepingCore core(&fabric, sleeps);
  SplitMix64 random(3);
  uint64_t now = 1;
  for (; now < 20'000 || (!fabric.Drained() && now < 30'000); ++now) {
    const auto from = static_cast<uint32_t>(random.Below(numa.Nodes()));
    const auto to = static_cast<uint32_t>(random.Below(numa.Nodes()));
    const auto channel = random.Below(2) == 0 ? Channel::kRequest : Channel::kReply;
    const bool sends = random.Below(now / 2000 % 2 == 0 ? 2 : 80) == 0 && now < 20'000;
    if (sends && from != to && fabric.port(from, 0)->CanSend(channel)) {
      const auto kind = static_cast<PacketKind>(random.Below(4));
      const auto sectors = static_cast<SectorMask>(1 + random.Below(15));
      const bool asks = channel == Channel::kRequest;
      fabric.port(from, 0)->Send(channel,
                                 FabricRequest(asks ? from : to, asks ? to : from, kind, sectors));
    }
    for (Sink& sink : sinks) {
      sink.now = now;
      sink.open = random.Below(16) != 0;
    }
    core.Sample(now);
    core.Commit(now);
  }
  EXPECT_TRUE(fabric.Drained());
  EXPECT_EQ(fabric.NextWork(now), kNever);
  Arrivals arrivals{.ticks = core.ticks()};
  for (const Sink& sink : sinks) {
    for (auto& [from, to] : {std::pair{&sink.requests, &arrivals.requests.emplace_back()},
                             std::pair{&sink.replies, &arrivals.replies.emplace_back()}}) {
      for (const auto& [cycle, packet] : *from) to->push_back(cycle);
    }
  }
  for (const LinkStatistics& counted : {fabric.RingStatistics(now), fabric.SwitchStatistics(now)}) {
    arrivals.counts.push_back(counted.packet_cycles);
    arrivals.counts.push_back(counted.packets);
  }
  return arrivals;
}

TEST(Fabric, SkippedCyclesChangeNothing) {
  NumaConfig slow = NodesOf(2, 4);
  slow.ring_bytes = 5;
  slow.switch_bytes = 11;
  for (const NumaConfig& numa : {NodesOf(2, 4), slow, NodesOf(4, 1), NodesOf(1, 5)}) {
    const Arrivals all = RandomPackets(numa, false);
    const Arrivals some = RandomPackets(numa, true);
    EXPECT_EQ(some.requests, all.requests);
    EXPECT_EQ(some.replies, all.replies);
    EXPECT_EQ(some.counts, all.counts);
    EXPECT_LT(some.ticks, all.ticks * 9 / 10);
  }
}

TEST(Fabric, LetsRepliesPassRequestsThatNobodyTakes) {
  Bench bench(NodesOf(2, 2));
  for (Sink& sink : bench.sinks) sink.open = false;
  for (uint32_t i = 0; i < 2000; ++i) {
    if (bench.fabric.port(0, 0)->CanSend(Channel::kRequest)) {
      bench.Send(0, Channel::kRequest, FabricRequest(0, i % 3 + 1));
    }
    bench.Tick();
  }
  EXPECT_FALSE(bench.fabric.port(0, 0)->CanSend(Channel::kRequest));
  bench.Send(0, Channel::kReply, FabricRequest(2, 0));
  const uint64_t before = bench.now;
  while (bench.sinks[2].replies.empty() && bench.now < before + 1000) bench.Tick();
  EXPECT_LE(bench.now, before + 128);
}

// Requests from everywhere to everywhere, of which each receiver takes some now and then, and
// answers each one before it takes many more. Queues are as short as they may be.
uint64_t DeliverAll(const NumaConfig& numa, const FabricQueues& queues, uint64_t packets,
                    uint64_t seed) {
  Bench bench(numa, queues);
  SplitMix64 random(seed);
  const uint32_t nodes = numa.Nodes();
  std::vector<std::deque<Packet>> owed(nodes);  // replies
  uint64_t sent = 0, answered = 0, last = 0;
  std::vector<size_t> seen(nodes, 0), done(nodes, 0);
  while (answered < packets) {
    for (uint32_t n = 0; n < nodes; ++n) {
      Sink& sink = bench.sinks[n];
      for (; seen[n] < sink.requests.size(); ++seen[n]) {
        owed[n].push_back(sink.requests[seen[n]].second);
      }
      answered += sink.replies.size();
      if (!sink.replies.empty()) last = bench.now;
      sink.requests.clear();
      sink.replies.clear();
      seen[n] = 0;
      sink.open = owed[n].size() < 2 && random.Below(4) != 0;
      if (!owed[n].empty() && bench.fabric.port(n, 0)->CanSend(Channel::kReply)) {
        bench.Send(n, Channel::kReply, owed[n].front());
        owed[n].pop_front();
      }
      auto home = static_cast<uint32_t>(random.Below(nodes));
      // At times all ask one node, or all go round their ring the same way as far as they can.
      const uint32_t first = n / numa.chiplets * numa.chiplets;
      if (bench.now / 1000 % 3 == 1) home = 0;
      if (bench.now / 1000 % 3 == 2) {
        home = first + (n - first + (numa.chiplets - 1) / 2) % numa.chiplets;
      }
      if (home == n || sent == packets) continue;
      if (!bench.fabric.port(n, 0)->CanSend(Channel::kRequest)) continue;
      const auto kind = static_cast<PacketKind>(random.Below(4));
      bench.Send(n, Channel::kRequest,
                 FabricRequest(n, home, kind, static_cast<SectorMask>(1 + random.Below(15))));
      ++sent;
    }
    bench.Tick();
    if (bench.now > last + 20'000) return answered;  // stuck
  }
  EXPECT_TRUE(bench.fabric.Drained());
  return answered;
}

TEST(Fabric, DeliversTenMillionPacketsThroughTheShortestQueues) {
  FabricQueues queues;
  queues.slice = 1;
  queues.link = 2;
  NumaConfig numa = NodesOf(2, 5);
  numa.ring_hop_latency = 2;
  numa.switch_latency = 4;
  numa.ring_bytes = numa.switch_bytes = 3;  // nothing more fits on a wire
  EXPECT_EQ(DeliverAll(numa, queues, 2'000'000, 1), 2'000'000U);
  numa = NodesOf(4, 4);
  numa.ring_hop_latency = 2;
  numa.switch_latency = 4;
  EXPECT_EQ(DeliverAll(numa, queues, 5'000'000, 2), 5'000'000U);
  numa = NodesOf(1, 8);
  numa.ring_hop_latency = 3;
  numa.ring_bytes = 40;
  EXPECT_EQ(DeliverAll(numa, queues, 3'000'000, 3), 3'000'000U);
}

}  // namespace fabric_test
}  // namespace flagstone
