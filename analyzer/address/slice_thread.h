// One thread that runs the instructions of a slice: its registers and special registers.
#ifndef FLAGSTONE_ANALYZER_ADDRESS_SLICE_THREAD_H_
#define FLAGSTONE_ANALYZER_ADDRESS_SLICE_THREAD_H_

#include <cstdint>
#include <vector>

#include "analyzer/address/slice_program.h"
#include "launch/kernel_launch.h"

namespace flagstone {

class SliceThread {
 public:
  explicit SliceThread(const KernelLaunch& launch) : launch_(&launch) {}

  // Takes the values at a thread's start from a program that is decoded whole.
  void Load(const SliceProgram& program);
  // Becomes thread `thread` (linear in its TB) of the TB at these coordinates.
  void Become(const Dim3& tb, uint32_t thread);

  bool GuardHolds(const ptx::Instruction& instruction) const {
    return !instruction.guard ||
           ((slots_[*instruction.guard] & 1) != 0) != instruction.guard_negated;
  }
  // Byte address of a step that is an access.
  uint64_t Address(const SliceStep& step) const {
    return slots_[step.sources[0]] + static_cast<uint64_t>(step.offset);
  }
  // Runs a step that is no access, whatever its guard. False where its result is undefined.
  bool Run(const SliceStep& step);

 private:
  const KernelLaunch* launch_;
  uint32_t first_special_ = 0;
  std::vector<uint64_t> slots_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_ADDRESS_SLICE_THREAD_H_
