// Special registers by name: %tid.x, %laneid, %clock64 (PTX ISA, chapter 10).
#ifndef FLAGSTONE_KERNELS_PTX_SPECIAL_REGISTER_H_
#define FLAGSTONE_KERNELS_PTX_SPECIAL_REGISTER_H_

#include <optional>
#include <string_view>

#include "kernels/ptx/kernel.h"

namespace flagstone::ptx {

// `component` is "x", "y", "z" or "w", or empty where the register has none.
std::optional<SpecialRegister> ParseSpecialRegister(std::string_view name,
                                                    std::string_view component);
// Whether the register is a vector: "%tid".
bool HasComponents(std::string_view name);
// As a move may read it: 32 bits, or 64 where the register has them, or 16 of a place or a shape.
bool CanBeReadAs(SpecialRegister special, int bytes);

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_KERNELS_PTX_SPECIAL_REGISTER_H_
