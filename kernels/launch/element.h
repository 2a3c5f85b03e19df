// Reading and writing single elements of a buffer by its element type.
#ifndef FLAGSTONE_KERNELS_LAUNCH_ELEMENT_H_
#define FLAGSTONE_KERNELS_LAUNCH_ELEMENT_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/error.h"
#include "kernels/launch/workload.h"

namespace flagstone {

// Calls visit(T{}) with T = the C++ type of `type`.
template <class Visit>
decltype(auto) VisitElementType(ElementType type, Visit&& visit) {
  switch (type) {
    case ElementType::kU8:
      return visit(uint8_t{});
    case ElementType::kS8:
      return visit(int8_t{});
    case ElementType::kU16:
      return visit(uint16_t{});
    case ElementType::kS16:
      return visit(int16_t{});
    case ElementType::kU32:
      return visit(uint32_t{});
    case ElementType::kS32:
      return visit(int32_t{});
    case ElementType::kU64:
      return visit(uint64_t{});
    case ElementType::kS64:
      return visit(int64_t{});
    case ElementType::kF32:
      return visit(float{});
    case ElementType::kF64:
      return visit(double{});
  }
  ThrowInternal("element type {} is unknown", static_cast<int>(type));
}

template <class T>
T LoadElement(const std::byte* bytes, uint64_t index) {
  T value;
  std::memcpy(&value, bytes + index * sizeof(T), sizeof(T));
  return value;
}

template <class T>
void StoreElement(std::byte* bytes, uint64_t index, T value) {
  std::memcpy(bytes + index * sizeof(T), &value, sizeof(T));
}

}  // namespace flagstone

#endif  // FLAGSTONE_KERNELS_LAUNCH_ELEMENT_H_
