// The L1 data cache of one SM: write-through, MSHRs with merges, miss queue.
#ifndef FLAGSTONE_GPU_MODEL_SM_L1_CACHE_H_
#define FLAGSTONE_GPU_MODEL_SM_L1_CACHE_H_

#include <cstdint>
#include <memory>

#include "base/ring.h"
#include "gpu_model/machines/machine.h"
#include "gpu_model/memory/miss_classes.h"
#include "gpu_model/memory/mshr_table.h"
#include "gpu_model/memory/packet.h"
#include "gpu_model/memory/tag_array.h"
#include "gpu_model/sm/prefetch_marks.h"
#include "gpu_model/sm/victim_tags.h"
#include "gpu_model/stats/statistics.h"

namespace flagstone {

// Allocates on a miss: the way is reserved until all its sectors in flight have come. Without
// sectors a miss fetches the whole line. Atomics go past it, and evict the line.
class L1Cache {
 public:
  explicit L1Cache(const CacheConfig& config);
  // Of its miss queue, and of the stages that a miss passes before it.
  static uint32_t MissPlaces(const CacheConfig& config) {
    return config.miss_queue + config.miss_latency;
  }

  void Connect(VictimTags* victim_tags) { victim_tags_ = victim_tags; }
  void Connect(PrefetchMarks* marks) { marks_ = marks; }
  // From now on a prefetched line that waits for its use, by a TB that runs, keeps its way while
  // another one of the set may be replaced; half of a set's ways may hold such lines.
  void KeepAwaited() { keeps_awaited_ = true; }
  // What it holds, where nothing is on its way; and that it holds what another one held.
  const TagArray& tags() const { return tags_; }
  void Keep(const TagArray& tags) { tags_ = tags; }
  // Counts misses by class from now on.
  void ClassifyMisses();

  enum class Outcome : uint8_t {
    kHit,
    kPending,  // `load` is told by Fill
    // Reservation fails: nothing has changed, ask again.
    kNoMshr,
    kNoMerge,
    kNoWay,  // or one that keeps a line, for a prefetch
    kMissQueueFull,
    kNoLoadSlot,  // of the load/store unit
  };
  static bool Failed(Outcome outcome) { return outcome >= Outcome::kNoMshr; }

  // `load` names the waiting load; it is given back once per kPending request.
  Outcome Load(LineNumber line, SectorMask sectors, uint16_t load);
  // As Load, where that is a hit on a line of which nothing is on its way; else nothing has
  // changed. No reply can make it another outcome, so that it may be asked before its cycle.
  bool Hit(LineNumber line, SectorMask sectors);
  // All false when the miss queue is full. `tag` travels with the packet.
  bool Store(LineNumber line, SectorMask sectors, uint16_t tag);
  bool Atomic(LineNumber line, SectorMask sectors, uint16_t tag);

  // Goes past the tags: a kind of global access where the L1 is off for them.
  bool Bypass(PacketKind kind, LineNumber line, SectorMask sectors, uint16_t tag);

  // For prefetches. Part of a line counts as the line.
  // Of a line on its way: only a prefetch has asked for it, or a demand load waits for it.
  enum class Presence : uint8_t { kAbsent, kPrefetched, kDemanded, kHere };
  Presence Find(LineNumber line) const;
  // Fetches an absent line, whole, for nobody; `way` is the one that it gets. Leaves `mshr_reserve`
  // MSHRs and a place in the miss queue to demand. kPending, or a failure: nothing has changed.
  Outcome Prefetch(LineNumber line, uint32_t mshr_reserve, uint32_t* way);

  // A request has waited for `cycles` since `outcome`.
  void CountFail(Outcome outcome, uint64_t cycles);

  // Data from L2 for a read of this cache. Calls `done(load)` for each request now complete.
  template <class Done>
  void Fill(const Packet& reply, Done&& done) {
    const uint32_t index = mshrs_.way(reply.tag);
    TagArray::Way& way = tags_.way(index);
    way.valid |= reply.sectors;
    way.pending = static_cast<SectorMask>(way.pending & ~reply.sectors);
    mshrs_.Came(reply.sectors);
    mshrs_.Release(
        reply.tag, [&](const Waiter& waiter) { return (waiter.sectors & ~way.valid) == 0; },
        [&](const Waiter& waiter) { done(waiter.load); });
    if (way.pending == 0) Retire(reply.tag, index);
  }

  Ring<Packet>& miss_queue() { return miss_queue_; }
  const Ring<Packet>& miss_queue() const { return miss_queue_; }
  uint32_t mshrs_used() const { return mshrs_.used(); }
  // In the unit of the statistics: sectors, or lines for a cache without sectors.
  uint64_t Units(SectorMask sectors) const { return sectored_ ? SectorCount(sectors) : 1; }
  L1Statistics& statistics() { return statistics_; }
  const L1Statistics& statistics() const { return statistics_; }

 private:
  struct Waiter {
    uint16_t load = 0;
    SectorMask sectors = 0;
  };

  uint32_t AwaitedIn(LineNumber line) const;  // ways of its set
  uint32_t DemandVictim(LineNumber line) const;
  void CountHit(LineNumber line, SectorMask sectors);
  void Evict(LineNumber line);
  // The load has been taken, and sends for `wanted`.
  void Classify(LineNumber line, SectorMask sectors, SectorMask wanted);
  void Allocate(LineNumber line, SectorMask sectors);
  void Retire(uint16_t mshr, uint32_t index);
  void Invalidate(uint32_t index);

  Ring<Packet> miss_queue_;  // first: every cycle asks whether it is empty
  bool sectored_;
  WritePolicy write_policy_;
  TagArray tags_;
  MshrTable<Waiter> mshrs_;
  VictimTags* victim_tags_ = nullptr;
  std::unique_ptr<MissClasses> classes_;  // null: nobody asked
  PrefetchMarks* marks_ = nullptr;
  bool keeps_awaited_ = false;
  L1Statistics statistics_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_SM_L1_CACHE_H_
