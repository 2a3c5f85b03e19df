// Which types of registers go with which types of operands (PTX ISA, section 9.2).
#ifndef FLAGSTONE_KERNELS_PTX_OPERAND_FIT_H_
#define FLAGSTONE_KERNELS_PTX_OPERAND_FIT_H_

#include "kernels/ptx/types.h"

namespace flagstone::ptx {

constexpr bool IsBits(Type type) { return type >= Type::kB8 && type <= Type::kB64; }

// Whether a register of type `reg` may hold a value of type `wanted`. Signs do not matter, untyped
// bits go with all, and with `wider` (cvt, ld, st) an integer register may be wider.
bool Fits(Type reg, Type wanted, bool wider);

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_KERNELS_PTX_OPERAND_FIT_H_
