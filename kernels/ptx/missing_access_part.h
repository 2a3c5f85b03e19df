// What accesses to memory, textures and surfaces still lack, or may not have (PTX ISA, sections
// 9.7.9 to 9.7.11 and 9.7.13); empty where nothing is missing.
#ifndef FLAGSTONE_KERNELS_PTX_MISSING_ACCESS_PART_H_
#define FLAGSTONE_KERNELS_PTX_MISSING_ACCESS_PART_H_

#include <string_view>

#include "kernels/ptx/kernel.h"

namespace flagstone::ptx {

std::string_view MissingInAccess(Opcode opcode, Type type, Space space, const Modifiers& m);
std::string_view MissingInAtomic(Type type, Space space, const Modifiers& m);  // atom, red
std::string_view MissingInSurface(const Instruction& i);                       // suld, sust
std::string_view MissingInTexture(const Instruction& instruction);             // tex

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_KERNELS_PTX_MISSING_ACCESS_PART_H_
