// One slice of the L2: write-back, write-allocate, by 32 B sectors, with MSHRs and a pipeline.
#ifndef FLAGSTONE_GPU_MODEL_MEMORY_L2_SLICE_H_
#define FLAGSTONE_GPU_MODEL_MEMORY_L2_SLICE_H_

#include <cstdint>

#include "base/clocked.h"
#include "base/ring.h"
#include "gpu_model/machines/machine.h"
#include "gpu_model/memory/address_map.h"
#include "gpu_model/memory/dram_port.h"
#include "gpu_model/memory/mshr_table.h"
#include "gpu_model/memory/packet.h"
#include "gpu_model/memory/tag_array.h"
#include "gpu_model/stats/statistics.h"

namespace flagstone {

// A request spends pipeline_latency cycles before its tags are looked up, then holds the data port
// for one cycle per sector. A written sector needs no fetch: byte masks go along with it
// (assumption). Atomics are done here: like a read that leaves its sectors dirty.
class L2Slice final : public Clocked, public PacketSink, public DramClient {
 public:
  L2Slice(const L2Config& config, const AddressMap& map, uint32_t slice);

  void Connect(PacketPort* replies, DramPort* dram) {
    reply_port_ = replies;
    dram_ = dram;
  }
  // Puts a clean line in, as a copy into device memory would have left it. Before the run.
  void Warm(LineNumber local);

  bool CanAccept() const override { return !input_.full(); }
  void Accept(const Packet& packet) override;
  void DramReply(uint16_t tag, SectorMask sectors) override;

  void Sample(uint64_t now) override;
  void Commit(uint64_t now) override;
  uint64_t NextWork(uint64_t now) const override;
  bool Drained() const override;
  std::string Leftover() const override;
  const L2Statistics& statistics() const { return statistics_; }

 private:
  struct Delayed {
    Packet packet;
    uint64_t ready = 0;
  };
  struct Waiter {
    Packet packet;
    uint64_t since = 0;  // in the pipeline
  };
  struct Fill {
    uint16_t mshr = 0;
    SectorMask sectors = 0;
  };

  void ProcessFill(uint64_t now);
  void CountAccess(const Packet& packet);
  bool ExpectsReply(const Packet& packet) const {
    return acknowledges_ || packet.kind != PacketKind::kWrite;
  }
  // These return false when there is no room for what the packet needs: try again.
  bool LookUp(const Waiter& request, uint64_t now);
  bool Write(const Packet& packet, LineNumber local, uint32_t index);
  bool Miss(const Waiter& request, LineNumber local, uint32_t index);
  bool Fail(uint64_t* reason) {
    ++*reason;
    return false;
  }
  // A way for a new line, its old one written back; kNone when there is none or no queue room.
  uint32_t TakeWay(LineNumber local, size_t queue_room_needed);

  const AddressMap* map_;
  uint32_t slice_;
  bool acknowledges_;  // writes
  uint32_t pipeline_latency_;
  uint32_t atomic_interval_;
  uint32_t reply_sectors_;
  TagArray tags_;
  MshrTable<Waiter> mshrs_;
  uint32_t merges_;  // that a fill may answer
  Ring<Packet> input_;
  Ring<Delayed> pipeline_;
  Ring<Fill> fills_;
  Ring<Packet> replies_;
  Ring<DramRequest> misses_;
  uint64_t port_free_ = 0;
  int64_t unanswered_ = 0;  // requests that expect a reply; never below 0
  PacketPort* reply_port_ = nullptr;
  DramPort* dram_ = nullptr;
  L2Statistics statistics_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_MEMORY_L2_SLICE_H_
