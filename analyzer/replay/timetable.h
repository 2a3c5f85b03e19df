// When a part of the machine that does one thing after the other has time. Times in core cycles.
#ifndef FLAGSTONE_ANALYZER_REPLAY_TIMETABLE_H_
#define FLAGSTONE_ANALYZER_REPLAY_TIMETABLE_H_

#include <algorithm>
#include <array>
#include <cstdint>

namespace flagstone::replay {

// Who comes is served in the order of the calls.
class Server {
 public:
  // When what comes at `now` and takes so long is through.
  double Serve(double now, double cycles) {
    free_ = std::max(free_, now) + cycles;
    return free_;
  }
  double free() const { return free_; }

 private:
  double free_ = 0;
};

// Who comes is served where there is time, whoever else was asked for before: calls may be for
// times in any order, as answers come from near and far. Holds some thousand cycles from the
// latest.
class Timetable {
 public:
  double Serve(double now, double cycles) {
    uint64_t slot = static_cast<uint64_t>(now) / kCycles;
    if (slot < first_) slot = first_;
    if (slot >= full_from_ && slot < full_until_) slot = full_until_;
    const uint64_t begin = slot;
    float left = static_cast<float>(cycles);
    for (;; ++slot) {
      if (slot >= first_ + kSlots) Forget(slot);
      float& used = used_[slot % kSlots];
      const float taken = std::min(left, kCycles - used);
      used += taken;
      left -= taken;
      if (left <= 0) break;
    }
    if (slot > begin) Filled(begin, slot);
    const double end = static_cast<double>(slot * kCycles) + used_[slot % kSlots];
    return std::max(now + cycles, end);
  }

 private:
  static constexpr uint32_t kCycles = 16;  // of a slot
  static constexpr uint64_t kSlots = 256;

  // All that is so much earlier.
  void Forget(uint64_t slot) {
    const uint64_t first = slot + 1 - kSlots;
    if (first - first_ >= kSlots) {
      used_.fill(0);
    } else {
      for (uint64_t s = first_; s < first; ++s) used_[s % kSlots] = 0;
    }
    first_ = first;
  }
  // Slots from `begin` up to `end` have no time left.
  void Filled(uint64_t begin, uint64_t end) {
    if (begin > full_until_ || end < full_from_) {
      full_from_ = begin;
      full_until_ = end;
    } else {
      full_from_ = std::min(full_from_, begin);
      full_until_ = std::max(full_until_, end);
    }
  }

  std::array<float, kSlots> used_ = {};  // cycles of each
  uint64_t first_ = 0;
  uint64_t full_from_ = 0, full_until_ = 0;
};

}  // namespace flagstone::replay

#endif  // FLAGSTONE_ANALYZER_REPLAY_TIMETABLE_H_
