// The load/store unit of one SM: memory instructions in order, one request a cycle, loads in
// flight.
#ifndef FLAGSTONE_GPU_MODEL_SM_LOAD_STORE_UNIT_H_
#define FLAGSTONE_GPU_MODEL_SM_LOAD_STORE_UNIT_H_

#include <cassert>
#include <cstdint>
#include <vector>

#include "gpu_model/memory/packet.h"
#include "gpu_model/memory/ring.h"
#include "gpu_model/sm/coalescer.h"
#include "gpu_model/sm/l1_cache.h"
#include "gpu_model/sm/prefetch_unit.h"

namespace flagstone {

struct MemoryInstruction {
  enum class Kind : uint8_t { kShared, kLoad, kStore, kAtomic };
  Kind kind = Kind::kLoad;
  uint8_t warp = 0;
  uint8_t tb_slot = 0;
  bool local = false;        // local memory: in the L1 also where that is off for global memory
  bool global_load = false;  // one that prefetchers see
  bool returns = true;  // someone waits for its end: loads and atomics, and shared ones likewise
  uint32_t pc = 0;
  uint32_t bank_cycles = 1;    // kShared
  CoalescedRequests requests;  // the others
  AtomicConflicts conflicts;   // kAtomic
  uint64_t issued = 0;         // set by Issued()
};

class LoadStoreUnit {
 public:
  static constexpr uint16_t kMaxLoads = 512;  // assumption: loads and atomics in flight per SM

  LoadStoreUnit(const SmConfig& config, uint16_t port);

  void Connect(VictimTags* victim_tags) {
    victim_tags_ = victim_tags;
    l1_.Connect(victim_tags);
  }
  void Connect(PrefetchUnit* prefetch) { prefetch_ = prefetch; }

  bool CanIssue() const { return !queue_.full(); }
  // A place in the queue for the next instruction; fill it, then call Issued().
  MemoryInstruction* Next() { return &next_; }
  void Issued();

  // A cycle of the unit: at most one request to the L1, or a part of one with more sectors than
  // the tags take in a cycle, or a part of a shared-memory access. Before any Issued() of the
  // cycle. `complete(warp, pc, cycle)`: the result of an instruction can be used from `cycle` on.
  template <class Complete>
  void Tick(uint64_t now, Complete&& complete) {
    now_ = now;
    if (queue_.empty() || now < tags_free_) return;
    MemoryInstruction& head = queue_.front();
    if (head.kind == MemoryInstruction::Kind::kShared) {
      if (--head.bank_cycles > 0) return;
      if (head.returns) complete(head.warp, head.pc, now + shared_latency_ - 1);
      queue_.Pop();
      return;
    }
    if (blocked_) l1_.CountFail(outcome_, now - last_request_);
    outcome_ = Request(&head, now);
    blocked_ = L1Cache::Failed(outcome_);
    last_request_ = now;
    if (blocked_) return;
    if (++position_ < head.requests.count) return;
    position_ = 0;
    if (head.returns && --loads_[load_of_head_].remaining == 0) {
      Finish(load_of_head_, now, complete);
    }
    queue_.Pop();
    load_of_head_ = kNoLoad;
  }

  // A reply of L2.
  template <class Complete>
  void TakeReply(const Packet& reply, uint64_t now, Complete&& complete) {
    const auto done = [&](uint16_t load, uint32_t answers) {
      assert(loads_[load].remaining >= answers);  // each request is answered once
      loads_[load].remaining -= answers;
      if (loads_[load].remaining == 0) Finish(load, now, complete);
    };
    if (reply.kind != PacketKind::kRead) {
      done(reply.tag, SectorCount(reply.sectors));
    } else {
      l1_.Fill(reply, [&](uint16_t load) { done(load, 1); });
    }
  }

  // Whether a tick may do something without an event from outside (a reply, a place in the miss
  // queue): false when empty or waiting after a reservation fail.
  bool Active() const { return !queue_.empty() && !blocked_; }
  bool Blocked() const { return blocked_; }
  // After Tick(now): no request has used the L1's tags in this cycle. One that failed has.
  bool TagsFree(uint64_t now) const { return now >= tags_free_ && last_request_ != now; }
  bool Drained() const {
    return queue_.empty() && free_loads_.size() == loads_.size() && l1_.mshrs_used() == 0 &&
           l1_.miss_queue().empty();
  }
  size_t queued() const { return queue_.size(); }
  size_t loads_in_flight() const { return loads_.size() - free_loads_.size(); }
  L1Cache& l1() { return l1_; }
  const L1Cache& l1() const { return l1_; }

 private:
  static constexpr uint16_t kNoLoad = 0xffff;

  struct Load {
    uint8_t warp = 0;
    uint32_t pc = 0;
    // What has no answer yet: requests to the L1, sectors that go past it; and one while it is
    // being sent.
    uint32_t remaining = 0;
    uint64_t ready = 0;  // its hits can be used from this cycle on
    uint64_t issued = 0;
  };

  L1Cache::Outcome Request(MemoryInstruction* head, uint64_t now);

  template <class Complete>
  void Finish(uint16_t load, uint64_t now, Complete&& complete) {
    const Load& done = loads_[load];
    const uint64_t cycle = done.ready > now ? done.ready : now;
    l1_.statistics().load_latency.Add(cycle - done.issued);
    complete(done.warp, done.pc, cycle);
    free_loads_.push_back(load);
  }

  bool bypass_;
  uint32_t sectors_per_cycle_;
  uint32_t hit_latency_;
  uint32_t shared_latency_;
  L1Cache l1_;
  Ring<MemoryInstruction> queue_;
  MemoryInstruction next_;
  uint32_t position_ = 0;  // of the head's next request
  uint16_t load_of_head_ = kNoLoad;
  uint64_t now_ = 0;
  uint64_t tags_free_ = 0;                             // first cycle for the next request
  L1Cache::Outcome outcome_ = L1Cache::Outcome::kHit;  // of the last request
  bool blocked_ = false;
  uint64_t last_request_ = ~uint64_t{0};
  VictimTags* victim_tags_ = nullptr;
  PrefetchUnit* prefetch_ = nullptr;
  std::vector<Load> loads_;
  std::vector<uint16_t> free_loads_;  // a stack
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_SM_LOAD_STORE_UNIT_H_
