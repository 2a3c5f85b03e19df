// What a launch moves and how long it takes, as it was replayed.
#ifndef FLAGSTONE_ANALYZER_REPLAY_REPLAYED_H_
#define FLAGSTONE_ANALYZER_REPLAY_REPLAYED_H_

#include <array>
#include <cstdint>
#include <string_view>

namespace flagstone {

struct Replayed {
  double cycles = 0;                   // of the core
  double l2_reads = 0, l2_writes = 0;  // bytes between L1s and L2
  double dram_reads = 0, dram_writes = 0;
  double remote = 0;  // between nodes
  // Cycles that a part of the machine is busy, in the mean of its like.
  enum Part : uint8_t { kIssue, kL1, kL2, kDram, kRemote, kParts };
  std::array<double, kParts> busy = {};

  double L2() const { return l2_reads + l2_writes; }
  double Dram() const { return dram_reads + dram_writes; }
  // The part that is busy the longest; "latency" where none is for half of the time.
  std::string_view Limit() const;
  Replayed& operator+=(const Replayed& other);
  Replayed& operator*=(double times);
};

inline constexpr std::array<std::string_view, Replayed::kParts> kPartNames = {"issue", "l1", "l2",
                                                                              "dram", "remote"};

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_REPLAY_REPLAYED_H_
