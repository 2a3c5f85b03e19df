// Arithmetic on integers that the language lacks.
#ifndef FLAGSTONE_BASE_ARITHMETIC_H_
#define FLAGSTONE_BASE_ARITHMETIC_H_

#include <cstdint>

namespace flagstone {

// a / b rounded down; b is not 0.
inline int64_t FloorDivide(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

}  // namespace flagstone

#endif  // FLAGSTONE_BASE_ARITHMETIC_H_
