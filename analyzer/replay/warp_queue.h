// Warps of an SM that wait for its load/store unit, and which of them the warp schedulers take
// next.
#ifndef FLAGSTONE_ANALYZER_REPLAY_WARP_QUEUE_H_
#define FLAGSTONE_ANALYZER_REPLAY_WARP_QUEUE_H_

#include <array>
#include <bit>
#include <cstdint>
#include <numeric>

namespace flagstone::replay {

class WarpQueue {
 public:
  static constexpr uint32_t kMost = 64;  // warps of an SM

  // `oldest_first`: the one that went last and then the oldest; else the next one in turn.
  explicit WarpQueue(bool oldest_first) : oldest_first_(oldest_first) {
    std::iota(rank_of_.begin(), rank_of_.end(), 0);
    std::iota(place_of_.begin(), place_of_.end(), 0);
  }

  bool IsEmpty() const { return waiting_ == 0; }
  // The warp at this place is the youngest one from now on. It does not wait.
  void Begin(uint32_t place) {
    if (!oldest_first_) return;
    const uint32_t rank = rank_of_[place];
    const auto move = [&](uint64_t mask) {
      const uint64_t below = mask & ((uint64_t{1} << rank) - 1);
      return below | (mask >> 1 & ~((uint64_t{1} << rank) - 1));
    };
    waiting_ = move(waiting_);
    if (last_ == rank) {
      last_ = kMost - 1;
    } else if (last_ > rank) {
      --last_;
    }
    for (uint32_t r = rank; r + 1 < kMost; ++r) SetRank(place_of_[r + 1], r);
    SetRank(place, kMost - 1);
  }
  // By the warp's place on the SM.
  void Add(uint32_t place) { waiting_ |= uint64_t{1} << rank_of_[place]; }
  uint32_t Take() {
    if (!oldest_first_) {
      last_ = NextInTurn();
    } else if ((waiting_ >> last_ & 1) == 0) {
      last_ = static_cast<uint32_t>(std::countr_zero(waiting_));
    }
    waiting_ &= ~(uint64_t{1} << last_);
    return place_of_[last_];
  }

 private:
  void SetRank(uint32_t place, uint32_t rank) {
    rank_of_[place] = static_cast<uint8_t>(rank);
    place_of_[rank] = static_cast<uint8_t>(place);
  }
  uint32_t NextInTurn() const {
    const uint64_t behind = waiting_ & ~((uint64_t{2} << last_) - 1);
    return static_cast<uint32_t>(std::countr_zero(behind != 0 ? behind : waiting_));
  }

  bool oldest_first_;
  uint64_t waiting_ = 0;  // by rank: the lower the older; of those in turn, by place
  uint32_t last_ = 0;     // rank
  std::array<uint8_t, kMost> rank_of_ = {}, place_of_ = {};
};

}  // namespace flagstone::replay

#endif  // FLAGSTONE_ANALYZER_REPLAY_WARP_QUEUE_H_
