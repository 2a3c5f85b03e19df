// The address unit of an SM: what an executed memory instruction asks of the memory path.
#ifndef FLAGSTONE_GPU_MODEL_SM_ADDRESS_UNIT_H_
#define FLAGSTONE_GPU_MODEL_SM_ADDRESS_UNIT_H_

#include <cstdint>

#include "gpu_model/simt/executor.h"
#include "gpu_model/simt/program.h"
#include "gpu_model/sm/memory_instruction.h"

namespace flagstone {

// Local memory is interleaved so that the lanes of a warp that access the same offset share lines
// (assumption: by access size).
class AddressUnit {
 public:
  // `sm`: its number in the GPU.
  AddressUnit(const Program& program, uint32_t sm);

  // Fills in all of `*memory` but its warp, TB slot and pc. Returns the addresses of a global
  // access, else null; they hold until the next call, and until the executor's next step.
  const LaneAddresses* Take(const InstructionInfo& info, const StepResult& step,
                            MemoryInstruction* memory);

 private:
  const LaneAddresses& Place(const InstructionInfo& info, const StepResult& step, uint32_t warp);

  const uint32_t sm_;
  const uint64_t local_bytes_;  // of a thread
  LaneAddresses placed_ = {};
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_SM_ADDRESS_UNIT_H_
