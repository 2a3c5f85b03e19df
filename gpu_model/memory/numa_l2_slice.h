// An L2 slice of one of several nodes: LADM's caching of other nodes' lines (section V.B).
#ifndef FLAGSTONE_GPU_MODEL_MEMORY_NUMA_L2_SLICE_H_
#define FLAGSTONE_GPU_MODEL_MEMORY_NUMA_L2_SLICE_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/ring.h"
#include "gpu_model/machines/machine.h"
#include "gpu_model/memory/fabric_port.h"
#include "gpu_model/memory/l2_policy_unit.h"
#include "gpu_model/memory/l2_slice.h"
#include "gpu_model/memory/packet.h"
#include "gpu_model/memory/physical_line.h"
#include "gpu_model/stats/numa_statistics.h"

namespace flagstone {

// Its cache is that of any slice. Requests come from its node's SMs and from other nodes, in a lane
// each; the node's L2 policy decides what is done with each of them; and what is at home elsewhere
// is fetched through the fabric.
//
// That nothing waits in a circle: requests of other nodes have a queue, pipeline slots and MSHRs of
// their own, and need neither a way nor the fabric's requests; every reply has a place.
class NumaL2Slice final : public L2Slice, public FabricSink, public L2PolicyClient {
 public:
  // What it counts beside what any slice counts.
  struct RemoteStatistics {
    std::array<L2ClassStatistics, kL2Classes> classes;
    uint64_t bypassed = 0;          // sectors that other nodes asked for, past the cache
    std::vector<uint64_t> traffic;  // by home: sectors that the own SMs' misses moved
  };

  NumaL2Slice(const L2Config& config, const NumaConfig& numa, const AddressMap& map, uint32_t slice,
              uint32_t node);

  void ConnectFabric(FabricPort* fabric) { fabric_ = fabric; }
  void ConnectPolicy(L2PolicyUnit* policy);

  // Other nodes' requests, and their replies to this slice's.
  bool CanAccept(Channel channel) const override {
    return channel == Channel::kReply || !others_.lane->input.full();
  }
  void Accept(Channel channel, const Packet& packet) override;
  using L2Slice::Accept;
  using L2Slice::CanAccept;
  void Decided(uint32_t lane, const L2Decision& decision) override;

  void Sample(uint64_t now) override;
  void Commit(uint64_t now) override;
  uint64_t NextWork(uint64_t now) const override;
  bool Drained() const override;
  std::string Leftover() const override;
  const RemoteStatistics& remote() const { return remote_; }

 private:
  // A lane whose requests the policy decides about, in order.
  struct DecidedLane {
    DecidedLane(Lane* requests, uint32_t latency) : lane(requests), decisions(latency + 1) {}
    bool Ready(uint64_t now) const { return !decisions.empty() && lane->Ready(now); }

    Lane* lane;
    Ring<L2Decision> decisions;  // about the first requests of the pipeline
    bool asks = false;           // about the last one
  };
  // Of each MSHR, beside what the table knows.
  struct Mshr {
    bool local = false;  // allocated for an SM of the node
    // Without a way, which is left to others, or not needed: what it fetches.
    LineNumber local_number = 0;
    SectorMask wanted = 0, here = 0;
    bool merges = false;  // later reads of other nodes
  };

  Ring<Packet>& RepliesFor(const Packet& packet) override {
    return packet.origin == node_ ? replies_ : replies_to_others_;
  }
  bool MayTakeMshr(const Packet& packet) const override {
    return packet.origin != node_ || local_used_ < local_mshrs_;
  }
  void TookMshr(const Packet& packet, uint16_t mshr) override;
  void FreedMshr(uint16_t mshr) override {
    if (mshr_facts_[mshr].local) --local_used_;
  }
  bool ForwardsFull() const override { return forwards_.full(); }
  void Forward(const Packet& packet, SectorMask sectors, uint16_t mshr) override;

  uint32_t HomeOfLine(LineNumber line) const { return IsPrivate(line) ? node_ : HomeOf(line); }
  void TakeFill(uint64_t now);
  void Serve(DecidedLane* lane, uint64_t now);
  void AdvanceAndAsk(DecidedLane* lane, uint64_t now);
  DecidedLane* ChooseLane(uint64_t now);
  bool LookUpCounted(const Waiter& request, const L2Decision& decision, uint64_t now);
  bool LookUpDecided(const Waiter& request, const L2Decision& decision, uint64_t now);
  bool WriteDecided(const Waiter& request, const L2Decision& decision, LineNumber local,
                    uint32_t index);
  bool WriteThrough(const Waiter& request, bool update, uint32_t index);
  void Drop(uint32_t index);
  // An MSHR without a way. `merges`: later reads of other nodes may wait for it too.
  bool FetchWithoutWay(const Waiter& request, bool elsewhere, LineNumber local);
  bool MergeWithoutWay(const Waiter& request, LineNumber local);
  void ProcessFillWithoutWay(const Fill& fill, uint64_t now);
  void AskPolicy(DecidedLane* lane);
  void SendToOthers();

  const uint32_t node_;
  const uint32_t local_mshrs_;  // that requests of the own SMs may use
  Lane lane_of_others_;
  DecidedLane own_, others_;
  bool others_turn_ = false;        // at the tags, where both lanes want them
  Ring<Packet> forwards_;           // to other nodes
  Ring<Packet> replies_to_others_;  // likewise
  // From other nodes. The DRAM's are elsewhere: both may come at one instant, in an order that
  // means nothing.
  Ring<Fill> fills_of_others_;
  bool fill_turn_ = false;  // of these, where the DRAM's wait too
  std::vector<Mshr> mshr_facts_;
  uint32_t local_used_ = 0;          // MSHRs, by the own SMs
  std::vector<uint16_t> mergeable_;  // MSHRs without a way that later reads merge in
  FabricPort* fabric_ = nullptr;
  L2PolicyUnit* policy_ = nullptr;
  RemoteStatistics remote_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_MEMORY_NUMA_L2_SLICE_H_
