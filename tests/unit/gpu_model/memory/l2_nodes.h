// L2 slices of three nodes, joined with each other and with a DRAM that answers at once.
#ifndef FLAGSTONE_TESTS_UNIT_GPU_MODEL_MEMORY_L2_NODES_H_
#define FLAGSTONE_TESTS_UNIT_GPU_MODEL_MEMORY_L2_NODES_H_

#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gpu_model/blocks/l2_policy/l2_remote_policy.h"
#include "gpu_model/memory/l2_policy_unit.h"
#include "gpu_model/memory/numa_l2_slice.h"
#include "gpu_model/memory/physical_line.h"
#include "tests/unit/gpu_model/memory/recorders.h"
#include "tests/unit/gpu_model/memory/sleeping_core.h"

namespace flagstone {

inline constexpr uint32_t kTestNodes = 3;

inline MachineConfig MachineOfNodes() {
  MachineConfig machine;
  machine.numa.gpus = kTestNodes;
  machine.l2.slices = 1;  // of a node
  machine.l2.pipeline_latency = 5;
  machine.l2.cache.size_kib = 1;
  machine.l2.cache.ways = 8;  // one set
  machine.l2.cache.mshrs = 8;
  machine.l2.cache.mshr_merges = 2;
  machine.numa.remote_mshrs = 4;
  machine.dram.channels = 1;
  return machine;
}

// Hands what one slice sends to the slice it is for, as soon as that takes it.
class FabricWire final : public FabricPort {
 public:
  bool CanSend(Channel) const override { return open; }
  void Send(Channel channel, const Packet& packet) override {
    sent.push_back({channel, packet});
    last = packet;
  }

  bool open = true;
  Packet last;
  std::deque<std::pair<Channel, Packet>> sent;
};

// A slice of each node, with a DRAM that answers at once.
class L2Nodes {
 public:
  explicit L2Nodes(bool once, const MachineConfig& config = MachineOfNodes(), bool sleeps = false)
      : machine(config), map(machine) {
    for (uint32_t n = 0; n < kTestNodes; ++n) {
      slices.push_back(std::make_unique<NumaL2Slice>(machine.l2, machine.numa, map, 0, n));
      policies.push_back(std::make_unique<L2RemotePolicy>(L2PolicySize{L2PolicyUnit::kLanes, 2}));
      units.push_back(std::make_unique<L2PolicyUnit>(
          policies[n].get(), L2PolicyMode{n, once, machine.numa.remote_caching != 0}));
      slices[n]->ConnectPolicy(units[n].get());
      slices[n]->Connect(&replies[n], &drams[n]);
      slices[n]->ConnectFabric(&wires[n]);
    }
    for (auto& slice : slices) cores.emplace_back(slice.get(), sleeps);
    for (auto& unit : units) cores.emplace_back(unit.get(), sleeps);
  }

  void Ask(uint32_t node, LineNumber line, PacketKind kind = PacketKind::kRead,
           SectorMask sectors = 1, uint32_t home = 0) {
    Packet packet;
    packet.line = PhysicalLine(home, line);
    packet.kind = kind;
    packet.sectors = sectors;
    packet.origin = static_cast<uint8_t>(node);
    slices[node]->Accept(packet);
  }
  void Tick() {
    ++now;
    for (uint32_t n = 0; n < kTestNodes; ++n) replies[n].now = drams[n].now = now;
    for (SleepingCore& core : cores) core.Sample(now);
    for (SleepingCore& core : cores) core.Commit(now);
    for (uint32_t n = 0; n < kTestNodes; ++n) {
      for (; answered[n] < drams[n].requests.size() && dram_answers; ++answered[n]) {
        const auto& [cycle, request] = drams[n].requests[answered[n]];
        if (cycle + dram_latency > now) break;
        if (!request.write) slices[n]->DramReply(request.tag, request.sectors);
      }
      std::deque<std::pair<Channel, Packet>>& sent = wires[n].sent;
      while (!sent.empty()) {
        const auto& [channel, packet] = sent.front();
        NumaL2Slice& to =
            *slices[channel == Channel::kRequest ? HomeOf(packet.line) : packet.origin];
        if (!to.CanAccept(channel)) break;
        to.Accept(channel, packet);
        sent.pop_front();
      }
    }
  }
  bool Drained() const {
    for (uint32_t n = 0; n < kTestNodes; ++n) {
      if (!slices[n]->Drained() || !wires[n].sent.empty()) return false;
    }
    return true;
  }
  void Finish() {
    for (const uint64_t end = now + 2000; now < end && !Drained();) Tick();
    EXPECT_TRUE(Drained());
  }
  // "4/2 5/4 4/3": accesses and misses of LL, LR and RL, all nodes together.
  std::string Counts() const {
    std::string text;
    for (size_t c = 0; c < kL2Classes; ++c) {
      uint64_t accesses = 0, misses = 0;
      for (const auto& slice : slices) {
        accesses += slice->remote().classes[c].accesses;
        misses += slice->remote().classes[c].misses;
      }
      if (c != 0) text += ' ';
      text += std::to_string(accesses) + "/" + std::to_string(misses);
    }
    return text;
  }
  uint64_t DramReads() const {
    uint64_t reads = 0;
    for (const RecordingDram& dram : drams) {
      for (const auto& [cycle, request] : dram.requests) reads += request.write ? 0 : 1;
    }
    return reads;
  }

  const MachineConfig machine;
  const AddressMap map;
  std::vector<std::unique_ptr<NumaL2Slice>> slices;
  std::vector<std::unique_ptr<L2RemotePolicy>> policies;
  std::vector<std::unique_ptr<L2PolicyUnit>> units;
  std::array<RecordingPort, kTestNodes> replies;
  std::array<RecordingDram, kTestNodes> drams;
  std::array<FabricWire, kTestNodes> wires;
  std::array<size_t, kTestNodes> answered = {};
  std::deque<SleepingCore> cores;
  bool dram_answers = true;
  uint64_t dram_latency = 0;
  uint64_t now = 0;
};

}  // namespace flagstone

#endif  // FLAGSTONE_TESTS_UNIT_GPU_MODEL_MEMORY_L2_NODES_H_
