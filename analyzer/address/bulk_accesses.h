// What cp.async.bulk and its relatives read and write of global memory (PTX ISA, section
// 9.7.9.25): many bytes for one thread that executes them.
#ifndef FLAGSTONE_ANALYZER_ADDRESS_BULK_ACCESSES_H_
#define FLAGSTONE_ANALYZER_ADDRESS_BULK_ACCESSES_H_

#include <string>

#include "analyzer/address/address_form.h"
#include "analyzer/address/ssa.h"
#include "analyzer/address/value_analysis.h"
#include "kernels/ptx/kernel.h"

namespace flagstone {

bool IsBulkCopy(const ptx::Instruction& instruction);    // with its size as an operand
bool IsTensorCopy(const ptx::Instruction& instruction);  // of a box of a tensor map

// The operand that is an address in global memory, perhaps a generic one; null where none is: of
// tensor copies, whose map knows it.
const ptx::Operand* GlobalAddress(const ptx::Instruction& instruction);

// Sets `bytes` of a bulk copy. Why its size is not known; empty where it is.
std::string FindCopySize(uint32_t pc, const ptx::Instruction& instruction, ValueAnalysis& values,
                         AddressForm* access);

// Sets array, form, bytes and rows of a tensor copy whose box lies inside the tensor in all threads
// and iterations. Why it cannot; empty where it can. `access` has its guards.
std::string FindTensorBox(uint32_t pc, const KernelLaunch& launch, const DeviceMemory& memory,
                          const Ssa& ssa, ValueAnalysis& values, AddressForm* access);

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_ADDRESS_BULK_ACCESSES_H_
