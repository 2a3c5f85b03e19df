// What instructions of a warp or TB as a whole still lack, or may not have: barriers, lanes that
// exchange values, matrices (PTX ISA, sections 9.7.9, 9.7.13 and 9.7.14); empty where nothing is
// missing.
#ifndef FLAGSTONE_KERNELS_PTX_MISSING_WARP_PART_H_
#define FLAGSTONE_KERNELS_PTX_MISSING_WARP_PART_H_

#include <string_view>

#include "kernels/ptx/kernel.h"

namespace flagstone::ptx {

std::string_view MissingInBarrier(Type type, const Modifiers& m);                // bar
std::string_view MissingInLaneOp(Opcode opcode, Type type, const Modifiers& m);  // shfl, vote
std::string_view MissingInMatrix(Opcode opcode, const Instruction& i);           // mma

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_KERNELS_PTX_MISSING_WARP_PART_H_
