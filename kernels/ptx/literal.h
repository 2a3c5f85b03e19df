// Float literals and their conversion to the width that an instruction or variable asks for.
#ifndef FLAGSTONE_KERNELS_PTX_LITERAL_H_
#define FLAGSTONE_KERNELS_PTX_LITERAL_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "kernels/ptx/types.h"

namespace flagstone::ptx {

struct FloatLiteral {
  Type type = Type::kF64;  // kF32 ("0f3F800000") or kF64 ("0d...", "1.5")
  uint64_t bits = 0;       // IEEE
  bool decimal = false;    // the text does not fix its width
};

// Of a token of kind kFloat. Values out of range become infinite or zero, as in C.
FloatLiteral ParseFloat(std::string_view text);
// The same value as `to` (kF32 or kF64), rounded to nearest even.
uint64_t ConvertFloat(const FloatLiteral& literal, Type to);

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_KERNELS_PTX_LITERAL_H_
