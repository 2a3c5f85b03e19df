// Instructions that kernels use seldom, one lane after the other (PTX ISA 9.7.1, 9.7.2, 9.7.3,
// 9.7.6, 9.7.8, 9.7.17): no loop here is worth vectorising.
#include <algorithm>
#include <bit>
#include <cstdlib>

#include "gpu_model/simt/handlers/float_ops.h"
#include "gpu_model/simt/handlers/handlers.h"
#include "gpu_model/simt/handlers/lanes.h"

namespace flagstone::simt {
namespace {

using namespace baseline;  // NOLINT: this file belongs to the baseline set
using ptx::NumberClass;
using ptx::Opcode;
using ptx::PermuteMode;
using ptx::ShiftMode;

constexpr uint32_t kNotFound = 0xffffffffU;

// destination = f(a, b, c), all of 32 bits; sources that are absent read as 0.
template <uint32_t (*kFunction)(const Inst&, uint32_t, uint32_t, uint32_t)>
void Words(Context& c, const Inst& inst, LaneMask mask) {
  static constexpr std::array<uint32_t, kWarpSize> kZeros = {};
  const uint32_t* sources[3];
  for (size_t k = 0; k < 3; ++k) {
    const bool absent = inst.source[k] == kNoSlot;
    sources[k] = absent ? kZeros.data() : Source<uint32_t>(c, inst.source[k]);
  }
  ForLanes(Destination<uint32_t>(c, inst.destination), mask, [&](uint32_t i) {
    return kFunction(inst, sources[0][i], sources[1][i], sources[2][i]);
  });
}

// The highest bit that differs from the sign.
template <class T>
uint32_t FindBit(const Inst& inst, T value) {
  using U = std::make_unsigned_t<T>;
  const U bits = static_cast<U>(value < 0 ? ~value : value);
  if (bits == 0) return kNotFound;
  const auto zeros = static_cast<uint32_t>(std::countl_zero(bits));
  return inst.modifiers.shift_amount ? zeros : static_cast<uint32_t>(8 * sizeof(T)) - 1 - zeros;
}

template <class T>
void Bfind(Context& c, const Inst& inst, LaneMask mask) {
  const Lane<T>* a = Source<Lane<T>>(c, inst.source[0]);
  ForLanes(Destination<uint32_t>(c, inst.destination), mask,
           [&](uint32_t i) { return FindBit(inst, FromLane<T>(a[i])); });
}

uint32_t Bmsk(const Inst& inst, uint32_t position, uint32_t width, uint32_t) {
  const bool clamp = inst.modifiers.shift_mode == ShiftMode::kClamp;
  if (clamp && position >= 32) return 0;
  const uint32_t from = position & 31;
  const uint32_t end = clamp && width >= 32 ? 32 : from + (width & 31);
  const uint32_t above = end >= 32 ? 0 : ~uint32_t{0} << end;
  return (~uint32_t{0} << from) & ~above;
}

uint32_t Szext(const Inst& inst, uint32_t a, uint32_t width, uint32_t) {
  if (inst.modifiers.shift_mode == ShiftMode::kClamp && width >= 32) return a;
  const uint32_t n = width & 31;
  const uint32_t above = ~uint32_t{0} << n;
  const bool negative = inst.type == ptx::Type::kS32 && n != 0 && (a >> (n - 1) & 1) != 0;
  return (a & ~above) | (negative ? above : 0);
}

// The 64 bits {b, a} shifted: the upper half to the left, the lower half to the right.
uint32_t Shf(const Inst& inst, uint32_t a, uint32_t b, uint32_t amount) {
  const bool clamp = inst.modifiers.shift_mode == ShiftMode::kClamp;
  const uint32_t n = clamp ? std::min(amount, 32U) : amount & 31;
  const uint64_t both = uint64_t{b} << 32 | a;
  if (inst.modifiers.shift_direction == ptx::ShiftDirection::kRight) {
    return static_cast<uint32_t>(both >> n);
  }
  return n == 32 ? a : static_cast<uint32_t>(both << n >> 32);
}

// Bit 4a + 2b + c of the table, bit by bit.
uint32_t Lop3(const Inst& inst, uint32_t a, uint32_t b, uint32_t c) {
  uint32_t result = 0;
  for (uint32_t row = 0; row < 8; ++row) {
    if ((inst.offset >> row & 1) == 0) continue;
    result |= ((row & 4) != 0 ? a : ~a) & ((row & 2) != 0 ? b : ~b) & ((row & 1) != 0 ? c : ~c);
  }
  return result;
}

// d|p: p says whether d has a set bit, combined with another predicate.
void Lop3Predicate(Context& c, const Inst& inst, LaneMask mask) {
  const uint32_t* a = Source<uint32_t>(c, inst.source[0]);
  const uint32_t* b = Source<uint32_t>(c, inst.source[1]);
  const uint32_t* third = Source<uint32_t>(c, inst.source[2]);
  std::array<uint32_t, kWarpSize> result;
  for (uint32_t i = 0; i < kWarpSize; ++i) result[i] = Lop3(inst, a[i], b[i], third[i]);
  const LaneMask set = MaskOf([&](uint32_t i) { return result[i] != 0; });
  const LaneMask other = PredicateSource(c, inst, 3);
  const bool is_or = inst.modifiers.boolean_op == ptx::BooleanOp::kOr;
  if (inst.destination != kNoSlot) {
    ForLanes(Destination<uint32_t>(c, inst.destination), mask,
             [&](uint32_t i) { return result[i]; });
  }
  if (inst.destination2 != kNoSlot) {
    WritePredicate(c, inst.destination2, mask, is_or ? set | other : set & other);
  }
}

uint32_t PackedBits(ptx::Type type) {
  switch (type) {
    case ptx::Type::kU2:
    case ptx::Type::kS2:
      return 2;
    case ptx::Type::kU4:
    case ptx::Type::kS4:
      return 4;
    default:
      return 8U * static_cast<uint32_t>(ptx::SizeInBytes(type));
  }
}

// Two integers clamped to the range of fewer bits; what c holds moves up to make room for them.
uint32_t CvtPack(const Inst& inst, uint32_t a, uint32_t b, uint32_t c) {
  const uint32_t bits = PackedBits(inst.type);
  const bool is_signed = ptx::IsSigned(inst.type);
  const int32_t most = (1 << (bits - (is_signed ? 1 : 0))) - 1;
  const int32_t least = is_signed ? -most - 1 : 0;
  const auto clamped = [&](uint32_t value) {
    const int32_t whole = std::clamp(static_cast<int32_t>(value), least, most);
    return static_cast<uint32_t>(whole) & ((1U << bits) - 1);
  };
  const uint32_t both = clamped(a) << bits | clamped(b);
  return inst.third_type == ptx::Type::kNone ? both : c << (2 * bits) | both;
}

// The offset-th set bit from `base` on, upwards or downwards.
uint32_t Fns(const Inst&, uint32_t bits, uint32_t base, uint32_t offset_bits) {
  const auto offset = static_cast<int32_t>(offset_bits);
  if (offset == 0) return base < 32 && (bits >> base & 1) != 0 ? base : kNotFound;
  const int64_t step = offset > 0 ? 1 : -1;
  int64_t count = std::abs(int64_t{offset});
  for (int64_t at = static_cast<int32_t>(base); at >= 0 && at < 32; at += step) {
    if ((bits >> at & 1) != 0 && --count == 0) return static_cast<uint32_t>(at);
  }
  return kNotFound;
}

// The byte of {b, a} that byte i of the result is a copy of.
uint32_t PermutedByte(PermuteMode mode, uint32_t n, uint32_t i) {
  switch (mode) {
    case PermuteMode::kF4e:
      return n + i;
    case PermuteMode::kB4e:
      return (n - i) & 7;
    case PermuteMode::kRc8:
      return n;
    case PermuteMode::kEcl:
      return std::max(n, i);
    case PermuteMode::kEcr:
      return std::min(n, i);
    default:
      return (n & 1) * 2 + (i & 1);
  }
}

uint32_t Prmt(const Inst& inst, uint32_t a, uint32_t b, uint32_t c) {
  const uint64_t bytes = uint64_t{b} << 32 | a;
  uint32_t result = 0;
  for (uint32_t i = 0; i < 4; ++i) {
    const uint32_t from = PermutedByte(inst.modifiers.permute_mode, c & 3, i);
    result |= (static_cast<uint32_t>(bytes >> (8 * from)) & 255) << (8 * i);
  }
  return result;
}

// Element i of `bits` bits, extended by its sign or with zeros.
int64_t PartOf(ptx::Type type, uint32_t word, uint32_t bits, uint32_t i) {
  const uint32_t part = word >> (bits * i) & ((1U << bits) - 1);
  const bool negative = ptx::IsSigned(type) && (part >> (bits - 1) & 1) != 0;
  return int64_t{part} - (negative ? int64_t{1} << bits : 0);
}

uint32_t Dp4a(const Inst& inst, uint32_t a, uint32_t b, uint32_t c) {
  int64_t sum = c;
  for (uint32_t i = 0; i < 4; ++i) {
    sum += PartOf(inst.type, a, 8, i) * PartOf(inst.source_type, b, 8, i);
  }
  return static_cast<uint32_t>(sum);
}

uint32_t Dp2a(const Inst& inst, uint32_t a, uint32_t b, uint32_t c) {
  const uint32_t first = inst.modifiers.mul_part == ptx::MulPart::kHi ? 2 : 0;
  int64_t sum = c;
  for (uint32_t i = 0; i < 2; ++i) {
    sum += PartOf(inst.type, a, 16, i) * PartOf(inst.source_type, b, 8, first + i);
  }
  return static_cast<uint32_t>(sum);
}

uint32_t Mad24(const Inst& inst, uint32_t a, uint32_t b, uint32_t c) {
  const int64_t product = PartOf(inst.type, a, 24, 0) * PartOf(inst.type, b, 24, 0);
  const bool high = inst.modifiers.mul_part == ptx::MulPart::kHi;
  const auto part = static_cast<uint32_t>(high ? product >> 16 : product);
  if (!inst.modifiers.saturate) return part + c;
  const int64_t sum = int64_t{static_cast<int32_t>(part)} + static_cast<int32_t>(c);
  return static_cast<uint32_t>(std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX));
}

uint32_t Vabsdiff4(const Inst& inst, uint32_t a, uint32_t b, uint32_t c) {
  uint32_t result = inst.modifiers.accumulate ? c : 0;
  for (uint32_t i = 0; i < 4; ++i) {
    int64_t difference =
        std::abs(PartOf(inst.source_type, a, 8, i) - PartOf(inst.third_type, b, 8, i));
    if (inst.modifiers.accumulate) {
      // The lane's difference is of the destination's type before it is added.
      result += static_cast<uint32_t>(difference);
      continue;
    }
    const int64_t most = ptx::IsSigned(inst.type) ? 127 : 255;
    if (inst.modifiers.saturate) difference = std::min(difference, most);
    result |= (static_cast<uint32_t>(difference) & 255) << (8 * i);
  }
  return result;
}

// a where c >= 0, else b; a NaN is not.
template <class T, bool kFloat>
void Slct(Context& c, const Inst& inst, LaneMask mask) {
  const T* a = Source<T>(c, inst.source[0]);
  const T* b = Source<T>(c, inst.source[1]);
  const uint32_t* condition = Source<uint32_t>(c, inst.source[2]);
  ForLanes(Destination<T>(c, inst.destination), mask, [&](uint32_t i) {
    bool holds = static_cast<int32_t>(condition[i]) >= 0;
    if constexpr (kFloat) {
      const float value = FromLane<float>(condition[i]);
      holds = (inst.modifiers.flush_to_zero ? FlushIf<true>(value) : value) >= 0.0F;
    }
    return holds ? a[i] : b[i];
  });
}

// The sign of a, the rest of b.
template <class T>
void Copysign(Context& c, const Inst& inst, LaneMask mask) {
  const T* a = Source<T>(c, inst.source[0]);
  const T* b = Source<T>(c, inst.source[1]);
  constexpr T kSign = T{1} << (8 * sizeof(T) - 1);
  ForLanes(Destination<T>(c, inst.destination), mask,
           [&](uint32_t i) { return (a[i] & kSign) | (b[i] & ~kSign); });
}

// Zeros count as normal (PTX ISA 9.7.3.1).
template <class T, int kMantissa>
bool IsOfClass(NumberClass wanted, T bits) {
  const T magnitude = bits & (~T{0} >> 1);
  const T infinity = (~T{0} >> 1) >> kMantissa << kMantissa;
  const bool subnormal = magnitude != 0 && magnitude < (T{1} << kMantissa);
  switch (wanted) {
    case NumberClass::kFinite:
      return magnitude < infinity;
    case NumberClass::kInfinite:
      return magnitude == infinity;
    case NumberClass::kNumber:
      return magnitude <= infinity;
    case NumberClass::kNotanumber:
      return magnitude > infinity;
    case NumberClass::kNormal:
      return magnitude < infinity && !subnormal;
    default:
      return subnormal;
  }
}

template <class T, int kMantissa>
void Testp(Context& c, const Inst& inst, LaneMask mask) {
  const T* a = Source<T>(c, inst.source[0]);
  const LaneMask result = MaskOf(
      [&](uint32_t i) { return IsOfClass<T, kMantissa>(inst.modifiers.number_class, a[i]); });
  WritePredicate(c, inst.destination, mask, result);
}

}  // namespace

Handler SelectRare(const ptx::Instruction& instruction) {
  const bool wide = ptx::SizeInBytes(instruction.type) == 8;
  switch (instruction.opcode) {
    case Opcode::kBfind:
      if (wide) return ptx::IsSigned(instruction.type) ? Bfind<int64_t> : Bfind<uint64_t>;
      return ptx::IsSigned(instruction.type) ? Bfind<int32_t> : Bfind<uint32_t>;
    case Opcode::kBmsk:
      return Words<Bmsk>;
    case Opcode::kSzext:
      return Words<Szext>;
    case Opcode::kShf:
      return Words<Shf>;
    case Opcode::kLop3:
      if (instruction.modifiers.boolean_op != ptx::BooleanOp::kNone) return Lop3Predicate;
      return Words<Lop3>;
    case Opcode::kCvtPack:
      return Words<CvtPack>;
    case Opcode::kFns:
      return Words<Fns>;
    case Opcode::kPrmt:
      return Words<Prmt>;
    case Opcode::kDp4a:
      return Words<Dp4a>;
    case Opcode::kDp2a:
      return Words<Dp2a>;
    case Opcode::kMul24:
    case Opcode::kMad24:
      return Words<Mad24>;
    case Opcode::kVabsdiff4:
      return Words<Vabsdiff4>;
    case Opcode::kSlct:
      if (instruction.source_type == ptx::Type::kF32) {
        return wide ? Slct<uint64_t, true> : Slct<uint32_t, true>;
      }
      return wide ? Slct<uint64_t, false> : Slct<uint32_t, false>;
    case Opcode::kCopysign:
      return wide ? Copysign<uint64_t> : Copysign<uint32_t>;
    case Opcode::kTestp:
      return wide ? Testp<uint64_t, 52> : Testp<uint32_t, 23>;
    default:
      return nullptr;
  }
}

}  // namespace flagstone::simt
