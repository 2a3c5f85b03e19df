#include "analyzer/address/integer_ops.h"

#include <algorithm>
#include <bit>

namespace flagstone {
namespace {

using ptx::Comparison;
using ptx::MulPart;
using ptx::Opcode;
using ptx::Type;

__extension__ typedef __int128 Wide;
__extension__ typedef unsigned __int128 UnsignedWide;

bool Compare(Comparison comparison, uint64_t a, uint64_t b, Type type) {
  const int width = BitWidth(type);
  a = Truncate(a, width);
  b = Truncate(b, width);
  const bool less = ptx::IsSigned(type) ? SignExtend(a, width) < SignExtend(b, width) : a < b;
  switch (comparison) {
    case Comparison::kEq:
      return a == b;
    case Comparison::kNe:
      return a != b;
    case Comparison::kLt:
      return less;
    case Comparison::kLe:
      return less || a == b;
    case Comparison::kGt:
      return !less && a != b;
    case Comparison::kGe:
      return !less;
    case Comparison::kLo:
      return a < b;
    case Comparison::kLs:
      return a <= b;
    case Comparison::kHi:
      return a > b;
    default:
      return a >= b;  // kHs
  }
}

uint64_t MultiplyHigh(uint64_t a, uint64_t b, Type type) {
  const int width = BitWidth(type);
  if (ptx::IsSigned(type)) {
    const Wide product = static_cast<Wide>(SignExtend(a, width)) * SignExtend(b, width);
    return static_cast<uint64_t>(product >> width);
  }
  const UnsignedWide product = static_cast<UnsignedWide>(Truncate(a, width)) * Truncate(b, width);
  return static_cast<uint64_t>(product >> width);
}

uint64_t Extend(uint64_t bits, Type type) {
  const int width = BitWidth(type);
  return ptx::IsSigned(type) ? static_cast<uint64_t>(SignExtend(bits, width))
                             : Truncate(bits, width);
}

uint64_t Multiply(const ptx::Instruction& i, uint64_t a, uint64_t b) {
  switch (i.modifiers.mul_part) {
    case MulPart::kHi:
      return MultiplyHigh(a, b, i.type);
    case MulPart::kWide:
      return Extend(a, i.type) * Extend(b, i.type);
    default:
      return a * b;
  }
}

std::optional<uint64_t> Divide(Opcode opcode, uint64_t a, uint64_t b, Type type) {
  const int width = BitWidth(type);
  if (Truncate(b, width) == 0) return std::nullopt;
  if (ptx::IsSigned(type)) {
    const int64_t x = SignExtend(a, width);
    const int64_t y = SignExtend(b, width);
    if (y == -1) return opcode == Opcode::kDiv ? uint64_t{0} - static_cast<uint64_t>(x) : 0;
    return static_cast<uint64_t>(opcode == Opcode::kDiv ? x / y : x % y);
  }
  const uint64_t x = Truncate(a, width);
  const uint64_t y = Truncate(b, width);
  return opcode == Opcode::kDiv ? x / y : x % y;
}

uint64_t ShiftRight(uint64_t value, uint64_t amount, Type type) {
  const int width = BitWidth(type);
  const uint64_t by = std::min<uint64_t>(Truncate(amount, 32), static_cast<uint64_t>(width));
  if (ptx::IsSigned(type)) {
    const int64_t x = SignExtend(value, width);
    return static_cast<uint64_t>(by > 63 ? x >> 63 : x >> by);
  }
  return by > 63 ? 0 : Truncate(value, width) >> by;
}

uint64_t ExtractBits(uint64_t value, uint64_t position, uint64_t length, Type type) {
  const int width = BitWidth(type);
  const auto bits = static_cast<uint64_t>(width);
  const uint64_t pos = position & 0xff;
  const uint64_t len = length & 0xff;
  value = Truncate(value, width);
  const uint64_t top = std::min(pos + len, bits) - 1;  // only used when len > 0
  const uint64_t sign = ptx::IsSigned(type) && len > 0 ? value >> std::min(top, bits - 1) & 1 : 0;
  const uint64_t field = pos >= bits ? 0 : value >> pos;
  const uint64_t kept = pos >= bits ? 0 : std::min(len, bits - pos);
  const uint64_t mask = kept >= 64 ? ~uint64_t{0} : (uint64_t{1} << kept) - 1;
  return sign != 0 ? field | ~mask : field & mask;
}

uint64_t InsertBits(uint64_t field, uint64_t into, uint64_t position, uint64_t length, Type type) {
  const auto bits = static_cast<uint64_t>(BitWidth(type));
  const uint64_t pos = position & 0xff;
  const uint64_t len = length & 0xff;
  if (pos >= bits || len == 0) return into;
  const uint64_t kept = std::min(len, bits - pos);
  const uint64_t mask = (kept >= 64 ? ~uint64_t{0} : (uint64_t{1} << kept) - 1) << pos;
  return (into & ~mask) | (field << pos & mask);
}

std::optional<uint64_t> Convert(const ptx::Instruction& i, uint64_t value) {
  if (ptx::IsFloat(i.type) || ptx::IsFloat(i.source_type)) return std::nullopt;
  const uint64_t wide = Extend(value, i.source_type);
  if (!i.modifiers.saturate) return Extend(wide, i.type);
  const int width = BitWidth(i.type);
  const Wide exact = ptx::IsSigned(i.source_type) ? static_cast<Wide>(static_cast<int64_t>(wide))
                                                  : static_cast<Wide>(wide);
  const bool to_signed = ptx::IsSigned(i.type);
  const Wide low = to_signed ? -(static_cast<Wide>(1) << (width - 1)) : 0;
  const Wide high = (static_cast<Wide>(1) << (to_signed ? width - 1 : width)) - 1;
  return static_cast<uint64_t>(std::clamp(exact, low, high));
}

std::optional<uint64_t> SetPredicate(const ptx::Instruction& i, std::span<const uint64_t> s) {
  if (ptx::IsFloat(i.type)) return std::nullopt;
  const bool compared = Compare(i.modifiers.comparison, s[0], s[1], i.type);
  const bool other = s.size() > 2 && (s[2] & 1) != 0;
  switch (i.modifiers.boolean_op) {
    case ptx::BooleanOp::kAnd:
      return compared && other;
    case ptx::BooleanOp::kOr:
      return compared || other;
    case ptx::BooleanOp::kXor:
      return compared != other;
    case ptx::BooleanOp::kNone:
      break;
  }
  return compared;
}

size_t SourceCount(Opcode opcode) {
  switch (opcode) {
    case Opcode::kAbs:
    case Opcode::kBrev:
    case Opcode::kClz:
    case Opcode::kCvt:
    case Opcode::kCvta:
    case Opcode::kMov:
    case Opcode::kNeg:
    case Opcode::kNot:
    case Opcode::kPopc:
      return 1;
    case Opcode::kAdd:
    case Opcode::kAnd:
    case Opcode::kDiv:
    case Opcode::kMax:
    case Opcode::kMin:
    case Opcode::kMul:
    case Opcode::kOr:
    case Opcode::kRem:
    case Opcode::kSetp:
    case Opcode::kShl:
    case Opcode::kShr:
    case Opcode::kSub:
    case Opcode::kXor:
      return 2;
    case Opcode::kBfe:
    case Opcode::kMad:
    case Opcode::kSad:
    case Opcode::kSelp:
      return 3;
    case Opcode::kBfi:
      return 4;
    default:
      return 0;
  }
}

std::optional<uint64_t> Compute(const ptx::Instruction& i, std::span<const uint64_t> s) {
  const int width = BitWidth(i.type);
  const auto less = [&](uint64_t a, uint64_t b) { return Compare(Comparison::kLt, a, b, i.type); };
  switch (i.opcode) {
    case Opcode::kMov:
      return s[0];
    case Opcode::kCvta:  // only global and constant memory sit at their generic addresses
      if (i.space != ptx::Space::kGlobal && i.space != ptx::Space::kConst) return std::nullopt;
      return s[0];
    case Opcode::kAdd:
      return s[0] + s[1];
    case Opcode::kSub:
      return s[0] - s[1];
    case Opcode::kMul:
      return Multiply(i, s[0], s[1]);
    case Opcode::kMad:
      return Multiply(i, s[0], s[1]) + s[2];
    case Opcode::kDiv:
    case Opcode::kRem:
      return Divide(i.opcode, s[0], s[1], i.type);
    case Opcode::kNeg:
      return uint64_t{0} - s[0];
    case Opcode::kAbs:
      return SignExtend(s[0], width) < 0 ? uint64_t{0} - s[0] : s[0];
    case Opcode::kMin:
      return less(s[0], s[1]) ? s[0] : s[1];
    case Opcode::kMax:
      return less(s[0], s[1]) ? s[1] : s[0];
    case Opcode::kSad:
      return s[2] + (less(s[0], s[1]) ? s[1] - s[0] : s[0] - s[1]);
    case Opcode::kAnd:
      return s[0] & s[1];
    case Opcode::kOr:
      return s[0] | s[1];
    case Opcode::kXor:
      return s[0] ^ s[1];
    case Opcode::kNot:
      return ~s[0];
    case Opcode::kShl:
      return Truncate(s[1], 32) >= static_cast<uint64_t>(width) ? 0 : s[0] << Truncate(s[1], 32);
    case Opcode::kShr:
      return ShiftRight(s[0], s[1], i.type);
    case Opcode::kSelp:
      return (s[2] & 1) != 0 ? s[0] : s[1];
    case Opcode::kSetp:
      return SetPredicate(i, s);
    case Opcode::kCvt:
      return Convert(i, s[0]);
    case Opcode::kBfe:
      return ExtractBits(s[0], s[1], s[2], i.type);
    case Opcode::kBfi:
      return InsertBits(s[0], s[1], s[2], s[3], i.type);
    case Opcode::kPopc:
      return static_cast<uint64_t>(std::popcount(Truncate(s[0], width)));
    case Opcode::kClz:
      return static_cast<uint64_t>(std::countl_zero(Truncate(s[0], width)) - (64 - width));
    case Opcode::kBrev: {
      uint64_t reversed = 0;
      for (int bit = 0; bit < width; ++bit) reversed = reversed << 1 | (s[0] >> bit & 1);
      return reversed;
    }
    default:
      return std::nullopt;
  }
}

}  // namespace

uint64_t Truncate(uint64_t bits, int bits_wide) {
  return bits_wide >= 64 ? bits : bits & ((uint64_t{1} << bits_wide) - 1);
}

int64_t SignExtend(uint64_t bits, int bits_wide) {
  if (bits_wide >= 64) return static_cast<int64_t>(bits);
  const int shift = 64 - bits_wide;
  return static_cast<int64_t>(bits << shift) >> shift;
}

bool IsModular(const ptx::Instruction& instruction) {
  const ptx::Modifiers& m = instruction.modifiers;
  return !ptx::IsFloat(instruction.type) && !ptx::IsPackedInteger(instruction.type) &&
         !m.saturate && !m.relu;
}

int BitWidth(ptx::Type type) { return type == Type::kPred ? 1 : 8 * ptx::SizeInBytes(type); }

std::optional<uint64_t> EvaluateInteger(const ptx::Instruction& instruction,
                                        std::span<const uint64_t> sources) {
  // setp and cvt judge their types themselves; selp and mov only move bits.
  const Opcode opcode = instruction.opcode;
  const bool judges = opcode == Opcode::kSetp || opcode == Opcode::kCvt;
  const bool moves = opcode == Opcode::kMov || opcode == Opcode::kSelp;
  if (!judges && !moves && !IsModular(instruction)) return std::nullopt;
  const size_t needed = SourceCount(opcode);
  if (needed == 0 || sources.size() < needed || BitWidth(instruction.type) == 0) {
    return std::nullopt;
  }
  const std::optional<uint64_t> result = Compute(instruction, sources);
  if (!result) return result;
  int width = BitWidth(instruction.type);
  if (instruction.modifiers.mul_part == MulPart::kWide) width *= 2;
  if (opcode == Opcode::kSetp) width = 1;
  if (opcode == Opcode::kPopc || opcode == Opcode::kClz) width = 32;
  // cvt to a type narrower than its register extends by that type's sign.
  if (opcode == Opcode::kCvt) return *result;
  return Truncate(*result, width);
}

}  // namespace flagstone
