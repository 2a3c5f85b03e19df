// The links between the nodes of a machine: a ring over the chiplets of each GPU, and a switch
// between the GPUs.
#ifndef FLAGSTONE_GPU_MODEL_MEMORY_FABRIC_H_
#define FLAGSTONE_GPU_MODEL_MEMORY_FABRIC_H_

#include <array>
#include <cstdint>
#include <vector>

#include "base/clocked.h"
#include "base/ring.h"
#include "gpu_model/machines/machine.h"
#include "gpu_model/memory/fabric_port.h"
#include "gpu_model/memory/packet.h"
#include "gpu_model/stats/link_load.h"
#include "gpu_model/stats/numa_statistics.h"

namespace flagstone {

// Queues whose lengths the machine does not say (assumptions).
struct FabricQueues {
  uint32_t slice = 4;  // packets of a slice that wait for a link, per channel
  uint32_t link = 8;   // that wait at a link, per channel, beside those on its wire
};

// Each directed link takes as many packets a cycle as its bytes allow; requests and replies take
// turns on it. In a GPU a packet goes the shorter way around the ring, half around it clockwise
// from even chiplets. To another GPU it takes the link out of its own and the one into the other,
// which every chiplet reaches directly. Without contention a packet sent in cycle t can be sampled
// at its end in cycle t + latency.
//
// Nothing waits in a circle: the channels share nothing but the links' time, replies are always
// taken at their end, and a packet enters a ring only where two places are free, so that one always
// stays free for those that pass.
class Fabric final : public Clocked {
 public:
  // `slices`: of a node.
  Fabric(const NumaConfig& numa, uint32_t slices, const FabricQueues& queues = {});

  FabricPort* port(uint32_t node, uint32_t slice) { return &ports_[node * slices_ + slice]; }
  void ConnectSink(uint32_t node, uint32_t slice, FabricSink* sink) {
    sinks_[node * slices_ + slice] = sink;
  }

  void Sample(uint64_t now) override;
  void Commit(uint64_t now) override;
  uint64_t NextWork(uint64_t now) const override;
  bool Drained() const override { return in_flight_ == 0; }
  std::string Leftover() const override;

  // After `cycles` of its clock.
  LinkStatistics RingStatistics(uint64_t cycles) const;
  LinkStatistics SwitchStatistics(uint64_t cycles) const;
  // Of each link that packets can take: by node clockwise and the other way, then out of each GPU,
  // then into each.
  std::vector<LinkLoad> Loads(uint64_t cycles) const;
  // The bytes alone, in the same order, so far. `bytes`: has their number.
  void BytesSoFar(std::vector<uint64_t>* bytes) const;

 private:
  static constexpr uint32_t kEnd = ~uint32_t{0};  // in place of a link: the packet's node

  class Port final : public FabricPort {
   public:
    void Attach(Fabric* fabric, uint32_t node, uint32_t slice) {
      fabric_ = fabric;
      node_ = node;
      slice_ = slice;
    }
    bool CanSend(Channel channel) const override {
      return !fabric_->Waiting(node_, slice_, channel).full();
    }
    void Send(Channel channel, const Packet& packet) override {
      fabric_->Push(node_, slice_, channel, packet);
    }

   private:
    Fabric* fabric_ = nullptr;
    uint32_t node_ = 0, slice_ = 0;
  };

  struct Flying {
    Packet packet;
    uint64_t ready = 0;  // at the end of the wire
  };
  // Of a link, for one channel. Both queues together have the places.
  struct Way {
    Way(size_t places, size_t queue)
        : most(places), most_waiting(queue), waiting(places), wire(places) {}
    size_t room() const { return most - waiting.size() - wire.size(); }

    size_t most, most_waiting;
    Ring<Packet> waiting;
    Ring<Flying> wire;
  };
  struct Link {
    uint32_t bytes = 0;  // a cycle
    uint64_t latency = 0;
    bool ring = false;
    uint64_t free = 0;      // in bytes since cycle 0: what has been taken
    uint8_t turn = 0;       // the channel that goes first
    uint64_t packets = 0;   // that it has taken
    uint64_t moved = 0;     // their bytes
    std::vector<Way> ways;  // by channel
  };

  Ring<Packet>& Waiting(uint32_t node, uint32_t slice, Channel channel) {
    return waiting_[(node * slices_ + slice) * kChannels + static_cast<size_t>(channel)];
  }
  void Push(uint32_t node, uint32_t slice, Channel channel, const Packet& packet);
  static uint32_t TargetOf(Channel channel, const Packet& packet);
  static uint32_t BytesOf(Channel channel, const Packet& packet);
  uint32_t GpuOf(uint32_t node) const { return node / chiplets_; }
  uint32_t FirstLink(uint32_t node, uint32_t target) const;
  uint32_t NextLink(uint32_t link, uint32_t target) const;

  void PassOn(uint64_t now);
  void Enter();
  void EnterFrom(uint32_t node, Channel channel);
  void SendOn(Link* link, uint64_t now);
  bool Deliver(Channel channel, const Packet& packet);
  bool InUse(const Link& link) const;
  LinkStatistics WithCapacity(LinkStatistics statistics, bool ring, uint64_t cycles) const;
  LinkStatistics& StatisticsOf(const Link& link) { return link.ring ? ring_ : switch_; }

  uint32_t chiplets_, nodes_, slices_;
  std::vector<Port> ports_;
  std::vector<FabricSink*> sinks_;
  std::vector<Ring<Packet>> waiting_;                         // of slices, by channel
  std::vector<std::array<uint64_t, kChannels>> sending_;      // by node: slices that wait
  std::vector<std::array<uint32_t, kChannels>> first_slice_;  // by node: where round-robin goes on
  // Two of each node, clockwise and the other way; then one out of each GPU, one into each.
  std::vector<Link> links_;
  uint32_t in_flight_ = 0;
  uint32_t at_slices_ = 0, at_links_ = 0;  // of these, those that wait
  std::array<uint64_t, 2> on_links_ = {};  // packets in rings, in the switch
  uint64_t counted_until_ = 0;
  LinkStatistics ring_, switch_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_MEMORY_FABRIC_H_
