// Single instructions of a kernel on values of one's own, by the handlers that execute it: so that
// what an analysis computes is what a run computes, to the last bit.
#ifndef FLAGSTONE_GPU_MODEL_SIMT_LANE_FUNCTIONS_H_
#define FLAGSTONE_GPU_MODEL_SIMT_LANE_FUNCTIONS_H_

#include <array>
#include <cstdint>
#include <memory>

#include "gpu_model/simt/executor.h"
#include "kernels/launch/kernel_launch.h"

namespace flagstone::simt {

class LaneFunctions {
 public:
  static constexpr size_t kMostSources = 4;
  // Of 32 lanes: a register's bits, or 0 and 1 for a predicate.
  using Lanes = uint64_t[kWarpSize];
  using Sources = std::array<const uint64_t*, kMostSources>;

  // The launch's kernel must outlive it. Throws kBadInput where the executor does not support the
  // kernel.
  explicit LaneFunctions(const KernelLaunch& launch);
  ~LaneFunctions();

  // Whether the instruction computes one register from registers and numbers, and from nothing
  // else. What follows is for these only.
  bool Computes(uint32_t pc);
  // `sources`: of each operand behind the destination that is a register; the others are not read.
  // Lanes without a bit in the mask keep what `result` has.
  void Run(uint32_t pc, const Sources& sources, uint32_t lanes, uint64_t* result);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace flagstone::simt

#endif  // FLAGSTONE_GPU_MODEL_SIMT_LANE_FUNCTIONS_H_
