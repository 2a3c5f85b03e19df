// What conversions between types still lack, or may not have (PTX ISA, section 9.7.9); empty where
// nothing is missing.
#ifndef FLAGSTONE_KERNELS_PTX_MISSING_CONVERSION_PART_H_
#define FLAGSTONE_KERNELS_PTX_MISSING_CONVERSION_PART_H_

#include <string_view>

#include "kernels/ptx/kernel.h"

namespace flagstone::ptx {

std::string_view MissingInConversion(Type to, Type from, const Modifiers& m);  // cvt
std::string_view MissingInPack(const Instruction& i);                          // cvt.pack

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_KERNELS_PTX_MISSING_CONVERSION_PART_H_
