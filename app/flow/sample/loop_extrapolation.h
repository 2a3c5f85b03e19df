// What a launch would have counted with the iterations of a loop that were left out: their
// instructions count what those beside the gap do.
#ifndef FLAGSTONE_APP_FLOW_SAMPLE_LOOP_EXTRAPOLATION_H_
#define FLAGSTONE_APP_FLOW_SAMPLE_LOOP_EXTRAPOLATION_H_

#include <array>
#include <cstdint>
#include <vector>

#include "gpu_model/stats/statistics.h"
#include "systemc/loop_progress.h"

namespace flagstone {

// Iterations of a warp beside a gap. The first ones count for nothing, where the loop begins and
// behind the gap; there are more behind it, since warps go on one after the other.
struct LoopWindow {
  uint32_t settle = 1, measured = 1;

  uint32_t Before() const { return settle + measured; }
  uint32_t Behind() const { return Before() + settle; }
  LoopWindow Doubled() const { return {2 * settle, 2 * measured}; }
};

// A gap has two windows. The first lasts from when warps have settled, in the mean, until one comes
// to the gap, the second from when all have gone on and settled until one leaves the loop: else
// some have more of the machine for themselves. What the halves of the windows count for an
// instruction is four samples. Their mean stands for the instructions between the windows, of all
// gaps together, and Student's t gives the interval. Half an iteration is added to it: windows are
// not known better. For the cycles, so is the part of the last gap's time by which warps are apart
// when they come to it: such warps end far apart too, and the last ones have the machine for
// themselves. What goes on between L2 and DRAM in the gap is known.
class LoopExtrapolation {
 public:
  // `instructions`: of a warp in an iteration.
  LoopExtrapolation(const LoopProgress& progress, const LoopWindow& window, double instructions);

  // `totals` are of the launch's first `cycles`: adds what the gaps before have left out. False:
  // one of them tells nothing, since warps were too far apart, or went on too shortly.
  [[nodiscard]] bool AddTo(LaunchStatistics* totals, LaunchStatistics* half_widths) const;

 private:
  using Samples = std::array<double, 4>;
  // By the fields that are sums, in the table's order; none where the gap tells nothing.
  struct Addition {
    uint64_t cycle = 0;
    std::vector<Samples> samples;  // between the windows, by each
    std::vector<double> counted;   // there, already
    double half_round = 0;         // half an iteration, as a share of what is between the windows
    double apart = 0;  // the part of its iterations by which others lag behind the first warp
    uint64_t reads = 0, writes = 0;
  };
  std::vector<Addition> gaps_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_SAMPLE_LOOP_EXTRAPOLATION_H_
