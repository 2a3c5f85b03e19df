// The types that a buffer's elements can have.
#ifndef FLAGSTONE_KERNELS_LAUNCH_ELEMENT_TYPE_H_
#define FLAGSTONE_KERNELS_LAUNCH_ELEMENT_TYPE_H_

#include <cstdint>
#include <optional>
#include <string_view>

namespace flagstone {

enum class ElementType : uint8_t { kU8, kS8, kU16, kS16, kU32, kS32, kU64, kS64, kF32, kF64 };
uint64_t SizeInBytes(ElementType type);
std::string_view ToString(ElementType type);
std::optional<ElementType> ParseElementType(std::string_view name);  // "f32" -> kF32

}  // namespace flagstone

#endif  // FLAGSTONE_KERNELS_LAUNCH_ELEMENT_TYPE_H_
