// The 32 threads of one warp that run the instructions of a slice together: their registers and
// special registers, lane by lane.
#ifndef FLAGSTONE_ANALYZER_ADDRESS_SLICE_WARP_H_
#define FLAGSTONE_ANALYZER_ADDRESS_SLICE_WARP_H_

#include <cstdint>
#include <vector>

#include "analyzer/address/constant_bytes.h"
#include "analyzer/address/slice_program.h"
#include "kernels/launch/kernel_launch.h"

namespace flagstone {

class SliceWarp {
 public:
  // Null: nothing is computed by the executor, or read from .const memory.
  SliceWarp(const KernelLaunch& launch, simt::LaneFunctions* functions,
            const ConstantBytes* constants)
      : launch_(&launch), functions_(functions), constants_(constants) {}

  // Takes the values at a thread's start from a program that is decoded whole.
  void Load(const SliceProgram& program);
  // Becomes warp `warp` of the TB at these coordinates. Gives its lanes that have a thread, lane 0
  // in bit 0.
  uint32_t Become(const Dim3& tb, uint32_t warp);

  // Those of `lanes` for which the guard holds.
  uint32_t Guarded(const ptx::Instruction& instruction, uint32_t lanes) const;
  // Byte address of a step that is an access.
  uint64_t Address(const SliceStep& step, uint32_t lane) const {
    return Slot(step.sources[0])[lane] + static_cast<uint64_t>(step.offset);
  }
  // Runs a step that is no access in these lanes, whatever its guard. False where the result of
  // one of them is undefined.
  bool Run(const SliceStep& step, uint32_t lanes);

 private:
  const uint64_t* Slot(uint32_t slot) const { return &slots_[size_t{slot} * kSliceLanes]; }
  uint64_t* Slot(uint32_t slot) { return &slots_[size_t{slot} * kSliceLanes]; }
  bool RunSeldom(const SliceStep& step, uint32_t lane);
  bool RunLoad(const SliceStep& step, uint32_t lanes);
  void RunByExecutor(const SliceStep& step, uint32_t lanes);

  const KernelLaunch* launch_;
  simt::LaneFunctions* functions_;
  const ConstantBytes* constants_;
  uint32_t first_special_ = 0;
  std::vector<uint64_t> slots_;  // by slot, then lane
};

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_ADDRESS_SLICE_WARP_H_
