// Where the executor keeps a kernel's registers: those that are never needed at the same time share
// a row of 32 lanes.
#ifndef FLAGSTONE_GPU_MODEL_SIMT_REGISTER_ROWS_H_
#define FLAGSTONE_GPU_MODEL_SIMT_REGISTER_ROWS_H_

#include <cstdint>
#include <vector>

#include "kernels/ptx/control_flow.h"
#include "kernels/ptx/kernel.h"

namespace flagstone::simt {

// PTX names a new register for each value, some hundreds in a kernel, of which few are needed at
// once. What all warps of all SMs hold decides how much of it the host finds in its caches.
struct RegisterRows {
  std::vector<uint32_t> row;  // by RegisterId; no meaning for predicates and for unused registers
  uint32_t narrow = 0;        // rows of 32-bit lanes
  uint32_t wide = 0;          // rows of 64-bit lanes, numbered from 0 as well
};

// Linear scan (Poletto and Sarkar, TOPLAS 1999): a register has its row from the first to the last
// instruction, in the order of the text, at which a thread may still need its value. A thread at
// another instruction needs it no more, so that lanes on different sides of a branch may share rows
// too. The registers of one instruction have a row each. So has, for the whole kernel, what is
// written after the instruction's step: the old value of an atomic, the result of a barrier.
RegisterRows ShareRows(const ptx::Kernel& kernel, const ptx::ControlFlow& flow);

}  // namespace flagstone::simt

#endif  // FLAGSTONE_GPU_MODEL_SIMT_REGISTER_ROWS_H_
