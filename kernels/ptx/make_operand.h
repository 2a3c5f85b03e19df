// Operands of instructions that no text has: what passes behind the parser put in.
#ifndef FLAGSTONE_KERNELS_PTX_MAKE_OPERAND_H_
#define FLAGSTONE_KERNELS_PTX_MAKE_OPERAND_H_

#include <cstdint>
#include <vector>

#include "kernels/ptx/kernel.h"

namespace flagstone::ptx {

Operand RegisterOperand(RegisterId reg);
Operand NumberOperand(uint64_t value);
Operand LabelOperand(uint32_t target);  // the index of an instruction
Operand VectorOperand(std::vector<Operand> elements);

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_KERNELS_PTX_MAKE_OPERAND_H_
