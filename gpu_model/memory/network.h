// One direction of the interconnect: a crossbar with per-port flit bandwidth and bounded queues.
#ifndef FLAGSTONE_GPU_MODEL_MEMORY_NETWORK_H_
#define FLAGSTONE_GPU_MODEL_MEMORY_NETWORK_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "base/clocked.h"
#include "base/ring.h"
#include "gpu_model/machines/machine.h"
#include "gpu_model/memory/packet.h"
#include "gpu_model/memory/router.h"
#include "gpu_model/stats/statistics.h"

namespace flagstone {

// A packet of F flits holds its source port and its destination port for F cycles each.
// Destinations choose among waiting sources round-robin (assumption). A destination's queue is a
// fixed number of credits: a packet is let go only when it has a place at the end, so a slow
// receiver holds back its senders. Without contention a one-flit packet sent in cycle t can be
// sampled by the receiver in cycle t + latency; each further flit adds one. `sms_per_port`
// neighbouring SMs have one port's bandwidth together; each keeps its own queue.
class Network final : public Clocked {
 public:
  // The router must outlive it.
  Network(const Router& router, Direction direction, const InterconnectConfig& config);

  PacketPort* port(uint32_t source) { return &ports_[source]; }
  void ConnectSink(uint32_t destination, PacketSink* sink) { sinks_[destination] = sink; }

  void Sample(uint64_t now) override;
  void Commit(uint64_t now) override;
  uint64_t NextWork(uint64_t now) const override;
  bool Drained() const override { return in_flight_ == 0; }
  std::string Leftover() const override;
  const NetworkStatistics& statistics() const { return statistics_; }

 private:
  using Mask = std::vector<uint64_t>;  // a bit per port

  class Port final : public PacketPort {
   public:
    void Attach(Network* network, uint32_t source) {
      network_ = network;
      source_ = source;
    }
    bool CanSend() const override { return !network_->waiting_[source_].full(); }
    void Send(const Packet& packet, uint32_t bytes) override {
      network_->Push(source_, packet, bytes);
    }

   private:
    Network* network_ = nullptr;
    uint32_t source_ = 0;
  };

  struct Waiting {
    Packet packet;
    uint32_t destination = 0;
    uint32_t flits = 0;
  };
  struct Arriving {
    Packet packet;
    uint64_t cycle = 0;  // of its last flit
  };

  // The ports whose bandwidth each of `count` ends uses: its own, or of SMs that share one, the
  // first SM's.
  std::vector<uint32_t> Shared(uint32_t count, bool askers, uint32_t sms_per_port) const;
  void Push(uint32_t source, const Packet& packet, uint32_t bytes);
  void Grant(uint32_t source, uint32_t destination, uint64_t now);

  const Router* router_;
  Direction direction_;
  uint32_t sources_;
  uint32_t latency_;
  uint32_t flit_bytes_;
  std::vector<Port> ports_;
  std::vector<Ring<Waiting>> waiting_;    // per source
  std::vector<Ring<Arriving>> arriving_;  // per destination; its capacity is the credits
  std::vector<PacketSink*> sinks_;
  std::vector<uint32_t> source_port_, destination_port_;
  bool shared_;
  std::vector<uint64_t> source_free_;  // per port: first cycle in which it can take a flit
  std::vector<uint64_t> destination_free_;
  std::vector<uint32_t> next_source_;  // per destination: where the round-robin goes on
  std::vector<uint32_t> chosen_;       // scratch, per destination: source chosen in this cycle
  std::vector<uint32_t> asked_;        // scratch: destinations with a chosen source
  Mask sending_;                       // sources with a waiting packet
  Mask receiving_;                     // destinations with an arriving packet
  uint32_t in_flight_ = 0;
  uint64_t counted_in_flight_ = 0;  // as of the last Commit
  uint64_t counted_until_ = 0;
  NetworkStatistics statistics_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_MEMORY_NETWORK_H_
