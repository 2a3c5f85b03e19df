// Names and sizes of types and state spaces.
#include "kernels/ptx/types.h"

#include <array>

namespace flagstone::ptx {
namespace {

struct TypeInfo {
  Type type;
  std::string_view name;
  int bytes;
};
// In the order of the enumeration.
constexpr std::array kTypes = {
    TypeInfo{Type::kNone, "none", 0},       TypeInfo{Type::kPred, "pred", 0},
    TypeInfo{Type::kB8, "b8", 1},           TypeInfo{Type::kB16, "b16", 2},
    TypeInfo{Type::kB32, "b32", 4},         TypeInfo{Type::kB64, "b64", 8},
    TypeInfo{Type::kU8, "u8", 1},           TypeInfo{Type::kU16, "u16", 2},
    TypeInfo{Type::kU32, "u32", 4},         TypeInfo{Type::kU64, "u64", 8},
    TypeInfo{Type::kS8, "s8", 1},           TypeInfo{Type::kS16, "s16", 2},
    TypeInfo{Type::kS32, "s32", 4},         TypeInfo{Type::kS64, "s64", 8},
    TypeInfo{Type::kF16, "f16", 2},         TypeInfo{Type::kF16x2, "f16x2", 4},
    TypeInfo{Type::kBf16, "bf16", 2},       TypeInfo{Type::kBf16x2, "bf16x2", 4},
    TypeInfo{Type::kTf32, "tf32", 4},       TypeInfo{Type::kE4m3x2, "e4m3x2", 2},
    TypeInfo{Type::kE5m2x2, "e5m2x2", 2},   TypeInfo{Type::kE2m1x2, "e2m1x2", 1},
    TypeInfo{Type::kE2m3x2, "e2m3x2", 2},   TypeInfo{Type::kE3m2x2, "e3m2x2", 2},
    TypeInfo{Type::kUe8m0x2, "ue8m0x2", 2}, TypeInfo{Type::kE4m3x4, "e4m3x4", 4},
    TypeInfo{Type::kE5m2x4, "e5m2x4", 4},   TypeInfo{Type::kE2m1x4, "e2m1x4", 2},
    TypeInfo{Type::kE2m3x4, "e2m3x4", 4},   TypeInfo{Type::kE3m2x4, "e3m2x4", 4},
    TypeInfo{Type::kF32x2, "f32x2", 8},     TypeInfo{Type::kF32, "f32", 4},
    TypeInfo{Type::kF64, "f64", 8},         TypeInfo{Type::kU2, "u2", 0},
    TypeInfo{Type::kS2, "s2", 0},           TypeInfo{Type::kU4, "u4", 0},
    TypeInfo{Type::kS4, "s4", 0},           TypeInfo{Type::kB1, "b1", 0},
    TypeInfo{Type::kE4m3, "e4m3", 1},       TypeInfo{Type::kE5m2, "e5m2", 1},
    TypeInfo{Type::kE3m2, "e3m2", 1},       TypeInfo{Type::kE2m3, "e2m3", 1},
    TypeInfo{Type::kE2m1, "e2m1", 1},       TypeInfo{Type::kE2m1Packed, "packed e2m1", 0},
    TypeInfo{Type::kU16x2, "u16x2", 4},     TypeInfo{Type::kS16x2, "s16x2", 4},
    TypeInfo{Type::kTexref, "texref", 0},   TypeInfo{Type::kSamplerref, "samplerref", 0},
    TypeInfo{Type::kSurfref, "surfref", 0},
};

constexpr bool TypesInOrder() {
  for (size_t i = 0; i < kTypes.size(); ++i) {
    if (kTypes[i].type != static_cast<Type>(i)) return false;
  }
  return true;
}
static_assert(TypesInOrder());

constexpr std::array<std::string_view, 8> kSpaces = {"generic", "reg",   "param", "global",
                                                     "shared",  "local", "const", "tex"};

}  // namespace

int SizeInBytes(Type type) { return kTypes[static_cast<size_t>(type)].bytes; }

bool IsOpaque(Type type) { return type >= Type::kTexref; }

bool IsElementOnly(Type type) { return type >= Type::kU2 && type <= Type::kS16x2; }

bool IsSigned(Type type) {
  return (type >= Type::kS8 && type <= Type::kS64) || type == Type::kS2 || type == Type::kS4;
}

bool IsFloat(Type type) { return type >= Type::kF16 && type <= Type::kF64; }

bool IsHalf(Type type) { return type >= Type::kF16 && type <= Type::kBf16x2; }

bool IsPacked(Type type) {
  return type == Type::kF16x2 || type == Type::kBf16x2 ||
         (type >= Type::kE4m3x2 && type <= Type::kUe8m0x2);
}

bool IsPackedByFour(Type type) { return type >= Type::kE4m3x4 && type <= Type::kE3m2x4; }

bool IsPackedInteger(Type type) { return type == Type::kU16x2 || type == Type::kS16x2; }

std::string_view ToString(Type type) { return kTypes[static_cast<size_t>(type)].name; }

std::string_view ToString(Space space) { return kSpaces[static_cast<size_t>(space)]; }

std::optional<Type> ParseType(std::string_view name) {
  for (size_t i = 1; i < kTypes.size(); ++i) {
    if (kTypes[i].name == name) return kTypes[i].type;
  }
  return std::nullopt;
}

std::optional<Space> ParseSpace(std::string_view name) {
  if (name == "shared::cta") return Space::kShared;
  if (name == "param::entry") return Space::kParam;
  for (size_t i = 1; i < kSpaces.size(); ++i) {  // "generic" is not a word of PTX
    if (kSpaces[i] == name) return static_cast<Space>(i);
  }
  return std::nullopt;
}

}  // namespace flagstone::ptx
