// A loop of which only some iterations are simulated. A warp that has come to the gap waits until
// all warps of the machine have, or have ended; then the iterations of the gap are executed without
// timing, and the warps go on behind it.
#ifndef FLAGSTONE_GPU_MODEL_SM_LOOP_SAMPLE_H_
#define FLAGSTONE_GPU_MODEL_SM_LOOP_SAMPLE_H_

#include <cstdint>
#include <vector>

namespace flagstone {

struct LoopSample {
  uint32_t branch = 0;     // pc of the one that leads back to the loop's header
  std::vector<bool> body;  // by pc
  // The gap: iterations [from, from + count), numbered from 0 each time that a warp comes to the
  // loop.
  uint32_t from = 1, count = 0;
};

// What warps have done so far, all together.
struct LoopCounts {
  uint64_t iterations = 0;  // ways back to the header
  uint64_t arrived = 0;     // times that a warp came to the gap, or left the loop
  uint64_t released = 0;    // times that one went on behind the gap

  LoopCounts& operator+=(const LoopCounts& other) {
    iterations += other.iterations;
    arrived += other.arrived;
    released += other.released;
    return *this;
  }
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_SM_LOOP_SAMPLE_H_
