// What copies in bulk that reduce leave of an element, by the host.
#ifndef FLAGSTONE_TESTS_UNIT_CONFORMANCE_REDUCTION_ORACLE_H_
#define FLAGSTONE_TESTS_UNIT_CONFORMANCE_REDUCTION_ORACLE_H_

#include <cstdint>

#include "kernels/ptx/opcode.h"
#include "kernels/ptx/types.h"

namespace flagstone::conformance {

// The bits of the numbers that are multiples of 1/4 and below 64, which all types hold.
uint64_t BitsOf(ptx::Type type, double value);
// Of elements as bits; of floats these numbers and their sums.
uint64_t Reduced(ptx::AtomicOp op, ptx::Type type, uint64_t old, uint64_t operand);

}  // namespace flagstone::conformance

#endif  // FLAGSTONE_TESTS_UNIT_CONFORMANCE_REDUCTION_ORACLE_H_
