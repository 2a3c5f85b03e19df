// How many different numbers there are among many. Internal to this folder.
#ifndef FLAGSTONE_APP_ORDER_DISTINCT_H_
#define FLAGSTONE_APP_ORDER_DISTINCT_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace flagstone::order {

// A set of hashes that are spread over 64 bits: two of them that are equal but for their lowest bit
// count as one, which among millions does not happen.
class Distinct {
 public:
  // Whether it is new.
  bool Insert(uint64_t hash) {
    if (2 * (count_ + 1) > slots_.size()) Grow();
    return Put(hash | 1);
  }
  size_t count() const { return count_; }

 private:
  bool Put(uint64_t hash) {
    size_t at = hash >> 20 & (slots_.size() - 1);
    while (slots_[at] != 0 && slots_[at] != hash) at = (at + 1) & (slots_.size() - 1);
    if (slots_[at] == hash) return false;
    slots_[at] = hash;
    ++count_;
    return true;
  }
  void Grow() {
    std::vector<uint64_t> old(std::max<size_t>(1024, 4 * slots_.size()));
    old.swap(slots_);
    count_ = 0;
    for (const uint64_t hash : old) {
      if (hash != 0) Put(hash);
    }
  }

  std::vector<uint64_t> slots_;  // 0: free
  size_t count_ = 0;
};

}  // namespace flagstone::order

#endif  // FLAGSTONE_APP_ORDER_DISTINCT_H_
