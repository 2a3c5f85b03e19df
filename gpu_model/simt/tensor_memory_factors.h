// The factors and sums of a tcgen05.mma as numbers (PTX ISA, section 9.7.16.10): out of shared and
// tensor memory, 16 rows of A and D at a time.
#ifndef FLAGSTONE_GPU_MODEL_SIMT_TENSOR_MEMORY_FACTORS_H_
#define FLAGSTONE_GPU_MODEL_SIMT_TENSOR_MEMORY_FACTORS_H_

#include <cstdint>

#include "gpu_model/simt/instruction_descriptor.h"
#include "gpu_model/simt/tensor_memory_access.h"

namespace flagstone::simt {

struct TensorProduct {
  InstructionDescriptor of;
  bool a_in_memory = false;  // in tensor memory
  TensorMemoryAddress a, d;
  MatrixUnits a_units, b_units;
  bool keeps = false;
  int scale = 0;
  // By lane of tensor memory: whether D stays there.
  std::array<uint32_t, 4> disabled = {};

  // The lane of a row of D, and of A in tensor memory: 64 rows take 16 of each warp's lanes.
  uint32_t LaneOf(uint32_t row) const {
    return of.m == 64 ? d.lane + row / 16 * 32 + row % 16 : row;
  }
  bool Stays(uint32_t lane) const { return (disabled[lane / 32] >> (lane % 32) & 1) != 0; }
};

void MultiplyFloatProduct(const TensorMemoryAccess& access, const TensorProduct& product);
void MultiplyWholeProduct(const TensorMemoryAccess& access, const TensorProduct& product);

}  // namespace flagstone::simt

#endif  // FLAGSTONE_GPU_MODEL_SIMT_TENSOR_MEMORY_FACTORS_H_
