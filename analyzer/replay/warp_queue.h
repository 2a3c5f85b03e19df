// Warps of an SM that wait for its load/store unit, and which of them the warp schedulers take
// next.
#ifndef FLAGSTONE_ANALYZER_REPLAY_WARP_QUEUE_H_
#define FLAGSTONE_ANALYZER_REPLAY_WARP_QUEUE_H_

#include <array>
#include <bit>
#include <cstdint>

namespace flagstone::replay {

class WarpQueue {
 public:
  static constexpr uint32_t kMost = 64;  // warps of an SM

  // `oldest_first`: the one that went last and then the oldest; else the next one in turn.
  explicit WarpQueue(bool oldest_first) : oldest_first_(oldest_first) {}

  bool IsEmpty() const { return waiting_ == 0; }
  // By the warp's place on the SM; the lowest age is the oldest.
  void Add(uint32_t place, uint32_t age) {
    waiting_ |= uint64_t{1} << place;
    ages_[place] = age;
  }
  uint32_t Take() {
    last_ = oldest_first_ ? Oldest() : NextInTurn();
    waiting_ &= ~(uint64_t{1} << last_);
    return last_;
  }

 private:
  uint32_t Oldest() const {
    if ((waiting_ >> last_ & 1) != 0) return last_;
    auto oldest = static_cast<uint32_t>(std::countr_zero(waiting_));
    for (uint64_t left = waiting_; left != 0; left &= left - 1) {
      const auto place = static_cast<uint32_t>(std::countr_zero(left));
      if (ages_[place] < ages_[oldest]) oldest = place;
    }
    return oldest;
  }
  uint32_t NextInTurn() const {
    const uint64_t behind = waiting_ & ~((uint64_t{2} << last_) - 1);
    return static_cast<uint32_t>(std::countr_zero(behind != 0 ? behind : waiting_));
  }

  bool oldest_first_;
  uint64_t waiting_ = 0;
  uint32_t last_ = 0;
  std::array<uint32_t, kMost> ages_ = {};
};

}  // namespace flagstone::replay

#endif  // FLAGSTONE_ANALYZER_REPLAY_WARP_QUEUE_H_
