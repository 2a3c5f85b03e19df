// Miss status holding registers: one entry per line in flight, with the requests that wait for it.
#ifndef FLAGSTONE_GPU_MODEL_MEMORY_MSHR_TABLE_H_
#define FLAGSTONE_GPU_MODEL_MEMORY_MSHR_TABLE_H_

#include <cassert>
#include <cstdint>
#include <vector>

namespace flagstone {

template <class Waiter>
class MshrTable {
 public:
  MshrTable(uint32_t entries, uint32_t merges)
      : merges_(merges), entries_(entries), waiters_(size_t{entries} * merges) {
    free_.reserve(entries);
    for (uint32_t i = entries; i > 0; --i) free_.push_back(static_cast<uint16_t>(i - 1));
  }

  bool HasFree() const { return !free_.empty(); }
  uint32_t free() const { return static_cast<uint32_t>(free_.size()); }
  uint32_t used() const { return static_cast<uint32_t>(entries_.size() - free_.size()); }
  bool HasRoom(uint16_t mshr) const { return entries_[mshr].count < merges_; }

  uint16_t Allocate(uint32_t way) {
    assert(HasFree());
    const uint16_t mshr = free_.back();
    free_.pop_back();
    entries_[mshr] = {way, 0};
    return mshr;
  }
  void Add(uint16_t mshr, const Waiter& waiter) {
    assert(HasRoom(mshr));
    waiters_[size_t{mshr} * merges_ + entries_[mshr].count++] = waiter;
  }
  uint32_t way(uint16_t mshr) const { return entries_[mshr].way; }
  uint32_t count(uint16_t mshr) const { return entries_[mshr].count; }

  // Calls `done(waiter)` for each waiter for which `ready(waiter)`, in order of arrival, and
  // forgets it; the others stay, in order.
  template <class Ready, class Done>
  void Release(uint16_t mshr, Ready&& ready, Done&& done) {
    Waiter* first = &waiters_[size_t{mshr} * merges_];
    uint32_t kept = 0;
    for (uint32_t i = 0; i < entries_[mshr].count; ++i) {
      if (ready(first[i])) {
        done(first[i]);
      } else {
        first[kept++] = first[i];
      }
    }
    entries_[mshr].count = kept;
  }
  // Of an entry whose waiters have all been answered.
  void Free(uint16_t mshr) {
    assert(entries_[mshr].count == 0);
    assert(free_.size() < entries_.size());
    free_.push_back(mshr);
  }

 private:
  struct Entry {
    uint32_t way = 0;  // in the tag array
    uint32_t count = 0;
  };
  uint32_t merges_;
  std::vector<Entry> entries_;
  std::vector<Waiter> waiters_;  // `merges_` per entry
  std::vector<uint16_t> free_;   // a stack
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_MEMORY_MSHR_TABLE_H_
