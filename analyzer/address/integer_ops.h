// Integer and predicate instructions on known operand bits, as the PTX ISA defines them.
#ifndef FLAGSTONE_ANALYZER_ADDRESS_INTEGER_OPS_H_
#define FLAGSTONE_ANALYZER_ADDRESS_INTEGER_OPS_H_

#include <cstdint>
#include <optional>
#include <span>

#include "kernels/ptx/kernel.h"

namespace flagstone {

uint64_t Truncate(uint64_t bits, int bits_wide);
int64_t SignExtend(uint64_t bits, int bits_wide);
int BitWidth(ptx::Type type);  // 1 for predicates
// Whether arithmetic of this kind is that of one integer modulo its width: on no float and no pair,
// without `.sat` and `.relu`.
bool IsModular(const ptx::Instruction& instruction);

// The first destination's bits; predicates are 0 or 1; bits above the register's width mean
// nothing. `sources` are the operands behind the destinations, in order. Empty for instructions on
// floating-point values, memory or the machine's state, and for a division by zero, whose result
// the ISA leaves open.
std::optional<uint64_t> EvaluateInteger(const ptx::Instruction& instruction,
                                        std::span<const uint64_t> sources);

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_ADDRESS_INTEGER_OPS_H_
