// Arithmetic, comparisons and functions on f16, bf16 and their pairs, and .NaN and .xorsign of f32
// (PTX ISA, section 9.7.4): lane by lane, in double precision, which is exact for sums and
// products.
#include <algorithm>
#include <bit>
#include <cmath>

#include "gpu_model/simt/handlers/approximate.h"
#include "gpu_model/simt/handlers/handlers.h"
#include "gpu_model/simt/handlers/lanes.h"
#include "gpu_model/simt/handlers/narrow_float.h"

namespace flagstone::simt {
namespace {

using namespace baseline;  // NOLINT: this file belongs to the baseline set
using ptx::Comparison;
using ptx::Opcode;
using ptx::Rounding;

uint32_t SignOf(uint32_t bits) { return bits & 0x8000; }

uint32_t FlushHalf(const Inst& inst, uint32_t bits, ptx::Type type) {
  const uint32_t exponent = &FormatOf(type) == &FormatOf(ptx::Type::kBf16) ? 0x7f80 : 0x7c00;
  return inst.modifiers.flush_to_zero && (bits & exponent) == 0 ? SignOf(bits) : bits;
}

uint32_t FlushHalf(const Inst& inst, uint32_t bits) { return FlushHalf(inst, bits, inst.type); }

double MinMaxOf(const Inst& inst, bool maximum, double a, double b) {
  const ptx::Modifiers& m = inst.modifiers;
  if (!m.xor_sign) return Extreme(maximum, m.nan, a, b);
  const bool negative = std::signbit(a) != std::signbit(b);
  const double value = Extreme(maximum, m.nan, std::fabs(a), std::fabs(b));
  return negative && value == value ? -value : value;
}

double Exact(Opcode opcode, const Inst& inst, double a, double b, double c) {
  switch (opcode) {
    case Opcode::kAdd:
      return a + b;
    case Opcode::kSub:
      return a - b;
    case Opcode::kMul:
      return a * b;
    case Opcode::kFma:
      return AddToOdd(a * b, c);
    case Opcode::kMin:
    case Opcode::kMax:
      return MinMaxOf(inst, opcode == Opcode::kMax, a, b);
    case Opcode::kEx2:
      return static_cast<double>(Exp2(static_cast<float>(a)));
    default:
      return static_cast<double>(Tanh(static_cast<float>(a)));
  }
}

uint32_t Finished(const Inst& inst, const NarrowFormat& format, uint32_t bits) {
  const ptx::Modifiers& m = inst.modifiers;
  bits = FlushHalf(inst, bits);
  const double value = FromNarrow(bits, format);
  if (m.saturate) {
    if (!(value > 0)) return 0;  // NaN too
    return value > 1 ? ToNarrow(1, format, Rounding::kRn) : bits;
  }
  if (m.relu && value == value && SignOf(bits) != 0) return 0;
  return bits;
}

template <Opcode kOpcode>
uint32_t OfOne(const Inst& inst, const NarrowFormat& format, uint32_t a, uint32_t b, uint32_t c) {
  a = FlushHalf(inst, a);
  if (kOpcode == Opcode::kAbs) return a & 0x7fff;
  if (kOpcode == Opcode::kNeg) return a ^ 0x8000;
  const double exact =
      Exact(kOpcode, inst, FromNarrow(a, format), FromNarrow(FlushHalf(inst, b), format),
            FromNarrow(FlushHalf(inst, c), format));
  return Finished(inst, format, ToNarrow(exact, format, Rounding::kRn));
}

// One value, or two in the halves of the register.
template <Opcode kOpcode, int kSources>
void Halves(Context& context, const Inst& inst, LaneMask mask) {
  const NarrowFormat& format = FormatOf(inst.type);
  const bool packed = ptx::IsPacked(inst.type);
  const uint32_t* a = Source<uint32_t>(context, inst.source[0]);
  const uint32_t* b = kSources > 1 ? Source<uint32_t>(context, inst.source[1]) : a;
  const uint32_t* c = kSources > 2 ? Source<uint32_t>(context, inst.source[2]) : a;
  auto* destination = Destination<uint32_t>(context, inst.destination);
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const int i = __builtin_ctz(rest);
    uint32_t result = OfOne<kOpcode>(inst, format, a[i] & 0xffff, b[i] & 0xffff, c[i] & 0xffff);
    if (packed) result |= OfOne<kOpcode>(inst, format, a[i] >> 16, b[i] >> 16, c[i] >> 16) << 16;
    destination[i] = result;
  }
}

// min and max of f32 with .NaN or .xorsign.abs.
template <bool kMaximum>
void SpecialMinMax(Context& context, const Inst& inst, LaneMask mask) {
  const uint32_t* a = Source<uint32_t>(context, inst.source[0]);
  const uint32_t* b = Source<uint32_t>(context, inst.source[1]);
  const auto value = [&](uint32_t bits) {
    const bool flushed = inst.modifiers.flush_to_zero && (bits & 0x7f800000) == 0;
    return static_cast<double>(std::bit_cast<float>(flushed ? bits & 0x80000000 : bits));
  };
  ForLanes(Destination<uint32_t>(context, inst.destination), mask, [&](uint32_t i) {
    const double result = MinMaxOf(inst, kMaximum, value(a[i]), value(b[i]));
    return result != result ? 0x7fffffffU : std::bit_cast<uint32_t>(static_cast<float>(result));
  });
}

bool Holds(Comparison comparison, double a, double b) {
  const bool unordered = a != a || b != b;
  switch (comparison) {
    case Comparison::kEq:
      return a == b;
    case Comparison::kNe:
      return a < b || a > b;
    case Comparison::kLt:
      return a < b;
    case Comparison::kLe:
      return a <= b;
    case Comparison::kGt:
      return a > b;
    case Comparison::kGe:
      return a >= b;
    case Comparison::kEqu:
      return unordered || a == b;
    case Comparison::kNeu:
      return unordered || a != b;
    case Comparison::kLtu:
      return unordered || a < b;
    case Comparison::kLeu:
      return unordered || a <= b;
    case Comparison::kGtu:
      return unordered || a > b;
    case Comparison::kGeu:
      return unordered || a >= b;
    case Comparison::kNum:
      return !unordered;
    default:
      return unordered;
  }
}

LaneMask Combined(const Context& c, const Inst& inst, LaneMask result) {
  switch (inst.modifiers.boolean_op) {
    case ptx::BooleanOp::kAnd:
      return result & PredicateSource(c, inst, 2);
    case ptx::BooleanOp::kOr:
      return result | PredicateSource(c, inst, 2);
    case ptx::BooleanOp::kXor:
      return result ^ PredicateSource(c, inst, 2);
    default:
      return result;
  }
}

// In which lanes the comparison holds: of the halves from bit `shift` on. Only `set` has a second
// type, which is the one that it compares.
LaneMask ComparedHalves(const Context& c, const Inst& inst, uint32_t shift) {
  const ptx::Type type = inst.source_type == ptx::Type::kNone ? inst.type : inst.source_type;
  const NarrowFormat& format = FormatOf(type);
  const uint32_t* a = Source<uint32_t>(c, inst.source[0]);
  const uint32_t* b = Source<uint32_t>(c, inst.source[1]);
  const auto value = [&](uint32_t bits) {
    return FromNarrow(FlushHalf(inst, bits >> shift & 0xffff, type), format);
  };
  return MaskOf(
      [&](uint32_t i) { return Holds(inst.modifiers.comparison, value(a[i]), value(b[i])); });
}

// "%p|%q": q takes the complement; of pairs, p belongs to the lower halves and q to the upper ones.
void CompareHalves(Context& c, const Inst& inst, LaneMask mask) {
  const bool packed = ptx::IsPacked(inst.type) && inst.source_type == ptx::Type::kNone;
  const LaneMask result = ComparedHalves(c, inst, 0);
  const LaneMask first = Combined(c, inst, result);
  const LaneMask second = Combined(c, inst, packed ? ComparedHalves(c, inst, 16) : ~result);
  if (inst.destination != kNoSlot) WritePredicate(c, inst.destination, mask, first);
  if (inst.destination2 != kNoSlot) WritePredicate(c, inst.destination2, mask, second);
}

// set of pairs: a half of each result belongs to a half of the sources.
void SetHalves(Context& c, const Inst& inst, LaneMask mask) {
  const uint32_t holds = inst.type == ptx::Type::kF16x2    ? 0x3c00
                         : inst.type == ptx::Type::kBf16x2 ? 0x3f80
                                                           : 0xffff;
  const LaneMask lower = Combined(c, inst, ComparedHalves(c, inst, 0));
  const LaneMask upper = Combined(c, inst, ComparedHalves(c, inst, 16));
  ForLanes(Destination<uint32_t>(c, inst.destination), mask,
           [=](uint32_t i) { return (lower >> i & 1) * holds | (upper >> i & 1) * holds << 16; });
}

}  // namespace

Handler SelectHalf(const ptx::Instruction& instruction) {
  const Opcode opcode = instruction.opcode;
  if (instruction.type == ptx::Type::kF32 &&
      (instruction.modifiers.nan || instruction.modifiers.xor_sign)) {
    return opcode == Opcode::kMax ? SpecialMinMax<true> : SpecialMinMax<false>;
  }
  if (opcode == Opcode::kSet && ptx::IsHalf(instruction.source_type)) {
    return ptx::IsPacked(instruction.source_type) ? SetHalves : CompareHalves;
  }
  if (!ptx::IsHalf(instruction.type)) return nullptr;
  switch (opcode) {
    case Opcode::kAbs:
      return Halves<Opcode::kAbs, 1>;
    case Opcode::kNeg:
      return Halves<Opcode::kNeg, 1>;
    case Opcode::kAdd:
      return Halves<Opcode::kAdd, 2>;
    case Opcode::kSub:
      return Halves<Opcode::kSub, 2>;
    case Opcode::kMul:
      return Halves<Opcode::kMul, 2>;
    case Opcode::kFma:
      return Halves<Opcode::kFma, 3>;
    case Opcode::kMin:
      return Halves<Opcode::kMin, 2>;
    case Opcode::kMax:
      return Halves<Opcode::kMax, 2>;
    case Opcode::kEx2:
      return Halves<Opcode::kEx2, 1>;
    case Opcode::kTanh:
      return Halves<Opcode::kTanh, 1>;
    case Opcode::kSetp:
      return CompareHalves;
    default:
      return nullptr;
  }
}

}  // namespace flagstone::simt
