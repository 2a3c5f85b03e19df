// What the L1s of all SMs hold, by atoms, while TBs of a launch go by. Internal to this folder.
#ifndef FLAGSTONE_APP_ORDER_L1_CACHES_H_
#define FLAGSTONE_APP_ORDER_L1_CACHES_H_

#include <algorithm>
#include <cstdint>
#include <vector>

namespace flagstone::order {

// LRU caches of some ways whose sets are drawn by chance: a line is still there if fewer lines than
// there are ways have come into its set since it was touched last. What comes in is known as a sum
// of bytes, so that the number in a set has a Poisson distribution, and of an atom's lines that
// share of probability is there.
//
// Whoever runs on an SM touches its data again and again while it is in one step. Between two of
// these turns all others there have their turn too: what they touch in one, each datum once, is
// what may come in between. It is counted in rounds, in which each of them does a step.
class L1Caches {
 public:
  // `runners`: that are on an SM at once.
  L1Caches(uint32_t sms, uint32_t runners, uint64_t bytes, uint32_t ways);

  void Clear();

  void BeginStep(uint32_t sm) {
    Sm& at = sms_[sm];
    if (++at.steps < runners_) return;
    at.misses_again = 1 - Survives(at.turn_bytes);
    at.of_round = at.touched - at.round_began;
    at.round_began = at.touched;
    at.turn_bytes = 0;
    at.steps = 0;
    ++at.round;
  }
  // How often the atom has to come in where it is touched so many `times` in a step, and of it the
  // `turn_share` in each turn.
  double Touch(uint32_t sm, uint32_t atom, double size, double times, double turn_share) {
    if (bytes_ == 0) return times;
    Sm& at = sms_[sm];
    Slot& slot = Find(sm, atom);
    // What others have touched since, each datum once: no more than there was in all, and no more
    // than a round touches and what has come in beside it.
    const double since = std::min(at.touched - slot.touched, at.of_round + at.come_in - slot.stamp);
    if (slot.round != at.round) {
      at.touched += size;
      at.turn_bytes += size * turn_share;
      slot.round = at.round;
    }
    const double misses =
        (slot.stamp < 0 ? 1 : 1 - Survives(since)) + (times - 1) * at.misses_again;
    at.come_in += size * misses;
    slot.stamp = at.come_in;
    slot.touched = at.touched;
    return misses;
  }
  // The same of an atom that only this step touches.
  double Pass(uint32_t sm, double size, double times, double turn_share) {
    if (bytes_ == 0) return times;
    Sm& at = sms_[sm];
    at.touched += size;
    at.turn_bytes += size * turn_share;
    const double misses = 1 + (times - 1) * at.misses_again;
    at.come_in += size * misses;
    return misses;
  }
  void Drop(uint32_t sm, uint32_t atom) {
    if (bytes_ == 0) return;
    Slot& slot = Probe(KeyOf(sm, atom));
    if (slot.epoch == epoch_) slot.stamp = kGone;
  }

 private:
  static constexpr double kGone = -1;
  static constexpr size_t kFirstSlots = size_t{1} << 12;
  static constexpr size_t kPerSize = 64, kSizes = 4;  // of the table: entries for each cache size
  struct Slot {
    uint64_t key = 0;
    double stamp = kGone;  // what had come in when it was touched last
    double touched = 0;    // what had been touched then
    uint32_t epoch = 0;    // others are empty
    uint32_t round = 0;    // in which it was touched last
  };
  struct Sm {
    double come_in = 0;       // bytes
    double touched = 0;       // bytes, each datum once in a round
    double of_round = 0;      // of these, those of the last whole round
    double round_began = 0;   // what was touched before this round
    double turn_bytes = 0;    // that are touched in a turn, as far as this round has come
    double misses_again = 0;  // the share of what is touched once more
    uint32_t steps = 0;       // of this round
    uint32_t round = 1;
  };

  double Survives(double come_in) const {
    const auto at = static_cast<size_t>(come_in * per_byte_);
    return at < survives_.size() ? survives_[at] : 0;
  }
  static uint64_t KeyOf(uint32_t sm, uint32_t atom) { return uint64_t{sm} << 32 | atom; }
  Slot& Find(uint32_t sm, uint32_t atom) {
    if (2 * used_ > slots_.size()) MakeRoom();
    const uint64_t key = KeyOf(sm, atom);
    Slot& slot = Probe(key);
    if (slot.epoch != epoch_) {
      slot = {key, kGone, 0, epoch_, 0};
      ++used_;
    }
    return slot;
  }
  // Atoms of a piece follow one another, so that neighbours share a line of the host's cache. Who
  // finds a place taken jumps over the neighbours; by an odd number, so that it comes to each
  // place.
  Slot& Probe(uint64_t key) {
    constexpr uint64_t kTogether = 8;
    const uint64_t mixed = (key / kTogether * 0x9e3779b97f4a7c15U) >> 40;
    size_t at = (mixed * kTogether + key % kTogether) & (slots_.size() - 1);
    while (slots_[at].epoch == epoch_ && slots_[at].key != key) {
      at = (at + kTogether + 1) & (slots_.size() - 1);
    }
    return slots_[at];
  }
  // Is as one that was never there, from now on.
  bool IsGone(const Slot& slot) const {
    const Sm& at = sms_[slot.key >> 32];
    const double since = std::min(at.touched - slot.touched, at.come_in - slot.stamp);
    return slot.round != at.round && (slot.stamp < 0 || Survives(since) == 0);
  }
  void MakeRoom();

  uint32_t runners_;
  uint64_t bytes_;
  double per_byte_ = 0;           // entries of the table
  std::vector<double> survives_;  // by what has come in
  std::vector<Sm> sms_;
  std::vector<Slot> slots_;
  size_t used_ = 0;
  uint32_t epoch_ = 1;
};

}  // namespace flagstone::order

#endif  // FLAGSTONE_APP_ORDER_L1_CACHES_H_
