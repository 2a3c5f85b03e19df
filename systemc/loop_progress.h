// What was simulated and what was left out of a launch under a LoopSample.
#ifndef FLAGSTONE_SYSTEMC_LOOP_PROGRESS_H_
#define FLAGSTONE_SYSTEMC_LOOP_PROGRESS_H_

#include <cstdint>
#include <vector>

#include "gpu_model/sm/loop_sample.h"
#include "gpu_model/stats/statistics.h"

namespace flagstone {

struct LoopProgress {
  // The totals at some time: twice, about, while all live warps go round once.
  struct Mark {
    LoopCounts counts;
    LaunchStatistics totals;
  };
  // All warps of the machine wait, and leave iterations out.
  struct Gap {
    uint64_t cycle = 0;
    LoopCounts counts;
    uint64_t first_waits = 0;  // iterations when the first warp began to wait
    uint64_t warps = 0;
    uint64_t skipped = 0;  // iterations of all of them
    // Sectors of these that the L2 had not, and that it would have written back.
    uint64_t reads = 0, writes = 0;
  };

  uint64_t simulated = 0;  // iterations
  std::vector<Mark> marks;
  std::vector<Gap> gaps;

  uint64_t Skipped() const {
    uint64_t skipped = 0;
    for (const Gap& gap : gaps) skipped += gap.skipped;
    return skipped;
  }
};

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_LOOP_PROGRESS_H_
