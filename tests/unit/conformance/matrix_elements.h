// Elements of matrices as the host makes and reads them: small whole numbers, whose products and
// sums are exact in any order.
#ifndef FLAGSTONE_TESTS_UNIT_CONFORMANCE_MATRIX_ELEMENTS_H_
#define FLAGSTONE_TESTS_UNIT_CONFORMANCE_MATRIX_ELEMENTS_H_

#include <cstdint>

#include "base/random.h"
#include "kernels/ptx/types.h"

namespace flagstone::conformance {

// How a float below 32 bits is made: of the exponent's and the mantissa's bits.
struct Narrow {
  int exponent = 0, mantissa = 0;
  int Bias() const { return (1 << (exponent - 1)) - 1; }
};
Narrow NarrowOf(ptx::Type type);
// Of a whole number that the type holds.
uint64_t NarrowBits(Narrow of, double whole);
double NarrowValue(ptx::Type type, uint64_t bits);

// A matrix element of small size, which sums of products hold exactly, as bits of its type.
uint64_t Element(ptx::Type type, SplitMix64* random, double* value);
double ValueOf(ptx::Type type, uint64_t bits);

}  // namespace flagstone::conformance

#endif  // FLAGSTONE_TESTS_UNIT_CONFORMANCE_MATRIX_ELEMENTS_H_
