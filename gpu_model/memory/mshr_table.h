// Miss status holding registers: one entry per line in flight, with the requests that wait for it.
#ifndef FLAGSTONE_GPU_MODEL_MEMORY_MSHR_TABLE_H_
#define FLAGSTONE_GPU_MODEL_MEMORY_MSHR_TABLE_H_

#include <array>
#include <cassert>
#include <cstdint>
#include <vector>

#include "gpu_model/machines/machine.h"
#include "gpu_model/memory/packet.h"

namespace flagstone {

// The table has an entry for each line in flight. Where the machine's MSHRs hold a sector each, it
// counts sectors against them, and merges sector by sector. All entries' waiters share one pool: a
// streaming cache has thousands of MSHRs, and few of them have many waiters. The pool grows with
// the most that have ever waited at once.
template <class Waiter>
class MshrTable {
 public:
  MshrTable(uint32_t mshrs, uint32_t merges, MshrUnit unit = MshrUnit::kLine)
      : by_sector_(unit == MshrUnit::kSector),
        mshrs_(mshrs),
        merges_(merges),
        most_waiters_(by_sector_ ? merges * kSectors : merges),
        entries_(mshrs) {
    waiting_.reserve(kFirstWaiters);
    free_.reserve(mshrs);
    for (uint32_t i = mshrs; i > 0; --i) free_.push_back(static_cast<uint16_t>(i - 1));
  }

  // Whether `wanted` can be sent for, of a line that is in flight or not.
  bool HasFree(bool in_flight, SectorMask wanted) const {
    return by_sector_ ? fetching_ + SectorCount(wanted) <= mshrs_ : in_flight || !free_.empty();
  }
  uint32_t free() const { return mshrs_ - used(); }
  uint32_t used() const {
    return by_sector_ ? fetching_ : static_cast<uint32_t>(entries_.size() - free_.size());
  }
  // Of an entry: whether one more request can wait for these sectors.
  bool HasRoom(uint16_t mshr, SectorMask sectors) const {
    const Entry& entry = entries_[mshr];
    if (!by_sector_) return entry.count < merges_;
    for (uint32_t s = 0; s < kSectors; ++s) {
      if ((sectors >> s & 1U) != 0 && entry.by_sector[s] >= merges_) return false;
    }
    return true;
  }
  uint32_t most_waiters() const { return most_waiters_; }  // of an entry

  uint16_t Allocate(uint32_t way) {
    assert(!free_.empty());
    const uint16_t mshr = free_.back();
    free_.pop_back();
    entries_[mshr] = {.way = way};
    return mshr;
  }
  // These sectors of a line that has an entry have been sent for, and have come.
  void Sent(SectorMask sectors) { fetching_ += SectorCount(sectors); }
  void Came(SectorMask sectors) { fetching_ -= SectorCount(sectors); }
  // `sectors`: those that the waiter waits for.
  void Add(uint16_t mshr, const Waiter& waiter, SectorMask sectors) {
    assert(HasRoom(mshr, sectors));
    Entry& entry = entries_[mshr];
    if (by_sector_) Count(&entry, sectors, 1);
    const uint32_t place = TakePlace();
    waiting_[place] = {waiter, sectors, kNobody};
    (entry.count == 0 ? entry.first : waiting_[entry.last].next) = place;
    entry.last = place;
    ++entry.count;
  }
  uint32_t way(uint16_t mshr) const { return entries_[mshr].way; }
  uint32_t count(uint16_t mshr) const { return entries_[mshr].count; }

  // Calls `done(waiter)` for each waiter for which `ready(waiter)`, in order of arrival, and
  // forgets it; the others stay, in order.
  template <class Ready, class Done>
  void Release(uint16_t mshr, Ready&& ready, Done&& done) {
    Entry& entry = entries_[mshr];
    uint32_t kept = kNobody;  // the last one that stays
    for (uint32_t place = entry.first, next = kNobody; place != kNobody; place = next) {
      next = waiting_[place].next;
      if (!ready(waiting_[place].waiter)) {
        kept = place;
        continue;
      }
      if (by_sector_) Count(&entry, waiting_[place].sectors, -1);
      (kept == kNobody ? entry.first : waiting_[kept].next) = next;
      --entry.count;
      waiting_[place].next = free_waiting_;
      free_waiting_ = place;
      const Waiter waiter = waiting_[place].waiter;  // done() may add one, which moves the pool
      done(waiter);
    }
    entry.last = kept;
  }
  // Of an entry whose waiters have all been answered.
  void Free(uint16_t mshr) {
    assert(entries_[mshr].count == 0);
    assert(free_.size() < entries_.size());
    free_.push_back(mshr);
  }

 private:
  static constexpr uint32_t kSectors = kLineBytes / kSectorBytes;
  static constexpr uint32_t kNobody = ~uint32_t{0};
  static constexpr size_t kFirstWaiters = 256;
  struct Entry {
    uint32_t way = 0;  // in the tag array
    uint32_t count = 0;
    uint32_t first = kNobody;  // of those that wait, in order of arrival
    uint32_t last = kNobody;
    std::array<uint16_t, kSectors> by_sector = {};  // waiters
  };
  struct Waiting {
    Waiter waiter;
    SectorMask sectors = 0;
    uint32_t next = kNobody;  // of its entry, or of the free places
  };

  uint32_t TakePlace() {
    if (free_waiting_ == kNobody) {
      waiting_.emplace_back();
      return static_cast<uint32_t>(waiting_.size() - 1);
    }
    const uint32_t place = free_waiting_;
    free_waiting_ = waiting_[place].next;
    return place;
  }
  static void Count(Entry* entry, SectorMask sectors, int change) {
    for (uint32_t s = 0; s < kSectors; ++s) {
      if ((sectors >> s & 1U) == 0) continue;
      entry->by_sector[s] = static_cast<uint16_t>(entry->by_sector[s] + change);
    }
  }

  bool by_sector_;
  uint32_t mshrs_;
  uint32_t merges_;
  uint32_t most_waiters_;
  uint32_t fetching_ = 0;  // sectors
  std::vector<Entry> entries_;
  std::vector<Waiting> waiting_;
  uint32_t free_waiting_ = kNobody;
  std::vector<uint16_t> free_;  // a stack
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_MEMORY_MSHR_TABLE_H_
