#include "kernels/ptx/missing_access_part.h"

#include "kernels/ptx/instruction_table.h"

namespace flagstone::ptx {
namespace {

using enum Type;

constexpr uint64_t kScalarFloats = SetOf(kF32, kF64);

// Each element by itself, in global memory (PTX ISA, sections 9.7.13.5 and 9.7.13.7).
std::string_view MissingInVectorAtomic(Type type, Space space, const Modifiers& m) {
  if (space != Space::kGlobal && space != Space::kGeneric) return "'.global' with a vector";
  if (type == kF32) {
    if (m.vector == 8) return "'.v2' or '.v4' with f32";
    return m.atomic_op == AtomicOp::kAdd ? "" : "'.add' on vectors of f32";
  }
  if (!IsHalf(type)) return "f32 or halves in a vector";
  if (m.vector == 8 && IsPacked(type)) return "'.v2' or '.v4' with packed halves";
  const bool known = m.atomic_op == AtomicOp::kAdd || m.atomic_op == AtomicOp::kMin ||
                     m.atomic_op == AtomicOp::kMax;
  return known ? "" : "'.add', '.min' or '.max' on vectors of halves";
}

// Of 32 bytes there are four elements of 64 bits or eight of 32, in global memory alone.
std::string_view MissingInVector(Type type, Space space, const Modifiers& m) {
  if (m.vector == 8 && SizeInBytes(type) != 4) return "a type of 32 bits with '.v8'";
  if (m.vector * SizeInBytes(type) <= 16) return "";
  return space == Space::kGlobal ? "" : "a vector of at most 16 bytes outside of '.global'";
}

}  // namespace

std::string_view MissingInAtomic(Type type, Space space, const Modifiers& m) {
  if (m.vector > 1) return MissingInVectorAtomic(type, space, m);
  const uint64_t bit = Bit(type);
  switch (m.atomic_op) {
    case AtomicOp::kNone:
      return "an operation such as '.add'";
    case AtomicOp::kAdd:
      return bit & (SetOf(kU32, kU64, kS32, kF16, kF16x2, kBf16, kBf16x2) | kScalarFloats)
                 ? ""
                 : "u32, s32, u64, a float or halves to add";
    case AtomicOp::kMin:
    case AtomicOp::kMax:
      return bit & SetOf(kU32, kU64, kS32, kS64) ? "" : "u32, s32, u64 or s64 to compare";
    case AtomicOp::kInc:
    case AtomicOp::kDec:
      return type == kU32 ? "" : "u32 to count";
    case AtomicOp::kPopc:
      return "an operation such as '.add'";
    case AtomicOp::kCas:
      return bit & SetOf(kB16, kB32, kB64) ? "" : "b16, b32 or b64";
    default:
      return bit & SetOf(kB32, kB64) ? "" : "b32 or b64";
  }
}

std::string_view MissingInAccess(Opcode opcode, Type type, Space space, const Modifiers& m) {
  const std::string_view vector = MissingInVector(type, space, m);
  if (!vector.empty()) return vector;
  if (m.non_coherent && space != Space::kGlobal) return "'.global' with '.nc'";
  if (opcode == Opcode::kSt && space == Space::kConst) {
    return "a state space that a kernel can write, such as '.global'";
  }
  const bool ordered = m.order > MemoryOrder::kWeak;
  if (ordered != (m.scope != MemoryScope::kNone)) {
    return "a scope such as '.gpu' together with an order such as '.relaxed'";
  }
  const int kinds = (m.order != MemoryOrder::kNone ? 1 : 0) + (m.volatile_access ? 1 : 0);
  const bool cached = m.cache_op != CacheOp::kNone;
  if (kinds > 1 || (cached && (ordered || m.volatile_access))) {
    return "only one of '.volatile', a memory order and a cache operator";
  }
  const bool wrong_order =
      m.order == (opcode == Opcode::kLd ? MemoryOrder::kRelease : MemoryOrder::kAcquire) ||
      m.order >= MemoryOrder::kAcqRel;
  if (wrong_order) return "an order such as '.relaxed'";
  const bool store_cache = m.cache_op == CacheOp::kWb || m.cache_op == CacheOp::kWt;
  const bool load_cache =
      m.cache_op == CacheOp::kCa || m.cache_op == CacheOp::kLu || m.cache_op == CacheOp::kCv;
  if (opcode == Opcode::kLd ? store_cache : load_cache) return "a cache operator such as '.cg'";
  return "";
}

std::string_view MissingInSurface(const Instruction& i) {
  const Modifiers& m = i.modifiers;
  if (m.geometry == Geometry::kNone || m.geometry == Geometry::kCube) {
    return "a geometry such as '.2d'";
  }
  if (m.vector * SizeInBytes(i.type) > 16) return "a vector of at most 16 bytes";
  return m.surface_mode == SurfaceMode::kNone ? "'.trap', '.clamp' or '.zero'" : "";
}

std::string_view MissingInTexture(const Instruction& instruction) {
  const Modifiers& m = instruction.modifiers;
  if (m.vector != 4) return "'.v4'";
  if (m.geometry == Geometry::kNone) return "a geometry such as '.2d'";
  const bool by_texel = instruction.source_type == kS32;
  if (by_texel && m.geometry == Geometry::kCube) return "coordinates of type f32 with '.cube'";
  if (by_texel && m.level) return "coordinates of type f32 with '.level'";
  return "";
}

}  // namespace flagstone::ptx
