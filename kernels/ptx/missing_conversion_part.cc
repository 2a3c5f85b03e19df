#include "kernels/ptx/missing_conversion_part.h"

#include "kernels/ptx/instruction_table.h"

namespace flagstone::ptx {
namespace {

using enum Type;

bool IntegerRounding(Rounding rounding) {
  return rounding >= Rounding::kRni && rounding <= Rounding::kRpi;
}

bool IsFloat8(Type type) { return type == kE4m3x2 || type == kE5m2x2; }

// Of conversions to and from packed types and tf32.
std::string_view MissingInPacking(Type to, Type from, const Modifiers& m) {
  const bool nearest = m.rounding == Rounding::kRn;
  if (m.saturate || m.flush_to_zero) return "no '.ftz' or '.sat' on this type";
  if (to == kTf32) {
    if (from != kF32) return "f32 as the type to convert";
    if (m.rounding == Rounding::kRna) return m.relu ? "no '.relu' with '.rna'" : "";
    return nearest || m.rounding == Rounding::kRz ? "" : "'.rna', '.rn' or '.rz'";
  }
  if (from == kTf32) return "another type to convert";
  if (IsFloat8(to)) {
    if (from != kF32 && from != kF16x2) return "f32 or f16x2 as the type to convert";
    return nearest && m.finite ? "" : "'.rn.satfinite'";
  }
  if (to == kF16x2 && IsFloat8(from)) return nearest && !m.finite ? "" : "'.rn'";
  if ((to == kF16x2 || to == kBf16x2) && from == kF32) {
    return nearest || m.rounding == Rounding::kRz ? "" : "'.rn' or '.rz'";
  }
  return "types that can be converted";
}

}  // namespace

std::string_view MissingInConversion(Type to, Type from, const Modifiers& m) {
  if (IsPacked(to) || IsPacked(from) || to == kTf32 || from == kTf32) {
    return MissingInPacking(to, from, m);
  }
  const bool to_half = IsHalf(to);
  if (m.rounding == Rounding::kRna) return "another rounding than '.rna'";
  if ((m.relu || m.finite) &&
      !(to_half && from == kF32 && (m.rounding == Rounding::kRn || m.rounding == Rounding::kRz))) {
    return "no '.relu' or '.satfinite' but from f32 to halves, with '.rn' or '.rz'";
  }
  if ((m.relu || m.finite) && m.saturate) return "no '.sat' with '.relu' or '.satfinite'";
  if (m.saturate && (to == kBf16 || from == kBf16)) return "no '.sat' on bf16";
  if (to_half && IsHalf(from) && to != from) {
    const bool plain = m.rounding != Rounding::kNone && !IntegerRounding(m.rounding);
    return plain ? "" : "a rounding such as '.rn'";
  }
  if (to == kBf16 && from == kBf16 && m.rounding == Rounding::kNone) return "an integer rounding";
  const bool rounded = m.rounding != Rounding::kNone;
  const bool integer_rounding = IntegerRounding(m.rounding);
  if (m.flush_to_zero && to != kF32 && from != kF32) return "no '.ftz' without f32";
  if (IsFloat(from) && !IsFloat(to)) {
    return integer_rounding ? "" : "an integer rounding such as '.rzi'";
  }
  if (!IsFloat(from) && !IsFloat(to)) return rounded ? "no rounding between integers" : "";
  if (!IsFloat(from)) return rounded && !integer_rounding ? "" : "a rounding such as '.rn'";
  if (SizeInBytes(to) < SizeInBytes(from)) {
    return rounded && !integer_rounding ? "" : "a rounding such as '.rn'";
  }
  const bool same = to == from;
  return rounded && !(same && integer_rounding)
             ? "no rounding but '.rni' and its like, and these only where both types are the same"
             : "";
}

std::string_view MissingInPack(const Instruction& i) {
  const Modifiers& m = i.modifiers;
  if (!m.saturate) return "'.sat'";
  if (i.source_type != kS32) return "'.s32' as the type of both sources";
  const bool halves = i.type == kU16 || i.type == kS16;
  if (halves) return i.third_type == kNone ? "" : "no third type with 16 bits";
  return i.third_type == kB32 ? "" : "'.b32' as the third type";
}

}  // namespace flagstone::ptx
