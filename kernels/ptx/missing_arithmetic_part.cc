#include "kernels/ptx/missing_arithmetic_part.h"

#include "kernels/ptx/instruction_table.h"

namespace flagstone::ptx {
namespace {

using enum Type;

constexpr uint64_t kScalarBits = SetOf(kB16, kB32, kB64);

// The one of `.approx`, `.full` and a rounding that a float division or root needs.
std::string_view MissingPrecision(Opcode opcode, Type type, const Modifiers& m) {
  const int given =
      (m.rounding != Rounding::kNone ? 1 : 0) + (m.approximate ? 1 : 0) + (m.full ? 1 : 0);
  // rcp.approx.ftz.f64 and rsqrt.approx.f64 are the only approximations in double precision.
  const bool exact_only = type == kF64 && (opcode == Opcode::kDiv || opcode == Opcode::kSqrt);
  if (given != 1 || (exact_only && m.rounding == Rounding::kNone)) {
    return exact_only ? "a rounding such as '.rn'" : "either '.approx' or a rounding such as '.rn'";
  }
  return "";
}

// Of f16, bf16 and their pairs (PTX ISA, section 9.7.4).
std::string_view MissingInHalf(Opcode opcode, Type type, const Modifiers& m) {
  const bool is_bf16 = type == kBf16 || type == kBf16x2;
  if (m.rounding != Rounding::kNone && m.rounding != Rounding::kRn) return "no rounding but '.rn'";
  if (m.mul_part != MulPart::kNone) return "no '.lo', '.hi' or '.wide' on a float type";
  if (is_bf16 && m.saturate) return "no '.sat' on bf16";
  if (m.relu && opcode != Opcode::kFma) return "no '.relu' on this type";
  switch (opcode) {
    case Opcode::kFma:
      if (m.rounding == Rounding::kNone) return "a rounding such as '.rn'";
      if (m.relu && m.saturate) return "not both of '.relu' and '.sat'";
      break;
    case Opcode::kEx2:
      if (!m.approximate) return "'.approx'";
      return is_bf16 == m.flush_to_zero ? "" : "'.ftz' with bf16 alone";
    case Opcode::kTanh:
      return m.approximate ? "" : "'.approx'";
    default:
      break;
  }
  return is_bf16 && m.flush_to_zero ? "no '.ftz' on bf16" : "";
}

}  // namespace

std::string_view MissingInFloat(Opcode opcode, Type type, const Modifiers& m) {
  if (m.carry_out) return "no '.cc' on a float type";
  if (IsHalf(type)) return MissingInHalf(opcode, type, m);
  if (m.relu) return "no '.relu' on this type";
  if (type == kF32x2) {
    if (m.saturate || m.mul_part != MulPart::kNone) return "no '.sat' or part on f32x2";
    const bool rounds = opcode != Opcode::kFma || m.rounding != Rounding::kNone;
    return rounds ? "" : "a rounding such as '.rn'";
  }
  if (type == kF64 && (m.nan || m.xor_sign)) return "no '.NaN' or '.xorsign' on f64";
  const bool flushes_f64 = m.approximate && (opcode == Opcode::kRcp || opcode == Opcode::kRsqrt);
  if (type == kF64 && (m.saturate || (m.flush_to_zero && !flushes_f64))) {
    return "no '.ftz' or '.sat' on f64";
  }
  if (type == kF64 && opcode == Opcode::kRcp && m.approximate && !m.flush_to_zero) {
    return "'.ftz' with '.approx' on f64";
  }
  switch (opcode) {
    case Opcode::kFma:
      return m.rounding == Rounding::kNone ? "a rounding such as '.rn'" : "";
    case Opcode::kDiv:
    case Opcode::kRcp:
    case Opcode::kSqrt:
      return MissingPrecision(opcode, type, m);
    case Opcode::kCos:
    case Opcode::kEx2:
    case Opcode::kLg2:
    case Opcode::kRsqrt:
    case Opcode::kSin:
      return m.approximate ? "" : "'.approx'";
    case Opcode::kMul:
    case Opcode::kMad:
      return m.mul_part != MulPart::kNone ? "no '.lo', '.hi' or '.wide' on a float type" : "";
    default:
      return "";
  }
}

std::string_view MissingInInteger(Opcode opcode, Type type, const Modifiers& m) {
  // Only add, sub and mad saturate integers, and only s32.
  const bool saturates = m.saturate && (type != kS32 || opcode == Opcode::kMul ||
                                        (opcode == Opcode::kMad && m.mul_part != MulPart::kHi));
  if (m.nan || m.xor_sign) return "no float modifier on an integer type";
  if (m.relu && type != kS32 && type != kS16x2) return "no '.relu' on this type";
  if (m.carry_out && (SizeInBytes(type) < 4 || IsPackedInteger(type) || m.saturate ||
                      m.mul_part == MulPart::kWide)) {
    return "'.cc' on a type of 32 or 64 bits, without '.sat' and '.wide'";
  }
  if (m.rounding != Rounding::kNone || m.flush_to_zero || m.approximate || m.full || saturates) {
    return "no float modifier on an integer type";
  }
  if (opcode == Opcode::kMadCarry) {
    return m.mul_part == MulPart::kLo || m.mul_part == MulPart::kHi ? "" : "'.lo' or '.hi'";
  }
  if (opcode != Opcode::kMul && opcode != Opcode::kMad) return "";
  if (m.mul_part == MulPart::kNone) return "'.lo', '.hi' or '.wide'";
  if (m.mul_part == MulPart::kWide && SizeInBytes(type) == 8) {
    return "'.wide' on a type of 16 or 32 bits";
  }
  return "";
}

std::string_view MissingInComparison(Type type, const Modifiers& m) {
  if (m.comparison == Comparison::kNone) return "a comparison such as '.lt'";
  const bool equality = m.comparison == Comparison::kEq || m.comparison == Comparison::kNe;
  const bool float_only = m.comparison >= Comparison::kEqu;
  const bool unsigned_only = m.comparison >= Comparison::kLo && m.comparison <= Comparison::kHs;
  const bool unflushed = type == kF64 || type == kBf16 || type == kBf16x2;
  if (unflushed && m.flush_to_zero) return "no '.ftz' on this type";
  if (IsFloat(type)) return unsigned_only ? "a comparison for floats, such as '.lt'" : "";
  if (float_only) return "a comparison for integers, such as '.lt'";
  if (m.flush_to_zero) return "no float modifier on an integer type";
  const bool bits = (Bit(type) & kScalarBits) != 0;
  if (bits && !equality) return "'.eq' or '.ne' on untyped bits";
  return "";
}

// Halves go with halves: what the others may be, section 9.7.7.1 of the ISA lists.
std::string_view MissingInSet(Type type, Type compared, const Modifiers& m) {
  const bool is_word = type == kU32 || type == kS32;
  if (IsPacked(type) && type != compared) return "the same packed type twice";
  if (IsPacked(compared) && type != compared && !is_word) return "u32, s32 or the same packed type";
  const bool compares_half = compared == kF16 || compared == kBf16;
  if ((type == kU16 || type == kS16) && !compares_half) return "f16 or bf16 as the second type";
  if (type == kF32 && compares_half) return "an integer or a half as the result";
  if ((type == kF16 && compared == kBf16) || (type == kBf16 && compared == kF16)) {
    return "the same half type twice";
  }
  return MissingInComparison(compared, m);
}

}  // namespace flagstone::ptx
