// cvt to and from f16, bf16, tf32 and floats of 8, 6 and 4 bits (PTX ISA, section 9.7.9.21): lane
// by lane.
#include <array>
#include <bit>
#include <cmath>

#include "gpu_model/simt/handlers/handlers.h"
#include "gpu_model/simt/handlers/lanes.h"
#include "gpu_model/simt/handlers/narrow_float.h"

namespace flagstone::simt {
namespace {

using namespace baseline;  // NOLINT: this file belongs to the baseline set
using ptx::Rounding;
using ptx::Type;

bool IsNarrow(Type type) { return type >= Type::kF16 && type <= Type::kE3m2x4; }

uint32_t BitsOf(Type type) { return 8U * static_cast<uint32_t>(ptx::SizeInBytes(type)); }

double Integral(double value, Rounding rounding) {
  switch (rounding) {
    case Rounding::kRni: {
      const double below = std::floor(value);
      const double rest = value - below;
      const bool up = rest > 0.5 || (rest == 0.5 && std::fmod(below, 2) != 0);
      return std::copysign(up ? below + 1 : below, value);
    }
    case Rounding::kRzi:
      return std::trunc(value);
    case Rounding::kRmi:
      return std::floor(value);
    case Rounding::kRpi:
      return std::ceil(value);
    default:
      return value;
  }
}

float Flushed(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  return (bits & 0x7f800000) == 0 ? std::bit_cast<float>(bits & 0x80000000) : value;
}

// The value of a lane, so that rounding it once more is rounding the source.
double ValueOf(const Inst& inst, uint64_t lane) {
  const Type type = inst.source_type;
  if (IsNarrow(type)) return FromNarrow(static_cast<uint32_t>(lane) & 0xffff, FormatOf(type));
  if (type == Type::kF32) {
    const float value = std::bit_cast<float>(static_cast<uint32_t>(lane));
    return static_cast<double>(inst.modifiers.flush_to_zero ? Flushed(value) : value);
  }
  if (type == Type::kF64) return std::bit_cast<double>(lane);
  const uint32_t unused = 64 - BitsOf(type);
  const bool is_signed = ptx::IsSigned(type);
  const uint64_t value = is_signed
                             ? static_cast<uint64_t>(static_cast<int64_t>(lane << unused) >> unused)
                             : lane << unused >> unused;
  return IntegerToOdd(value, is_signed);
}

// Clamped to the range; a NaN gives 0, or the top bit alone of 64 bits.
uint64_t ToInteger(double value, Type type) {
  const uint32_t bits = BitsOf(type);
  const bool is_signed = ptx::IsSigned(type);
  if (value != value) return bits == 64 ? uint64_t{1} << 63 : 0;
  const double bound = std::ldexp(1.0, static_cast<int>(bits) - (is_signed ? 1 : 0));
  if (value >= bound) return ~uint64_t{0} >> (64 - bits + (is_signed ? 1 : 0));
  if (!is_signed) return value <= 0 ? 0 : static_cast<uint64_t>(value);
  const double least = value < -bound ? -bound : value;
  return static_cast<uint64_t>(static_cast<int64_t>(least));
}

double Clamped(const Inst& inst, double value) {
  if (inst.modifiers.saturate) return value > 0 ? (value < 1 ? value : 1) : 0;
  if (inst.modifiers.relu && std::signbit(value) && value == value) return 0;
  return value;
}

uint64_t FromValue(const Inst& inst, double value) {
  const ptx::Modifiers& m = inst.modifiers;
  if (inst.type == Type::kUe8m0x2) return ToPower(value, m.rounding, m.finite);
  value = Clamped(inst, Integral(value, m.rounding));
  const Type type = inst.type;
  if (IsNarrow(type)) {
    const bool to_integral = m.rounding >= Rounding::kRni && m.rounding <= Rounding::kRpi;
    return ToNarrow(value, FormatOf(type), to_integral ? Rounding::kRn : m.rounding, m.finite);
  }
  if (type == Type::kF32) {
    if (value != value) return 0x7fffffff;
    const auto single = static_cast<float>(value);
    return std::bit_cast<uint32_t>(m.flush_to_zero ? Flushed(single) : single);
  }
  if (type == Type::kF64) {
    return value != value ? uint64_t{0xfff8000000000000} : std::bit_cast<uint64_t>(value);
  }
  return ToInteger(value, type);
}

template <class DLane, class SLane>
void Convert(Context& c, const Inst& inst, LaneMask mask) {
  const SLane* a = Source<SLane>(c, inst.source[0]);
  auto* destination = Destination<DLane>(c, inst.destination);
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const int i = __builtin_ctz(rest);
    destination[i] = static_cast<DLane>(FromValue(inst, ValueOf(inst, a[i])));
  }
}

// Two values into one register: the first source is the upper one.
void Pack(Context& c, const Inst& inst, LaneMask mask) {
  const uint32_t* upper = Source<uint32_t>(c, inst.source[0]);
  const uint32_t* lower = Source<uint32_t>(c, inst.source[1]);
  const uint32_t bits = BitsOf(inst.type) / 2;
  ForLanes(Destination<uint32_t>(c, inst.destination), mask, [&](uint32_t i) {
    return static_cast<uint32_t>(FromValue(inst, ValueOf(inst, upper[i])) << bits |
                                 FromValue(inst, ValueOf(inst, lower[i])));
  });
}

// Both values of a register into both of another.
void ConvertPair(Context& c, const Inst& inst, LaneMask mask) {
  const uint32_t* a = Source<uint32_t>(c, inst.source[0]);
  const uint32_t from = BitsOf(inst.source_type) / 2;
  const uint32_t to = BitsOf(inst.type) / 2;
  const NarrowFormat& format = FormatOf(inst.source_type);
  const bool powers = inst.source_type == Type::kUe8m0x2;
  const uint32_t one = (1U << from) - 1;
  const auto converted = [&](uint32_t bits) {
    return FromValue(inst, powers ? FromPower(bits) : FromNarrow(bits, format));
  };
  ForLanes(Destination<uint32_t>(c, inst.destination), mask, [&](uint32_t i) {
    return static_cast<uint32_t>(converted(a[i] >> from & one) << to | converted(a[i] & one));
  });
}

// The 16 random bits of a value, of which there are two or four (assumption where the ISA has
// figures: of e2m1x4 the upper half of `random` has the upper 8).
uint32_t RandomBits(Type type, uint32_t random, uint32_t value) {
  if (type == Type::kE2m1x4) {
    const uint32_t shift = value < 2 ? 8 : 0;
    return (random >> (16 + shift) & 0xff) << 8 | (random >> shift & 0xff);
  }
  const uint32_t half = ptx::IsPackedByFour(type) ? value / 2 : value;
  const uint32_t bits = half == 0 ? random >> 16 : random & 0xffff;
  return type == Type::kF16x2 ? (bits & 0x1fff) << 3 : bits;
}

// Two or four values into one register, the first one uppermost, rounded by random bits: these are
// added to the uppermost of the bits that are cut off (assumption where these are more than 16).
template <uint32_t kValues>
void PackAtRandom(Context& c, const Inst& inst, LaneMask mask) {
  std::array<const uint32_t*, kValues> values;
  for (uint32_t k = 0; k < kValues; ++k) {
    values[k] = Source<uint32_t>(c, kValues == 2 ? inst.source[k] : inst.elements[k]);
  }
  const uint32_t* const random = Source<uint32_t>(c, inst.source[kValues == 2 ? 2 : 0]);
  const uint32_t bits = BitsOf(inst.type) / kValues;
  const NarrowFormat& format = FormatOf(inst.type);
  ForLanes(Destination<uint32_t>(c, inst.destination), mask, [&](uint32_t i) {
    uint32_t packed = 0;
    for (uint32_t k = 0; k < kValues; ++k) {
      const double value = Clamped(inst, ValueOf(inst, values[k][i]));
      const double part = std::ldexp(RandomBits(inst.type, random[i], k), -16);
      packed = packed << bits | ToNarrow(value, format, Rounding::kRs, inst.modifiers.finite, part);
    }
    return packed;
  });
}

}  // namespace

Handler SelectNarrowConvert(const ptx::Instruction& instruction, Shape shape) {
  if (instruction.opcode != ptx::Opcode::kCvt) return nullptr;
  if (!IsNarrow(instruction.type) && !IsNarrow(instruction.source_type)) return nullptr;
  if (ptx::IsPackedByFour(instruction.type)) return PackAtRandom<4>;
  if (instruction.modifiers.rounding == Rounding::kRs) return PackAtRandom<2>;
  if (ptx::IsPacked(instruction.source_type)) return ConvertPair;
  if (ptx::IsPacked(instruction.type)) return Pack;
  if (shape.wide_destination) {
    return shape.wide_source ? &Convert<uint64_t, uint64_t> : &Convert<uint64_t, uint32_t>;
  }
  return shape.wide_source ? &Convert<uint32_t, uint64_t> : &Convert<uint32_t, uint32_t>;
}

}  // namespace flagstone::simt
