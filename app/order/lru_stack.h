// An LRU cache of items of any size.
#ifndef FLAGSTONE_APP_ORDER_LRU_STACK_H_
#define FLAGSTONE_APP_ORDER_LRU_STACK_H_

#include <cstdint>
#include <span>
#include <vector>

namespace flagstone {

class LruStack {
 public:
  // Items 0, 1, ... of these sizes.
  LruStack(std::span<const uint32_t> bytes, uint64_t capacity)
      : capacity_(capacity), items_(bytes.size() + 1), end_(static_cast<uint32_t>(bytes.size())) {
    for (uint32_t item = 0; item < end_; ++item) items_[item].bytes = bytes[item];
    items_[end_] = {.before = end_, .after = end_};
  }

  // The item leaves, if it is there.
  void Drop(uint32_t item) {
    if (items_[item].state == kOut) return;
    Unlink(item);
    held_ -= items_[item].bytes;
    items_[item].state = kOut;
  }
  uint64_t DirtyBytes() const {
    uint64_t bytes = 0;
    for (uint32_t at = items_[end_].after; at != end_; at = items_[at].after) {
      if (items_[at].state == kDirty) bytes += items_[at].bytes;
    }
    return bytes;
  }
  void Clear() {
    for (uint32_t at = items_[end_].after; at != end_; at = items_[at].after) {
      items_[at].state = kOut;
    }
    items_[end_].before = items_[end_].after = end_;
    held_ = 0;
  }

  // Touches an item; whether it was there. `written_back(item)` is called for each dirty one that
  // has to leave.
  template <class WrittenBack>
  bool Touch(uint32_t item, bool writes, WrittenBack written_back) {
    Item& touched = items_[item];
    const bool hit = touched.state != kOut;
    if (hit) {
      Unlink(item);
    } else {
      held_ += touched.bytes;
    }
    if (!hit || writes) touched.state = writes ? kDirty : kClean;
    Push(item);
    while (held_ > capacity_) {
      const uint32_t oldest = items_[end_].before;
      Unlink(oldest);
      held_ -= items_[oldest].bytes;
      if (items_[oldest].state == kDirty) written_back(oldest);
      items_[oldest].state = kOut;
    }
    return hit;
  }

 private:
  enum State : uint8_t { kOut, kClean, kDirty };
  struct Item {
    uint32_t before = 0, after = 0;  // newest first
    uint32_t bytes = 0;
    State state = kOut;
  };

  void Unlink(uint32_t item) {
    const Item& out = items_[item];
    items_[out.before].after = out.after;
    items_[out.after].before = out.before;
  }
  void Push(uint32_t item) {
    Item& end = items_[end_];
    items_[item].before = end_;
    items_[item].after = end.after;
    items_[end.after].before = item;
    end.after = item;
  }

  uint64_t capacity_;
  uint64_t held_ = 0;
  std::vector<Item> items_;  // the last one, which is none, joins the ends
  uint32_t end_;             // its index
};

}  // namespace flagstone

#endif  // FLAGSTONE_APP_ORDER_LRU_STACK_H_
