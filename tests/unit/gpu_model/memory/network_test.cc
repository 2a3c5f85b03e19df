#include "gpu_model/memory/network.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>

#include "tests/unit/gpu_model/memory/recorders.h"

namespace flagstone {
namespace network_test {

constexpr uint32_t kOneFlit = 8;

MachineConfig Machine() {
  MachineConfig machine;
  machine.l2.slices = machine.dram.channels = 3;
  return machine;
}

// The request network of a chip with three SMs and three L2 slices: four sources, three
// destinations.
class NetworkTest : public testing::Test {
 protected:
  NetworkTest() {
    for (uint32_t i = 0; i < sinks_.size(); ++i) network_.ConnectSink(i, &sinks_[i]);
  }
  Packet To(uint32_t destination, uint16_t tag) const {
    Packet packet;
    while (map_.Slice(packet.line).slice != destination) ++packet.line;
    packet.tag = tag;
    return packet;
  }
  void Send(uint32_t source, uint32_t destination, uint16_t tag, uint32_t bytes = kOneFlit) {
    network_.port(source)->Send(To(destination, tag), bytes);
  }
  // Runs cycles [now_, until).
  void RunUntil(uint64_t until) {
    for (; now_ < until; ++now_) {
      for (RecordingSink& sink : sinks_) sink.now = now_;
      network_.Sample(now_);
      network_.Commit(now_);
    }
  }

  static constexpr InterconnectConfig kConfig{.latency = 10, .flit_bytes = 40};
  const AddressMap map_{Machine()};
  const Router router_{map_, 3};
  Network network_{router_, Direction::kRequest, kConfig};
  std::deque<RecordingSink> sinks_ = std::deque<RecordingSink>(3);
  uint64_t now_ = 1;  // packets are sent in the Commit of cycle 0
};

TEST_F(NetworkTest, DeliversAfterItsLatencyAndNotBefore) {
  Send(1, 2, 7);
  RunUntil(9);
  EXPECT_TRUE(sinks_[2].packets.empty());
  // Delivered in the Commit of cycle 9: the receiver samples it in cycle 10 = 0 + latency.
  RunUntil(10);
  ASSERT_EQ(sinks_[2].packets.size(), 1U);
  EXPECT_EQ(sinks_[2].packets[0].second.tag, 7);
  EXPECT_TRUE(network_.Drained());
}

TEST_F(NetworkTest, EachFurtherFlitTakesACycle) {
  Send(1, 2, 7, 8 + 128);  // 4 flits of 40 bytes
  RunUntil(12);
  EXPECT_TRUE(sinks_[2].packets.empty());
  RunUntil(13);
  EXPECT_EQ(sinks_[2].packets.size(), 1U);
  EXPECT_EQ(network_.statistics().flits, 4U);
}

TEST_F(NetworkTest, ADestinationTakesOneFlitACycleFromAllSourcesTogether) {
  for (uint32_t source = 0; source < 4; ++source) {
    Send(source, 0, static_cast<uint16_t>(source));
  }
  RunUntil(30);
  ASSERT_EQ(sinks_[0].packets.size(), 4U);
  for (size_t i = 0; i < 4; ++i) EXPECT_EQ(sinks_[0].packets[i].first, 9 + i);
}

TEST_F(NetworkTest, DifferentPairsDoNotDisturbEachOther) {
  for (uint32_t i = 0; i < 3; ++i) Send(i, i, 0);
  RunUntil(10);
  for (const RecordingSink& sink : sinks_) EXPECT_EQ(sink.packets.size(), 1U);
}

TEST_F(NetworkTest, SourcesTakeTurns) {
  for (uint16_t round = 0; round < 3; ++round) {
    Send(0, 0, 100);
    Send(3, 0, 103);
  }
  RunUntil(40);
  ASSERT_EQ(sinks_[0].packets.size(), 6U);
  for (size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(sinks_[0].packets[i].second.tag, i % 2 == 0 ? 100 : 103) << i;
  }
}

TEST_F(NetworkTest, NeighbouringSourcesTakeTurnsAsWell) {
  for (int round = 0; round < 3; ++round) {
    for (uint16_t source = 0; source < 3; ++source) Send(source, 0, source);
  }
  RunUntil(40);
  ASSERT_EQ(sinks_[0].packets.size(), 9U);
  for (size_t i = 0; i < 9; ++i) EXPECT_EQ(sinks_[0].packets[i].second.tag, i % 3) << i;
}

TEST_F(NetworkTest, AClosedReceiverHoldsBackItsSendersWithoutLoss) {
  sinks_[0].open = false;
  uint16_t sent = 0;
  for (; now_ < 100; ++now_) {
    network_.Sample(now_);
    network_.Commit(now_);
    if (network_.port(0)->CanSend()) Send(0, 0, sent++);
  }
  EXPECT_EQ(sent, 8 + 4);  // credits of the destination, places of the source
  EXPECT_FALSE(network_.Drained());
  sinks_[0].open = true;
  RunUntil(200);
  ASSERT_EQ(sinks_[0].packets.size(), sent);
  for (uint16_t i = 0; i < sent; ++i) EXPECT_EQ(sinks_[0].packets[i].second.tag, i);
  EXPECT_TRUE(network_.Drained());
}

TEST_F(NetworkTest, SaysWhenItHasWorkNext) {
  EXPECT_EQ(network_.NextWork(0), kNever);
  Send(1, 2, 7);
  EXPECT_EQ(network_.NextWork(0), 1U);
  RunUntil(2);
  EXPECT_EQ(network_.NextWork(1), 9U);
}

TEST_F(NetworkTest, CountsItsPacketsLatencyAndBackPressure) {
  // Sent in the Commit of cycle 0, seen by the network in cycle 1, delivered at the end of 9.
  Send(1, 2, 7);
  RunUntil(20);
  EXPECT_EQ(network_.statistics().packets, 1U);
  EXPECT_EQ(network_.statistics().packet_cycles, 9U);
  EXPECT_EQ(network_.statistics().backpressure, 0U);
  sinks_[0].open = false;
  for (uint16_t i = 0; i < 8; ++i) {
    Send(0, 0, i);
    RunUntil(now_ + 1);
  }
  Send(0, 0, 8);  // no credit is left
  RunUntil(now_ + 30);
  EXPECT_EQ(network_.statistics().backpressure, 30U);
}

TEST_F(NetworkTest, SkippedCyclesDoNotChangeTheCounts) {
  Network skipping(router_, Direction::kRequest, kConfig);
  RecordingSink sink;
  for (uint32_t i = 0; i < 3; ++i) skipping.ConnectSink(i, &sink);
  for (uint32_t source = 0; source < 4; ++source) {
    Send(source, 1, 0, 100);
    skipping.port(source)->Send(To(1, 0), 100);
  }
  RunUntil(100);
  for (uint64_t now = 1; now != kNever; now = skipping.NextWork(now)) {
    skipping.Sample(now);
    skipping.Commit(now);
  }
  EXPECT_EQ(skipping.statistics().packet_cycles, network_.statistics().packet_cycles);
  EXPECT_TRUE(skipping.Drained());
}

TEST_F(NetworkTest, ARequestNotesThePortThatItsReplyLeavesBy) {
  Send(3, 2, 7);
  RunUntil(20);
  ASSERT_EQ(sinks_[2].packets.size(), 1U);
  EXPECT_EQ(sinks_[2].packets[0].second.port, router_.TbScheduler());
  Network replies(router_, Direction::kReply, kConfig);
  std::deque<RecordingSink> askers(4);
  for (uint32_t i = 0; i < askers.size(); ++i) replies.ConnectSink(i, &askers[i]);
  replies.port(2)->Send(sinks_[2].packets[0].second, kOneFlit);
  for (uint64_t now = 1; now < 20; ++now) {
    replies.Sample(now);
    replies.Commit(now);
  }
  EXPECT_EQ(askers[3].packets.size(), 1U);
}

// SMs 0 and 1 have one port, SM 2 and the TB scheduler have their own.
class SharingNetworkTest : public NetworkTest {
 protected:
  static constexpr InterconnectConfig kSharing{.latency = 10, .flit_bytes = 40, .sms_per_port = 2};
  // From the first arrival to the last, of four packets each from (or to) two SMs.
  uint64_t CyclesFrom(uint32_t first, uint32_t second) {
    Network network(router_, Direction::kRequest, kSharing);
    std::deque<RecordingSink> slices(3);
    for (uint32_t i = 0; i < 3; ++i) network.ConnectSink(i, &slices[i]);
    for (int round = 0; round < 4; ++round) {
      network.port(first)->Send(To(0, 0), kOneFlit);
      network.port(second)->Send(To(1, 0), kOneFlit);
    }
    return Cycles(&network, &slices[0], &slices[1]);
  }
  uint64_t CyclesTo(uint16_t first, uint16_t second) {
    Network network(router_, Direction::kReply, kSharing);
    std::deque<RecordingSink> askers(4);
    for (uint32_t i = 0; i < 4; ++i) network.ConnectSink(i, &askers[i]);
    Packet packet;
    for (int round = 0; round < 4; ++round) {
      packet.port = first;
      network.port(0)->Send(packet, kOneFlit);
      packet.port = second;
      network.port(1)->Send(packet, kOneFlit);
    }
    return Cycles(&network, &askers[first], &askers[second]);
  }

 private:
  static uint64_t Cycles(Network* network, RecordingSink* a, RecordingSink* b) {
    for (uint64_t now = 1; !network->Drained(); ++now) {
      a->now = b->now = now;
      network->Sample(now);
      network->Commit(now);
    }
    EXPECT_EQ(a->packets.size(), 4U);
    EXPECT_EQ(b->packets.size(), 4U);
    return std::max(a->packets[3].first, b->packets[3].first) -
           std::min(a->packets[0].first, b->packets[0].first);
  }
};

TEST_F(SharingNetworkTest, NeighbouringSmsThatShareAPortShareItsBandwidth) {
  EXPECT_EQ(CyclesFrom(0, 1), 7U);
  EXPECT_EQ(CyclesTo(0, 1), 7U);
}

TEST_F(SharingNetworkTest, TheTbSchedulerSharesNoPort) {
  EXPECT_EQ(CyclesFrom(2, 3), 3U);
  EXPECT_EQ(CyclesTo(2, 3), 3U);
}

TEST(WideNetwork, JoinsEachOfManyPortsWithItsOwn) {
  MachineConfig machine;
  machine.l2.slices = machine.dram.channels = 70;
  const AddressMap map(machine);
  const Router router(map, 140);
  const InterconnectConfig config{.latency = 10, .flit_bytes = 40};
  Network requests(router, Direction::kRequest, config);
  Network replies(router, Direction::kReply, config);
  std::deque<RecordingSink> slices(70), askers(141);
  for (uint32_t i = 0; i < 70; ++i) requests.ConnectSink(i, &slices[i]);
  for (uint32_t i = 0; i < 141; ++i) replies.ConnectSink(i, &askers[i]);
  const auto run = [](Network* network, uint64_t* now) {
    for (const uint64_t end = *now + 20; *now < end; ++*now) {
      network->Sample(*now);
      network->Commit(*now);
    }
    EXPECT_TRUE(network->Drained());
    EXPECT_EQ(network->NextWork(*now), kNever);
  };
  uint64_t now_of_requests = 1, now_of_replies = 1;
  for (uint16_t asker = 0; asker < 141; ++asker) {
    const uint32_t slice = asker % 70U;
    Packet packet;
    packet.tag = asker;
    while (map.Slice(packet.line).slice != slice) ++packet.line;
    requests.port(asker)->Send(packet, kOneFlit);
    run(&requests, &now_of_requests);
    ASSERT_FALSE(slices[slice].packets.empty()) << asker;
    EXPECT_EQ(slices[slice].packets.back().second.tag, asker);
    replies.port(slice)->Send(slices[slice].packets.back().second, kOneFlit);
    run(&replies, &now_of_replies);
    ASSERT_EQ(askers[asker].packets.size(), 1U) << asker;
    EXPECT_EQ(askers[asker].packets[0].second.tag, asker);
  }
}

}  // namespace network_test
}  // namespace flagstone
