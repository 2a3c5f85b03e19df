#include "kernels/ptx/missing_conversion_part.h"

#include "kernels/ptx/instruction_table.h"

namespace flagstone::ptx {
namespace {

using enum Type;

bool IntegerRounding(Rounding rounding) {
  return rounding >= Rounding::kRni && rounding <= Rounding::kRpi;
}

bool IsFloat8(Type type) { return type == kE4m3x2 || type == kE5m2x2; }
bool IsFloat6(Type type) { return type == kE2m3x2 || type == kE3m2x2; }
// Those that f16x2 is made of.
bool IsBelowHalf(Type type) { return IsFloat8(type) || IsFloat6(type) || type == kE2m1x2; }

// Powers of two, which have no sign.
std::string_view MissingOfPowers(Type to, Type from, const Modifiers& m) {
  if (m.relu) return "no '.relu' on this type";
  if (to != kUe8m0x2) {
    if (to != kBf16x2) return "bf16x2 as the type of the result";
    return m.rounding == Rounding::kRn && !m.finite ? "" : "'.rn'";
  }
  if (from != kF32 && from != kBf16x2) return "f32 or bf16x2 as the type to convert";
  return m.rounding == Rounding::kRz || m.rounding == Rounding::kRp ? "" : "'.rz' or '.rp'";
}

// Of conversions to and from packed types and tf32.
std::string_view MissingInPacking(Type to, Type from, const Modifiers& m) {
  const bool nearest = m.rounding == Rounding::kRn;
  if (m.saturate || m.flush_to_zero) return "no '.ftz' or '.sat' on this type";
  if (to == kTf32) {
    if (from != kF32) return "f32 as the type to convert";
    if (m.rounding == Rounding::kRna) return m.relu ? "no '.relu' with '.rna'" : "";
    return nearest || m.rounding == Rounding::kRz ? "" : "'.rna', '.rn' or '.rz'";
  }
  if (from == kTf32 || IsPackedByFour(from)) return "another type to convert";
  if (to == kUe8m0x2 || from == kUe8m0x2) return MissingOfPowers(to, from, m);
  if (IsPackedByFour(to)) {
    if (from != kF32) return "f32 as the type to convert";
    return m.rounding == Rounding::kRs && m.finite ? "" : "'.rs.satfinite'";
  }
  if (IsBelowHalf(to)) {
    if (IsFloat6(to) && from != kF32) return "f32 as the type to convert";
    if (from != kF32 && from != kF16x2) return "f32 or f16x2 as the type to convert";
    return nearest && m.finite ? "" : "'.rn.satfinite'";
  }
  if (to == kF16x2 && IsBelowHalf(from)) return nearest && !m.finite ? "" : "'.rn'";
  if ((to == kF16x2 || to == kBf16x2) && from == kF32) {
    const bool known = nearest || m.rounding == Rounding::kRz || m.rounding == Rounding::kRs;
    return known ? "" : "'.rn', '.rz' or '.rs'";
  }
  return "types that can be converted";
}

}  // namespace

std::string_view MissingInConversion(Type to, Type from, const Modifiers& m) {
  const auto has = [&](auto is) { return is(to) || is(from); };
  if (has(IsPacked) || has(IsPackedByFour) || to == kTf32 || from == kTf32) {
    return MissingInPacking(to, from, m);
  }
  const bool to_half = IsHalf(to);
  if (m.rounding == Rounding::kRna) return "another rounding than '.rna'";
  if (m.rounding == Rounding::kRs) return "another rounding than '.rs'";
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
