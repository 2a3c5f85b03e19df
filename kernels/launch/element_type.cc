// The element types of buffers: one table of names and sizes.
#include "kernels/launch/element_type.h"

#include <algorithm>
#include <array>

namespace flagstone {
namespace {

struct Entry {
  ElementType type;
  std::string_view name;
  uint64_t bytes;
};

constexpr std::array<Entry, 10> kTypes = {{{ElementType::kU8, "u8", 1},
                                           {ElementType::kS8, "s8", 1},
                                           {ElementType::kU16, "u16", 2},
                                           {ElementType::kS16, "s16", 2},
                                           {ElementType::kU32, "u32", 4},
                                           {ElementType::kS32, "s32", 4},
                                           {ElementType::kU64, "u64", 8},
                                           {ElementType::kS64, "s64", 8},
                                           {ElementType::kF32, "f32", 4},
                                           {ElementType::kF64, "f64", 8}}};

const Entry& EntryOf(ElementType type) { return kTypes[static_cast<size_t>(type)]; }

}  // namespace

uint64_t SizeInBytes(ElementType type) { return EntryOf(type).bytes; }

std::string_view ToString(ElementType type) { return EntryOf(type).name; }

std::optional<ElementType> ParseElementType(std::string_view name) {
  const auto found = std::find_if(kTypes.begin(), kTypes.end(),
                                  [&](const Entry& entry) { return entry.name == name; });
  if (found == kTypes.end()) return std::nullopt;
  return found->type;
}

}  // namespace flagstone
