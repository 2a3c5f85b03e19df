#include "tests/unit/conformance/reduction_oracle.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace flagstone::conformance {
namespace {

using ptx::AtomicOp;
using ptx::Type;

double NumberOf(Type type, uint64_t bits) {
  const auto bits32 = static_cast<uint32_t>(type == Type::kBf16 ? bits << 16 : bits);
  float single = 0;
  double value = 0;
  std::memcpy(&single, &bits32, sizeof(single));
  std::memcpy(&value, &bits, sizeof(value));
  if (type == Type::kF64) return value;
  if (type != Type::kF16) return static_cast<double>(single);
  if ((bits & 0x7fff) == 0) return 0;
  const double magnitude =
      std::ldexp(1024 + (bits & 0x3ff), static_cast<int>(bits >> 10 & 31) - 25);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

}  // namespace

uint64_t BitsOf(Type type, double value) {
  const auto single = static_cast<float>(value);
  uint32_t bits = 0;
  uint64_t wide = 0;
  std::memcpy(&bits, &single, sizeof(bits));
  std::memcpy(&wide, &value, sizeof(wide));
  if (type == Type::kF64) return wide;
  if (type == Type::kF32) return bits;
  if (type == Type::kBf16) return bits >> 16;
  if (value == 0) return 0;
  return (bits >> 16 & 0x8000) | ((bits >> 23 & 0xff) - 112) << 10 | (bits >> 13 & 0x3ff);
}

uint64_t Reduced(AtomicOp op, Type type, uint64_t old, uint64_t operand) {
  const int unused = 64 - 8 * ptx::SizeInBytes(type);
  if (ptx::IsFloat(type)) {
    const double a = NumberOf(type, old), b = NumberOf(type, operand);
    return BitsOf(type, op == AtomicOp::kAdd   ? a + b
                        : op == AtomicOp::kMin ? std::min(a, b)
                                               : std::max(a, b));
  }
  const bool less = ptx::IsSigned(type) ? static_cast<int64_t>(old << unused) <
                                              static_cast<int64_t>(operand << unused)
                                        : old < operand;
  switch (op) {
    case AtomicOp::kAdd:
      return (old + operand) << unused >> unused;
    case AtomicOp::kMin:
      return less ? old : operand;
    case AtomicOp::kMax:
      return less ? operand : old;
    case AtomicOp::kInc:
      return old >= operand ? 0 : old + 1;
    case AtomicOp::kDec:
      return old == 0 || old > operand ? operand : old - 1;
    case AtomicOp::kAnd:
      return old & operand;
    case AtomicOp::kOr:
      return old | operand;
    default:
      return old ^ operand;
  }
}

}  // namespace flagstone::conformance
