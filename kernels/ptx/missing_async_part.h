// What asynchronous copies, their barriers and the policies of their hints still lack, or may not
// have (PTX ISA, sections 9.7.9.18, 9.7.9.25 and 9.7.13.15); empty where nothing is missing.
#ifndef FLAGSTONE_KERNELS_PTX_MISSING_ASYNC_PART_H_
#define FLAGSTONE_KERNELS_PTX_MISSING_ASYNC_PART_H_

#include <string_view>

#include "kernels/ptx/kernel.h"

namespace flagstone::ptx {

std::string_view MissingInAsync(const Instruction& instruction);  // cp.async, cp.reduce
std::string_view MissingInTensormap(const Instruction& instruction);
std::string_view MissingInPolicy(const Instruction& instruction);    // createpolicy
std::string_view MissingInMbarrier(const Instruction& instruction);  // mbarrier

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_KERNELS_PTX_MISSING_ASYNC_PART_H_
