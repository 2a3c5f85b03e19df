// One slice of the L2: write-back, write-allocate, by 32 B sectors, with MSHRs and a pipeline.
#ifndef FLAGSTONE_GPU_MODEL_MEMORY_L2_SLICE_H_
#define FLAGSTONE_GPU_MODEL_MEMORY_L2_SLICE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/clocked.h"
#include "base/ring.h"
#include "gpu_model/machines/machine.h"
#include "gpu_model/memory/address_map.h"
#include "gpu_model/memory/dram_port.h"
#include "gpu_model/memory/miss_classes.h"
#include "gpu_model/memory/mshr_table.h"
#include "gpu_model/memory/packet.h"
#include "gpu_model/memory/tag_array.h"
#include "gpu_model/stats/statistics.h"

namespace flagstone {

// A request spends pipeline_latency cycles before its tags are looked up, then holds the data port
// for one cycle per sector. A written sector needs no fetch: byte masks go along with it
// (assumption). Atomics are done here: like a read that leaves its sectors dirty.
class L2Slice : public Clocked, public PacketSink, public DramClient {
 public:
  L2Slice(const L2Config& config, const AddressMap& map, uint32_t slice);

  void Connect(PacketPort* replies, DramPort* dram) {
    reply_port_ = replies;
    dram_ = dram;
  }
  // From now on misses are counted by class too, but for those of several nodes that take no way.
  void ClassifyMisses();
  // Puts a clean line in, as a copy into device memory would have left it. Before the run.
  void Warm(LineNumber local) { tags_.Enter(local, kAllSectors, /*writes=*/false); }
  // As an access that takes no time would leave it, with nothing under way.
  TagArray::Entered Enter(LineNumber local, SectorMask sectors, bool writes) {
    return tags_.Enter(local, sectors, writes);
  }

  bool CanAccept() const override { return !lane_.input.full(); }
  void Accept(const Packet& packet) override { AcceptIn(&lane_, packet); }
  void DramReply(uint16_t tag, SectorMask sectors) override;

  void Sample(uint64_t now) override;
  void Commit(uint64_t now) override;
  uint64_t NextWork(uint64_t now) const override;
  bool Drained() const override;
  std::string Leftover() const override;
  const L2Statistics& statistics() const { return statistics_; }

  // When drained: begins to write all dirty lines back, one a cycle; then it holds nothing.
  void Flush();
  uint64_t flushed() const { return flushed_; }  // sectors
  // What it holds, with which another launch may begin.
  const TagArray& tags() const { return tags_; }
  void Keep(const TagArray& tags) { tags_ = tags; }

 protected:
  struct Waiter {
    Packet packet;
    uint64_t since = 0;  // in the pipeline
  };
  // Data that an MSHR has waited for.
  struct Fill {
    uint16_t mshr = 0;
    SectorMask sectors = 0;
  };
  // Requests on their way to the tags.
  struct Lane {
    Lane(uint32_t queue, uint32_t latency) : input(queue), pipeline(latency + 1) {}

    struct Delayed {
      Packet packet;
      uint64_t ready = 0;
    };
    bool CanAdvance() const { return !input.empty() && !pipeline.full(); }
    bool Ready(uint64_t now) const { return !pipeline.empty() && pipeline.front().ready <= now; }

    Ring<Packet> input;
    Ring<Delayed> pipeline;  // one request a cycle
  };

  // What a slice of one of several nodes does in its own way: asked for each request, not in each
  // cycle.
  virtual Ring<Packet>& RepliesFor(const Packet&) { return replies_; }
  // Whether the packet may have one of the MSHRs; that it has got one; that it is free again.
  virtual bool MayTakeMshr(const Packet&) const { return true; }
  virtual void TookMshr(const Packet&, uint16_t /*mshr*/) {}
  virtual void FreedMshr(uint16_t /*mshr*/) {}
  // Fetches to another node than this one, where a request goes `elsewhere`.
  virtual bool ForwardsFull() const { return true; }
  virtual void Forward(const Packet&, SectorMask, uint16_t /*mshr*/) {}

  void AcceptIn(Lane* lane, const Packet& packet);
  void Advance(Lane* lane, uint64_t now) {
    lane->pipeline.Push({lane->input.front(), now + pipeline_latency_});
    lane->input.Pop();
  }
  Waiter WaiterOf(const Lane& lane) const {
    const Lane::Delayed& front = lane.pipeline.front();
    return {front.packet, front.ready - pipeline_latency_};
  }
  // The lanes of an atomic's conflicting threads, one after the other, before its look-up; false:
  // there are none.
  bool TakesConflicts(Lane* lane, uint64_t now);
  // The front of the lane has been looked up.
  void Served(Lane* lane, uint64_t now);
  bool HasRoomForFill() const { return replies_.room() >= merges_; }
  void ProcessFill(const Fill& fill, uint64_t now);
  bool ExpectsReply(const Packet& packet) const {
    return acknowledges_ || packet.kind != PacketKind::kWrite;
  }
  bool Holds(uint32_t index, SectorMask sectors) const {
    return index != TagArray::kNone && (sectors & ~tags_.way(index).valid) == 0;
  }
  // These return false when there is no room for what the packet needs: try again.
  bool Hit(const Waiter& request, uint32_t index, bool touch, uint64_t now);
  bool Write(const Packet& packet, LineNumber local, uint32_t index);
  // `elsewhere`: it is fetched from another node.
  bool Miss(const Waiter& request, LineNumber local, uint32_t index, bool elsewhere);
  bool Fail(uint64_t* reason) {
    ++*reason;
    return false;
  }
  void FreeMshr(uint16_t mshr) {
    mshrs_.Free(mshr);
    FreedMshr(mshr);
  }
  void FlushNext();
  struct Held {
    size_t requests = 0, replies = 0;
  };
  std::string LeftoverWith(const Held& held) const;

  const AddressMap* map_;
  uint32_t slice_;
  bool acknowledges_;  // writes
  uint32_t pipeline_latency_;
  uint32_t atomic_interval_;
  uint32_t reply_sectors_;
  TagArray tags_;
  MshrTable<Waiter> mshrs_;
  uint32_t merges_;  // that a fill may answer
  Lane lane_;
  Ring<Fill> fills_;  // from DRAM
  Ring<Packet> replies_;
  Ring<DramRequest> misses_;
  uint64_t port_free_ = 0;
  int64_t unanswered_ = 0;  // requests that expect a reply; never below 0
  bool flushing_ = false;
  L2Statistics statistics_;

 private:
  bool LookUp(const Waiter& request, uint64_t now);
  void CountAccess(const Packet& packet);
  void Classify(LineNumber local, SectorMask sectors, SectorMask missed) {
    if (classes_ == nullptr) return;
    classes_->Load(local, sectors, missed);
    statistics_.classes = classes_->counts();
  }
  // A way for a new line, its old one written back; kNone when there is none or no queue room.
  uint32_t TakeWay(LineNumber local, size_t queue_room_needed);

  PacketPort* reply_port_ = nullptr;
  DramPort* dram_ = nullptr;
  std::unique_ptr<MissClasses> classes_;  // null: nobody asked
  std::vector<uint32_t> dirty_;           // ways, while flushing
  uint64_t flushed_ = 0;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_MEMORY_L2_SLICE_H_
