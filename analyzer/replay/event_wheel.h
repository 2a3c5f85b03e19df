// Who is next of many, by time: a wheel of buckets, a core cycle each. Of one cycle, who came first
// is first. Takes no memory once it is made.
#ifndef FLAGSTONE_ANALYZER_REPLAY_EVENT_WHEEL_H_
#define FLAGSTONE_ANALYZER_REPLAY_EVENT_WHEEL_H_

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace flagstone::replay {

class EventWheel {
 public:
  static constexpr uint32_t kNone = ~uint32_t{0};

  // Of players 0, 1, ..., each of which waits for one time at most.
  explicit EventWheel(uint32_t players) : next_(players, kNone), time_(players, 0) {
    first_.fill(kNone);
    last_.fill(kNone);
  }

  // Not before what Pop returned last.
  void Push(uint32_t player, double time) {
    time_[player] = time;
    Append(player, static_cast<uint64_t>(time) % kBuckets);
    ++waiting_;
  }
  bool IsEmpty() const { return waiting_ == 0; }
  double time(uint32_t player) const { return time_[player]; }

  // The next one, which waits no more.
  uint32_t Pop() {
    for (;;) {
      const uint64_t bucket = now_ % kBuckets;
      // Those of later turns of the wheel go to the end of their bucket.
      for (uint32_t left = first_[bucket]; left != kNone; left = first_[bucket]) {
        const bool is_last = left == last_[bucket];
        first_[bucket] = next_[left];
        if (is_last) first_[bucket] = last_[bucket] = kNone;
        if (static_cast<uint64_t>(time_[left]) <= now_) {
          --waiting_;
          return left;
        }
        later_.push_back(left);
      }
      for (const uint32_t player : later_) Append(player, bucket);
      later_.clear();
      Advance();
    }
  }

 private:
  static constexpr uint64_t kBuckets = 4096;

  void Append(uint32_t player, uint64_t bucket) {
    next_[player] = kNone;
    (last_[bucket] == kNone ? first_[bucket] : next_[last_[bucket]]) = player;
    last_[bucket] = player;
    used_[bucket / 64] |= uint64_t{1} << bucket % 64;
  }
  // To the next bucket that may have someone.
  void Advance() {
    const uint64_t bucket = now_ % kBuckets;
    if (first_[bucket] == kNone) used_[bucket / 64] &= ~(uint64_t{1} << bucket % 64);
    ++now_;
    for (;;) {
      const uint64_t at = now_ % kBuckets;
      const uint64_t here = used_[at / 64] >> at % 64;
      if (here != 0) {
        now_ += static_cast<uint64_t>(std::countr_zero(here));
        return;
      }
      now_ += 64 - at % 64;
    }
  }

  std::vector<uint32_t> next_;  // in the bucket
  std::vector<double> time_;
  std::array<uint32_t, kBuckets> first_, last_;
  std::array<uint64_t, kBuckets / 64> used_ = {};
  std::vector<uint32_t> later_;
  uint64_t now_ = 0;
  size_t waiting_ = 0;
};

}  // namespace flagstone::replay

#endif  // FLAGSTONE_ANALYZER_REPLAY_EVENT_WHEEL_H_
