// A load/store unit of an SM: memory instructions in order, one request a cycle, loads in flight.
#ifndef FLAGSTONE_GPU_MODEL_SM_LOAD_STORE_UNIT_H_
#define FLAGSTONE_GPU_MODEL_SM_LOAD_STORE_UNIT_H_

#include <cstdint>
#include <vector>

#include "base/ring.h"
#include "gpu_model/memory/packet.h"
#include "gpu_model/sm/load_watcher.h"
#include "gpu_model/sm/memory_client.h"
#include "gpu_model/sm/memory_instruction.h"
#include "gpu_model/stats/load_counts.h"

namespace flagstone {

// In front of the L1 of the data, and of the caches of constants and textures. An instruction is on
// its way for `sm.lsu_latency` cycles, and waits in its place until the unit serves it, one after
// the other.
class LoadStoreUnit final : public MemoryClient {
 public:
  static constexpr uint16_t kMaxLoads = 512;  // assumption: loads and atomics in flight per SM

  LoadStoreUnit(const SmConfig& config, ResultSink* results);

  // It sees the loads of this unit.
  void Connect(LoadWatcher* watcher) { watchers_.push_back(watcher); }

  // Counts loads and atomics by pc from now on; `counts` has an element for each instruction.
  void Count(std::vector<LoadCounts>* counts) { counts_ = counts; }

  // Memory instructions that an SM can have under way to a unit, the one that is served included.
  static uint32_t Places(const SmConfig& config) {
    return config.lsu_queue_of == LsuQueueOf::kSm ? config.lsu_queue
                                                  : config.schedulers * config.lsu_queue + 1;
  }
  // The warp's scheduler has a place.
  bool CanIssue(uint32_t warp) const { return (Full() >> SchedulerOf(warp) & 1U) == 0; }
  // Bits of schedulers whose instructions under way leave no room for others (sm.lsu_blocking).
  uint32_t blocked_schedulers() const { return blocked_schedulers_; }
  // A place in the queue for the next instruction; fill it, then call Issued().
  MemoryInstruction* Next() { return &next_; }
  void Issued(uint64_t now);

  // A cycle of the unit: at most one request to the L1, or a part of one with more sectors than
  // the tags take in a cycle, or a part of a shared-memory access. Before any Issued() of the
  // cycle.
  void Tick(uint64_t now) override;
  void TakeReply(const Packet& reply, uint64_t now) override;

  // After Tick(now): no request has used the L1's tags in this cycle. One that failed has.
  bool TagsFree(uint64_t now) const { return now >= tags_free_ && last_request_ != now; }
  bool Drained() const override {
    return queue_.empty() && free_loads_.size() == loads_.size() && CacheDrained();
  }
  void PreloadTick() const {
    __builtin_prefetch(&tags_free_);
    queue_.PreloadFront();
  }
  // Of the L1 in the cycles before `now`: its own counts hold hits of later cycles already.
  L1Statistics L1Before(uint64_t now) const;
  size_t queued() const { return queue_.size(); }
  size_t loads_in_flight() const { return loads_.size() - free_loads_.size(); }
  L1Cache& l1() { return cache_; }
  const L1Cache& l1() const { return cache_; }

 private:
  static constexpr uint16_t kNoLoad = 0xffff;

  // What the L1 has counted of cycles from `now` on: hits, in its unit.
  uint64_t HitsAhead(uint64_t now) const;

  struct Load {
    uint8_t warp = 0;
    uint32_t pc = 0;
    // What has no answer yet: requests to the L1, sectors that go past it; and one while it is
    // being sent.
    uint32_t remaining = 0;
    uint64_t ready = 0;  // its hits can be used from this cycle on
    uint64_t issued = 0;
  };

  uint32_t SchedulerOf(uint32_t warp) const {
    return warp % static_cast<uint32_t>(waiting_.size());
  }
  void Admit(uint64_t now);
  void Advance(uint64_t now);
  uint32_t FullSchedulers();
  void UpdateWork(uint64_t now) {
    const uint32_t full = FullSchedulers();
    SetWork(queue_.empty() ? Work::kNone
            : blocked_     ? Work::kBlocked
                           : Work::kActive,
            full, full != 0 && places_ == 0 && Leaves(now + 1) ? full : 0);
  }
  bool Leaves(uint64_t cycle) const;
  void HitAhead(const MemoryInstruction& head, uint64_t now);
  L1Cache::Outcome Request(MemoryInstruction* head, uint64_t now);
  L1Cache::Outcome Demand(const MemoryInstruction& head, LineNumber line, SectorMask sectors);
  L1Cache::Outcome LoadWatched(const MemoryInstruction& head, LineNumber line, SectorMask sectors);
  void Answered(uint16_t load, uint32_t answers, uint64_t now);
  void Finish(uint16_t load, uint64_t now);

  bool bypass_;
  uint32_t sectors_per_cycle_;
  uint32_t hit_latency_;
  uint32_t shared_latency_;
  ResultSink* results_;
  std::vector<LoadWatcher*> watchers_;
  std::vector<LoadCounts>* counts_ = nullptr;  // null: nobody asked
  const uint32_t latency_;                     // from issue to the unit
  const uint32_t places_;                      // of each scheduler; 0: they share the queue
  const uint32_t blocking_;                    // as sm.lsu_blocking
  const uint32_t all_schedulers_;
  Ring<MemoryInstruction> queue_;  // the front is served, once it has come
  bool served_ = false;            // it is
  std::vector<uint32_t> waiting_;  // of each scheduler: in the queue and not served
  uint32_t blocked_schedulers_ = 0;
  MemoryInstruction next_;
  uint32_t position_ = 0;  // of the head's next request
  uint32_t ahead_ = 0;     // of those before it: answered before their cycles
  uint16_t load_of_head_ = kNoLoad;
  uint64_t tags_free_ = 0;                             // first cycle for the next request
  L1Cache::Outcome outcome_ = L1Cache::Outcome::kHit;  // of the last request
  bool blocked_ = false;                               // it has failed
  uint64_t last_request_ = ~uint64_t{0};
  std::vector<Load> loads_;
  std::vector<uint16_t> free_loads_;  // a stack
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_SM_LOAD_STORE_UNIT_H_
