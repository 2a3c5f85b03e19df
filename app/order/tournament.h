// Who is next of many whose times change one by one: the earliest, and of equals the oldest.
// Internal to this folder.
#ifndef FLAGSTONE_APP_ORDER_TOURNAMENT_H_
#define FLAGSTONE_APP_ORDER_TOURNAMENT_H_

#include <bit>
#include <cstdint>
#include <vector>

namespace flagstone::order {

// A tree in which each node has the earlier one of two below it. Who has a new time meets those on
// its way up alone, without a branch that depends on times: a host could not guess it.
class Tournament {
 public:
  // Of players 0, 1, ...; none of them takes part at first.
  explicit Tournament(uint32_t players)
      : leaves_(std::bit_ceil(players + 1)), nodes_(2 * size_t{leaves_}, kNone) {}

  // `time` is not negative.
  void Set(uint32_t player, double time, uint32_t age) {
    Put(Key{std::bit_cast<uint64_t>(time)} << 64 | Key{age} << 32 | player, player);
  }
  void Remove(uint32_t player) { Put(kNone, player); }

  bool IsEmpty() const { return nodes_[1] == kNone; }
  // Of the one that is next.
  uint32_t player() const { return static_cast<uint32_t>(nodes_[1]); }
  uint32_t age() const { return static_cast<uint32_t>(nodes_[1] >> 32); }
  double time() const { return std::bit_cast<double>(static_cast<uint64_t>(nodes_[1] >> 64)); }

 private:
  // Time, age and player: bits of numbers that are not negative have the order of the numbers.
  __extension__ using Key = unsigned __int128;
  static constexpr Key kNone = ~Key{0};

  void Put(Key first, uint32_t player) {
    size_t at = size_t{leaves_} + player;
    nodes_[at] = first;
    for (; at > 1; at /= 2) {
      const Key rival = nodes_[at ^ 1];
      first = rival < first ? rival : first;
      nodes_[at / 2] = first;
    }
  }

  uint32_t leaves_;
  std::vector<Key> nodes_;  // the first one is none; 2 i and 2 i + 1 are below i
};

}  // namespace flagstone::order

#endif  // FLAGSTONE_APP_ORDER_TOURNAMENT_H_
