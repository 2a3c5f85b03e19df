// Which pipe executes an instruction, and the type of its result.
#ifndef FLAGSTONE_GPU_MODEL_SIMT_INSTRUCTION_CLASS_H_
#define FLAGSTONE_GPU_MODEL_SIMT_INSTRUCTION_CLASS_H_

#include "gpu_model/simt/program.h"
#include "kernels/ptx/kernel.h"
#include "kernels/ptx/wgmma_form.h"

namespace flagstone::simt {

Pipe PipeOf(const ptx::Instruction& instruction);
// Of an mma, in sixteenths of the work of an m16n8k16 of f16.
uint16_t TensorWorkOf(const ptx::Instruction& instruction);
// The same of a wgmma's 16 rows in one warp.
uint16_t TensorWorkOf(const ptx::WgmmaForm& form);
// The instruction's type, or the one of twice its width with .wide.
ptx::Type DestinationType(const ptx::Instruction& instruction);

}  // namespace flagstone::simt

#endif  // FLAGSTONE_GPU_MODEL_SIMT_INSTRUCTION_CLASS_H_
