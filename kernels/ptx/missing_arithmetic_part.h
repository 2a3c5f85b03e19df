// What arithmetic and comparisons still lack, or may not have (PTX ISA, sections 9.7.1 to 9.7.7);
// empty where nothing is missing.
#ifndef FLAGSTONE_KERNELS_PTX_MISSING_ARITHMETIC_PART_H_
#define FLAGSTONE_KERNELS_PTX_MISSING_ARITHMETIC_PART_H_

#include <string_view>

#include "kernels/ptx/kernel.h"

namespace flagstone::ptx {

std::string_view MissingInFloat(Opcode opcode, Type type, const Modifiers& m);
std::string_view MissingInInteger(Opcode opcode, Type type, const Modifiers& m);
std::string_view MissingInComparison(Type type, const Modifiers& m);          // setp
std::string_view MissingInSet(Type type, Type compared, const Modifiers& m);  // set

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_KERNELS_PTX_MISSING_ARITHMETIC_PART_H_
