// One slice of the L2: write-back, write-allocate, by 32 B sectors, with MSHRs and a pipeline.
#ifndef FLAGSTONE_GPU_MODEL_MEMORY_L2_SLICE_H_
#define FLAGSTONE_GPU_MODEL_MEMORY_L2_SLICE_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "base/clocked.h"
#include "base/ring.h"
#include "gpu_model/machines/machine.h"
#include "gpu_model/memory/address_map.h"
#include "gpu_model/memory/dram_port.h"
#include "gpu_model/memory/fabric_port.h"
#include "gpu_model/memory/l2_remote.h"
#include "gpu_model/memory/miss_classes.h"
#include "gpu_model/memory/mshr_table.h"
#include "gpu_model/memory/packet.h"
#include "gpu_model/memory/tag_array.h"
#include "gpu_model/stats/statistics.h"

namespace flagstone {

// A request spends pipeline_latency cycles before its tags are looked up, then holds the data port
// for one cycle per sector. A written sector needs no fetch: byte masks go along with it
// (assumption). Atomics are done here: like a read that leaves its sectors dirty.
class L2Slice final : public Clocked,
                      public PacketSink,
                      public DramClient,
                      public FabricSink,
                      public L2PolicyClient {
 public:
  L2Slice(const L2Config& config, const AddressMap& map, uint32_t slice);

  void Connect(PacketPort* replies, DramPort* dram) {
    reply_port_ = replies;
    dram_ = dram;
  }
  // Makes it a slice of `node`, one of several, with what it is connected to then. Before the run.
  void JoinNodes(const L2Config& config, const NumaConfig& numa, uint32_t node);
  void ConnectFabric(FabricPort* fabric) { remote_->fabric = fabric; }
  void ConnectPolicy(L2PolicyUnit* policy);
  // From now on misses are counted by class too, but for those of several nodes that take no way.
  void ClassifyMisses();
  // Puts a clean line in, as a copy into device memory would have left it. Before the run.
  void Warm(LineNumber local);

  bool CanAccept() const override { return !lane_.input.full(); }
  void Accept(const Packet& packet) override { AcceptIn(&lane_, packet); }
  void DramReply(uint16_t tag, SectorMask sectors) override;
  // Other nodes' requests, and their replies to this slice's.
  bool CanAccept(Channel channel) const override {
    return channel == Channel::kReply || !remote_->lane.input.full();
  }
  void Accept(Channel channel, const Packet& packet) override;
  void Decided(uint32_t lane, const L2Decision& decision) override;

  void Sample(uint64_t now) override;
  void Commit(uint64_t now) override;
  uint64_t NextWork(uint64_t now) const override;
  bool Drained() const override;
  std::string Leftover() const override;
  const L2Statistics& statistics() const { return statistics_; }
  const L2Remote* remote() const { return remote_.get(); }  // null: there is one node

  // When drained: begins to write all dirty lines back, one a cycle; then it holds nothing.
  void Flush();
  uint64_t flushed() const { return flushed_; }  // sectors
  // What it holds, with which another launch may begin.
  const TagArray& tags() const { return tags_; }
  void Keep(const TagArray& tags) { tags_ = tags; }

 private:
  struct Waiter {
    Packet packet;
    uint64_t since = 0;  // in the pipeline
  };

  void AcceptIn(L2Lane* lane, const Packet& packet);
  void Advance(L2Lane* lane, uint64_t now) {
    if (lane->input.empty() || lane->pipeline.full()) return;
    lane->pipeline.Push({lane->input.front(), now + pipeline_latency_, {}});
    lane->input.Pop();
    if (remote_ == nullptr) return;
    ++lane->undecided;
    lane->asks = true;
  }
  void Serve(L2Lane* lane, uint64_t now);
  Ring<L2Fill>* NextFills();
  void ProcessFill(const L2Fill& fill, uint64_t now);
  void CountAccess(const Packet& packet);
  bool ExpectsReply(const Packet& packet) const {
    return acknowledges_ || packet.kind != PacketKind::kWrite;
  }
  bool Holds(uint32_t index, SectorMask sectors) const {
    return index != TagArray::kNone && (sectors & ~tags_.way(index).valid) == 0;
  }
  Ring<Packet>& RepliesFor(const Packet& packet) {
    return remote_ == nullptr || packet.origin == remote_->node ? replies_ : remote_->replies;
  }
  // These return false when there is no room for what the packet needs: try again.
  bool LookUp(const Waiter& request, uint64_t now);
  bool Hit(const Waiter& request, uint32_t index, bool touch, uint64_t now);
  bool Write(const Packet& packet, LineNumber local, uint32_t index);
  // `elsewhere`: it is fetched from another node.
  bool Miss(const Waiter& request, LineNumber local, uint32_t index, bool elsewhere);
  void Classify(LineNumber local, SectorMask sectors, SectorMask missed) {
    if (classes_ == nullptr) return;
    classes_->Load(local, sectors, missed);
    statistics_.classes = classes_->counts();
  }
  bool Fail(uint64_t* reason) {
    ++*reason;
    return false;
  }
  // A way for a new line, its old one written back; kNone when there is none or no queue room.
  uint32_t TakeWay(LineNumber local, size_t queue_room_needed);
  void FreeMshr(uint16_t mshr);

  // Of several nodes (l2_remote.cc).
  L2Lane* ChooseLane(uint64_t now);
  bool LookUpCounted(const Waiter& request, const L2Decision& decision, uint64_t now);
  bool LookUpDecided(const Waiter& request, const L2Decision& decision, uint64_t now);
  bool WriteDecided(const Waiter& request, const L2Decision& decision, LineNumber local,
                    uint32_t index);
  bool WriteThrough(const Waiter& request, bool update, uint32_t index);
  void Drop(uint32_t index);
  // An MSHR without a way. `merges`: later reads of other nodes may wait for it too.
  bool FetchWithoutWay(const Waiter& request, bool elsewhere, LineNumber local);
  bool MergeWithoutWay(const Waiter& request, LineNumber local);
  void ProcessFillWithoutWay(const L2Fill& fill, uint64_t now);
  void Forward(const Packet& packet, SectorMask sectors, uint16_t mshr);
  bool HasMshr(const Packet& packet) const;
  void NoteMshr(const Packet& packet, uint16_t mshr);
  void AskPolicy(L2Lane* lane);
  void SendRemote();
  bool DrainedRemote() const;

  void FlushNext();

  const AddressMap* map_;
  uint32_t slice_;
  bool acknowledges_;  // writes
  uint32_t pipeline_latency_;
  uint32_t atomic_interval_;
  uint32_t reply_sectors_;
  TagArray tags_;
  MshrTable<Waiter> mshrs_;
  uint32_t merges_;  // that a fill may answer
  L2Lane lane_;
  Ring<L2Fill> fills_;  // from DRAM
  Ring<Packet> replies_;
  Ring<DramRequest> misses_;
  uint64_t port_free_ = 0;
  int64_t unanswered_ = 0;  // requests that expect a reply; never below 0
  PacketPort* reply_port_ = nullptr;
  DramPort* dram_ = nullptr;
  std::unique_ptr<L2Remote> remote_;      // null: there is one node
  std::unique_ptr<MissClasses> classes_;  // null: nobody asked
  bool flushing_ = false;
  std::vector<uint32_t> dirty_;  // ways, while flushing
  uint64_t flushed_ = 0;
  L2Statistics statistics_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_MEMORY_L2_SLICE_H_
