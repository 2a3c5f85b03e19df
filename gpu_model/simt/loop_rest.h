// Executes what is left of a loop without timing, iteration by iteration.
#ifndef FLAGSTONE_GPU_MODEL_SIMT_LOOP_REST_H_
#define FLAGSTONE_GPU_MODEL_SIMT_LOOP_REST_H_

#include <cstdint>
#include <vector>

#include "gpu_model/simt/executor.h"

namespace flagstone {

// Instructions whose values nobody needs (KernelLaunch::needed_values) cost nothing here.
class LoopRest {
 public:
  // `branch`: pc of the one that leads back; `body`: by pc. Both arguments by reference must
  // outlive it. Stores and atomics take effect at once.
  LoopRest(const Program& program, DeviceMemory* memory, uint32_t branch,
           const std::vector<bool>& body);

  // One more iteration of each warp of the TB that is still in the loop; the observer may be null.
  // False: none was. Throws kRunFailed where warps wait for others that have left the loop, end
  // within it, or do not come to an end of the iteration; and as Step does.
  bool Iterate(ThreadBlock* block, StepObserver observer, void* context);

  uint64_t iterations() const { return iterations_; }  // of warps, so far

 private:
  bool InLoop(const ThreadBlock& block, uint32_t warp) const {
    return !block.exited(warp) && body_[block.pc(warp)];
  }
  // To the branch, out of the loop, or to a barrier; whether the iteration is done.
  bool Run(ThreadBlock* block, uint32_t warp, StepObserver observer, void* context);

  const Program& program_;
  const uint32_t branch_;
  const std::vector<bool>& body_;
  Executor executor_;
  std::vector<uint32_t> next_;  // by pc: the first instruction from there on that does something
  uint64_t iterations_ = 0;
  std::vector<uint32_t> running_;  // warps in their iteration
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_SIMT_LOOP_REST_H_
