// A client of an SM's memory path: a cache, and what stands in front of it.
#ifndef FLAGSTONE_GPU_MODEL_SM_MEMORY_CLIENT_H_
#define FLAGSTONE_GPU_MODEL_SM_MEMORY_CLIENT_H_

#include <cstdint>

#include "base/ring.h"
#include "gpu_model/machines/machine.h"
#include "gpu_model/memory/packet.h"
#include "gpu_model/sm/l1_cache.h"

namespace flagstone {

// The clients that an SM can have. Those beside the L1 of the data are read only.
enum class ClientId : uint8_t { kData, kInstructions, kConstants, kTextures };
inline constexpr uint32_t kClients = 4;

// Whose packet it is stands in the upper bits of the packet's tag. The tags of the data client are
// below 2^15, those of the others below 2^13.
inline uint16_t ClientTag(ClientId client, uint16_t tag) {
  if (client == ClientId::kData) return tag;
  const uint32_t other = static_cast<uint32_t>(client) - 1;
  return static_cast<uint16_t>(0x8000U | other << 13 | tag);
}
inline ClientId ClientOf(uint16_t tag) {
  return tag < 0x8000U ? ClientId::kData : static_cast<ClientId>(1 + ((tag >> 13) & 3U));
}
inline uint16_t OwnTag(uint16_t tag) {
  return tag < 0x8000U ? tag : static_cast<uint16_t>(tag & 0x1fffU);
}

// Takes what has become of the requests of clients.
class ResultSink {
 public:
  virtual ~ResultSink() = default;
  // The result of the warp's load at `pc` can be used from `cycle` on: this one or a later one.
  virtual void LoadDone(uint32_t warp, uint32_t pc, uint64_t cycle) = 0;
  // The warp's next instruction has come.
  virtual void InstructionHere(uint32_t warp) = 0;
  // So many sectors that the TB in the slot has stored are under way no more.
  virtual void StoreDone(uint32_t tb_slot, uint32_t sectors) = 0;
};

class MemoryClient {
 public:
  explicit MemoryClient(const CacheConfig& config) : cache_(config) {}
  MemoryClient(const MemoryClient&) = delete;
  MemoryClient& operator=(const MemoryClient&) = delete;
  virtual ~MemoryClient() = default;

  // A cycle of the client, to be called while it has work.
  virtual void Tick(uint64_t now) = 0;
  // `reply` bears the tag that the client has given it.
  virtual void TakeReply(const Packet& reply, uint64_t now) = 0;
  virtual bool Drained() const = 0;

  // Every cycle asks these of every client: they are no virtual functions.
  bool HasWork() const { return work_ != Work::kNone; }
  // Whether a tick may do something without an event from outside: a reply, or a place in the miss
  // queue.
  bool Active() const { return work_ == Work::kActive; }
  // Of an active client: ticks before this cycle do nothing, but that one of a full client's in
  // the cycle before may see a place that becomes free.
  uint64_t next_tick() const { return next_tick_; }
  uint64_t NextUse() const { return full_ != 0 && next_tick_ != 0 ? next_tick_ - 1 : next_tick_; }
  // Bits of schedulers from which it takes no instruction in this cycle.
  uint32_t Full() const { return full_; }
  // Of those, bits of schedulers from which it will take one in the next cycle, as far as it can
  // be seen.
  uint32_t Freeing() const { return freeing_; }
  Ring<Packet>& misses() { return cache_.miss_queue(); }
  const Ring<Packet>& misses() const { return cache_.miss_queue(); }
  const L1Cache& cache() const { return cache_; }
  // Begins with what the cache held at the end of another launch.
  void Keep(const TagArray& tags) { cache_.Keep(tags); }

 protected:
  enum class Work : uint8_t { kNone, kBlocked, kActive };
  void SetWork(Work work, uint32_t full = 0, uint32_t freeing = 0) {
    work_ = work;
    full_ = full;
    freeing_ = freeing;
  }
  void SleepUntil(uint64_t cycle) { next_tick_ = cycle; }
  bool CacheDrained() const { return cache_.mshrs_used() == 0 && cache_.miss_queue().empty(); }

 private:
  Work work_ = Work::kNone;
  uint32_t full_ = 0;
  uint32_t freeing_ = 0;
  uint64_t next_tick_ = 0;

 protected:
  L1Cache cache_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_SM_MEMORY_CLIENT_H_
