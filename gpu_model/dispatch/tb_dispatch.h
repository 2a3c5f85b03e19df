// Runs the TB scheduler block inside the machine: its wires to the SMs, its memory port through the
// interconnect, and the check that every TB is issued once.
#ifndef FLAGSTONE_GPU_MODEL_DISPATCH_TB_DISPATCH_H_
#define FLAGSTONE_GPU_MODEL_DISPATCH_TB_DISPATCH_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "base/clocked.h"
#include "base/ring.h"
#include "gpu_model/blocks/tb_scheduler/ports.h"
#include "gpu_model/memory/packet.h"
#include "gpu_model/sm/tb_link.h"
#include "gpu_model/sm/tb_log.h"
#include "gpu_model/stats/statistics.h"
#include "kernels/launch/device_memory.h"

namespace flagstone {

// Which TBs of a launch have been issued, by the TB schedulers of all its nodes.
class TbLedger {
 public:
  explicit TbLedger(uint64_t tb_count) : issued_(tb_count, false) {}

  // Throws kRunFailed for a TB that the launch does not have, or that has been issued before.
  void Issue(uint32_t tb, uint32_t sm, uint64_t now);

 private:
  std::vector<bool> issued_;
};

struct TbDispatchSetup {
  TbScheduler* block = nullptr;
  TbLink* link = nullptr;
  const DeviceMemory* memory = nullptr;
  uint32_t sms = 0;
  uint32_t first_sm = 0;  // number in the GPU of the link's first SM
  uint64_t tb_count = 0;  // that this TB scheduler hands out
  TbLedger* ledger = nullptr;
  uint64_t queue_base = 0;       // PAVER's image
  uint32_t queue_count = 0;      // descriptors (PAVER) or TBs (all others)
  uint64_t launch_latency = 0;   // the block sees `start` in this cycle; kNever: by StartAt
  std::optional<uint32_t> node;  // of several: the image lies in this one's own memory
  uint64_t queue_latency = 0;    // of a memory of its own for the image; 0: it reads through L2
  StealRule steal_rule = StealRule::kOff;
  TbSettings settings = {};
  std::vector<StealEvent>* steals = nullptr;  // takes every steal, if there is one
  bool force_every_tick = false;
  uint64_t first_seen_cycle = kNever;  // where a wave window begins: this tick is not skipped
};

class TbDispatch final : public Clocked, public PacketSink {
 public:
  explicit TbDispatch(const TbDispatchSetup& setup);

  void Connect(PacketPort* requests, std::vector<Clocked*> sms) {
    requests_ = requests;
    sms_ = std::move(sms);
  }

  bool CanAccept() const override { return true; }  // there is a place for every request made
  void Accept(const Packet& packet) override;

  void Sample(uint64_t now) override;
  void Commit(uint64_t now) override;
  uint64_t NextWork(uint64_t now) const override;
  bool Drained() const override { return requests_ring_.empty(); }
  std::string Leftover() const override;

  // Of one of several nodes, which begins when the root says: in the cycle `now`, with these, but
  // for one with an image, which says them itself.
  void StartAt(uint64_t now, uint32_t tb_count, const TbSettings& settings);
  // Is woken when the block begins or ends.
  void ConnectRoot(Clocked* root) { root_ = root; }
  bool block_busy() const { return setup_.block->Outputs().busy; }

  bool busy() const { return !started_ || setup_.block->Outputs().busy; }
  uint64_t last_progress() const { return last_progress_; }
  // issued, stolen and wait_cycles.
  const TbStatistics& statistics() const { return statistics_; }

 private:
  struct Fetch {
    uint64_t address = 0;
    uint32_t size = 0;
    uint64_t arrives = kNever;  // where the image has a memory of its own
    bool sent = false;
    bool arrived = false;
  };

  TbSchedulerIn Inputs() const;
  void CheckIssues(const TbSchedulerIn& in, uint64_t now);
  void CountWaiting(uint64_t now);
  void ReadOwnMemory(uint64_t now);
  void SendNext();

  const TbDispatchSetup setup_;
  // What the block is started with, and when it sees that; StartAt() may say it anew.
  uint64_t start_cycle_;
  uint32_t queue_count_;
  TbSettings settings_;
  PacketPort* requests_ = nullptr;
  Clocked* root_ = nullptr;
  std::vector<Clocked*> sms_;
  Ring<Fetch> requests_ring_;  // in the order of the requests, until answered
  uint16_t first_tag_ = 0;     // of the front
  TbSchedulerIn in_;
  bool started_ = false;
  bool ticked_ = false;
  uint64_t waiting_sms_ = 0;  // with a free context and no offer, since waiting_since_
  uint64_t waiting_since_ = 0;
  uint64_t last_progress_ = 0;
  TbStatistics statistics_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_DISPATCH_TB_DISPATCH_H_
