// An LRU cache of items of any size.
#ifndef FLAGSTONE_ORDER_LRU_STACK_H_
#define FLAGSTONE_ORDER_LRU_STACK_H_

#include <cstdint>
#include <span>
#include <vector>

namespace flagstone {

class LruStack {
 public:
  // Items 0, 1, ... of these sizes, which must outlive the stack.
  LruStack(std::span<const uint32_t> bytes, uint64_t capacity)
      : bytes_(bytes), capacity_(capacity), links_(bytes.size() + 1), state_(bytes.size(), kOut) {
    const auto end = static_cast<uint32_t>(bytes.size());
    links_[end] = {end, end};
  }

  // The item leaves, if it is there.
  void Drop(uint32_t item) {
    if (state_[item] == kOut) return;
    Unlink(item);
    held_ -= bytes_[item];
    state_[item] = kOut;
  }
  uint64_t DirtyBytes() const {
    uint64_t bytes = 0;
    const auto end = static_cast<uint32_t>(bytes_.size());
    for (uint32_t at = links_[end].after; at != end; at = links_[at].after) {
      if (state_[at] == kDirty) bytes += bytes_[at];
    }
    return bytes;
  }
  void Clear() {
    const auto end = static_cast<uint32_t>(bytes_.size());
    for (uint32_t at = links_[end].after; at != end; at = links_[at].after) state_[at] = kOut;
    links_[end] = {end, end};
    held_ = 0;
  }

  // Touches an item; whether it was there. `written_back(item)` is called for each dirty one that
  // has to leave.
  template <class WrittenBack>
  bool Touch(uint32_t item, bool writes, WrittenBack written_back) {
    const bool hit = state_[item] != kOut;
    if (hit) {
      Unlink(item);
    } else {
      held_ += bytes_[item];
    }
    if (!hit || writes) state_[item] = writes ? kDirty : kClean;
    Push(item);
    while (held_ > capacity_) {
      const uint32_t oldest = links_.back().before;
      Unlink(oldest);
      held_ -= bytes_[oldest];
      if (state_[oldest] == kDirty) written_back(oldest);
      state_[oldest] = kOut;
    }
    return hit;
  }

 private:
  enum State : uint8_t { kOut, kClean, kDirty };
  struct Link {
    uint32_t before = 0, after = 0;
  };

  void Unlink(uint32_t item) {
    const Link& link = links_[item];
    links_[link.before].after = link.after;
    links_[link.after].before = link.before;
  }
  void Push(uint32_t item) {
    const auto end = static_cast<uint32_t>(bytes_.size());
    links_[item] = {end, links_[end].after};
    links_[links_[end].after].before = item;
    links_[end].after = item;
  }

  std::span<const uint32_t> bytes_;
  uint64_t capacity_;
  uint64_t held_ = 0;
  std::vector<Link> links_;  // newest first; the last one joins the ends
  std::vector<State> state_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_ORDER_LRU_STACK_H_
