// Results on their way down the pipes: events at cycles up to a fixed number ahead, without a heap.
#ifndef FLAGSTONE_GPU_MODEL_SM_WAKEUP_WHEEL_H_
#define FLAGSTONE_GPU_MODEL_SM_WAKEUP_WHEEL_H_

#include <bit>
#include <cstdint>
#include <vector>

#include "base/clocked.h"

namespace flagstone {

// One bucket per cycle of the horizon; a bit per bucket finds the next event. Events of one cycle
// come out in the order in which they were added.
template <class Event>
class WakeupWheel {
 public:
  // Events lie at most `horizon` cycles ahead, and at most `events` are held at once.
  WakeupWheel(uint32_t horizon, uint32_t events)
      : buckets_(std::bit_ceil(horizon < 63 ? 64U : horizon + 1)),
        occupied_(buckets_.size() / 64, 0),
        nodes_(events) {
    for (uint32_t i = 0; i < events; ++i) nodes_[i].next = i + 1 < events ? i + 1 : kNone;
    free_ = events == 0 ? kNone : 0;
  }

  bool full() const { return free_ == kNone; }
  bool empty() const { return size_ == 0; }

  // now < cycle <= now + horizon.
  void Add(uint64_t cycle, const Event& event) {
    const auto index = static_cast<uint32_t>(cycle & (buckets_.size() - 1));
    const uint32_t node = free_;
    free_ = nodes_[node].next;
    nodes_[node] = {event, kNone};
    Bucket& bucket = buckets_[index];
    if (bucket.first == kNone) {
      bucket.first = node;
      occupied_[index / 64] |= uint64_t{1} << (index % 64);
    } else {
      nodes_[bucket.last].next = node;
    }
    bucket.last = node;
    ++size_;
  }

  // Fetches the events of a cycle, or rather their place, into the host's caches.
  void PreloadTake(uint64_t now) const {
    __builtin_prefetch(&buckets_[now & (buckets_.size() - 1)]);
  }
  template <class Visit>
  void Take(uint64_t now, Visit&& visit) {
    const auto index = static_cast<uint32_t>(now & (buckets_.size() - 1));
    uint32_t node = buckets_[index].first;
    if (node == kNone) return;
    buckets_[index] = Bucket{};
    occupied_[index / 64] &= ~(uint64_t{1} << (index % 64));
    while (node != kNone) {
      const uint32_t next = nodes_[node].next;
      const Event event = nodes_[node].event;
      nodes_[node].next = free_;
      free_ = node;
      --size_;
      visit(event);
      node = next;
    }
  }

  // Of the first event after `now`; kNever when there is none.
  uint64_t NextCycle(uint64_t now) const {
    if (size_ == 0) return kNever;
    const auto start = static_cast<uint32_t>((now + 1) & (buckets_.size() - 1));
    const auto words = static_cast<uint32_t>(occupied_.size());
    uint64_t word = occupied_[start / 64] & (~uint64_t{0} << (start % 64));
    for (uint32_t i = 0; i <= words; ++i) {
      if (word != 0) {
        const uint32_t index =
            (start / 64 + i) % words * 64 + static_cast<uint32_t>(std::countr_zero(word));
        return now + 1 + ((index - start) & (buckets_.size() - 1));
      }
      word = occupied_[(start / 64 + i + 1) % words];
    }
    return kNever;
  }

 private:
  static constexpr uint32_t kNone = ~uint32_t{0};
  struct Bucket {
    uint32_t first = kNone;
    uint32_t last = kNone;
  };
  struct Node {
    Event event;
    uint32_t next = kNone;
  };
  std::vector<Bucket> buckets_;
  std::vector<uint64_t> occupied_;
  std::vector<Node> nodes_;
  uint32_t free_ = kNone;
  uint32_t size_ = 0;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_SM_WAKEUP_WHEEL_H_
