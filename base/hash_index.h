// Which of many items, kept elsewhere in a vector, equals a new one.
#ifndef FLAGSTONE_BASE_HASH_INDEX_H_
#define FLAGSTONE_BASE_HASH_INDEX_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace flagstone {

// A hash table of indices with open addressing: no allocation per item.
class HashIndex {
 public:
  // The index of an item with this hash for which equal(index) holds; else `next`, which is then
  // the new item's index. All indices are below 2^32 - 1.
  template <class Equal>
  uint32_t FindOrAdd(uint64_t hash, size_t next, Equal equal) {
    if (2 * (used_ + 1) > slots_.size()) Grow();
    const uint64_t tag = hash & kTagMask;
    size_t at = Start(tag);
    for (; slots_[at] != 0; at = (at + 1) & (slots_.size() - 1)) {
      const uint32_t index = static_cast<uint32_t>(slots_[at]) - 1;
      if ((slots_[at] & kTagMask) == tag && equal(index)) return index;
    }
    slots_[at] = tag | (next + 1);
    ++used_;
    return static_cast<uint32_t>(next);
  }

 private:
  static constexpr uint64_t kTagMask = ~uint64_t{0} << 32;

  size_t Start(uint64_t tag) const {
    return (tag * 0x9e3779b97f4a7c15U >> 32) & (slots_.size() - 1);
  }
  void Grow() {
    std::vector<uint64_t> old(slots_.empty() ? 64 : 2 * slots_.size());
    old.swap(slots_);
    for (const uint64_t slot : old) {
      if (slot == 0) continue;
      size_t at = Start(slot & kTagMask);
      while (slots_[at] != 0) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = slot;
    }
  }

  std::vector<uint64_t> slots_;  // upper half of the hash, then index + 1; 0: free
  size_t used_ = 0;
};

}  // namespace flagstone

#endif  // FLAGSTONE_BASE_HASH_INDEX_H_
