// A loop of which only some iterations are simulated. A warp that has come to a gap waits until all
// warps of the machine have, or have ended; then the iterations of their gaps are executed without
// timing, and the warps go on behind them.
#ifndef FLAGSTONE_GPU_MODEL_SM_LOOP_SAMPLE_H_
#define FLAGSTONE_GPU_MODEL_SM_LOOP_SAMPLE_H_

#include <cstdint>
#include <vector>

namespace flagstone {

struct LoopSample {
  // Iterations [from, from + count), numbered from 0 each time that a warp comes to the loop.
  struct Gap {
    uint32_t from = 1, count = 0;
  };

  uint32_t branch = 0;     // pc of the one that leads back to the loop's header
  std::vector<bool> body;  // by pc
  std::vector<Gap> gaps;   // ascending, apart; none begins with iteration 0
};

// What was left out of a launch.
struct SkippedLoop {
  uint64_t simulated = 0, skipped = 0;  // iterations of warps
  // Sectors of the iterations skipped that the L2 had not, and that it would have written back.
  uint64_t reads = 0, writes = 0;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_SM_LOOP_SAMPLE_H_
