#include "gpu_model/simt/bulk_reduce.h"

#include <algorithm>
#include <cstring>

#include "gpu_model/simt/handlers/float_ops.h"
#include "gpu_model/simt/handlers/lanes.h"
#include "gpu_model/simt/handlers/narrow_float.h"

namespace flagstone::simt {
namespace {

using namespace baseline;  // NOLINT: this file belongs to the baseline set
using ptx::AtomicOp;
using ptx::Type;

template <class T, T (*kNew)(T old, T operand)>
void Reduce(std::byte* to, const std::byte* from, uint64_t bytes) {
  for (uint64_t at = 0; at < bytes; at += sizeof(T)) {
    T old, operand;
    std::memcpy(&old, to + at, sizeof(T));
    std::memcpy(&operand, from + at, sizeof(T));
    const T result = kNew(old, operand);
    std::memcpy(to + at, &result, sizeof(T));
  }
}

template <class T>
T Sum(T old, T operand) {
  return static_cast<T>(old + operand);
}
template <class T>
T Least(T old, T operand) {
  return std::min(old, operand);
}
template <class T>
T Greatest(T old, T operand) {
  return std::max(old, operand);
}
template <class T>
T And(T old, T operand) {
  return old & operand;
}
template <class T>
T Or(T old, T operand) {
  return old | operand;
}
template <class T>
T Xor(T old, T operand) {
  return old ^ operand;
}
uint32_t Up(uint32_t old, uint32_t limit) { return old >= limit ? 0 : old + 1; }
uint32_t Down(uint32_t old, uint32_t limit) { return old == 0 || old > limit ? limit : old - 1; }

// Of f32 the ISA has subnormals become zeros here, though not elsewhere.
float SumOfSingles(float old, float operand) {
  return Finish<true, false>(FlushIf<true>(old) + FlushIf<true>(operand));
}
double SumOfDoubles(double old, double operand) { return Finish<false, false>(old + operand); }

template <Type kType, AtomicOp kOp>
uint16_t NewHalf(uint16_t old, uint16_t operand) {
  const NarrowFormat& format = FormatOf(kType);
  const double a = FromNarrow(old, format);
  const double b = FromNarrow(operand, format);
  const double result = kOp == AtomicOp::kAdd ? a + b : Extreme(kOp == AtomicOp::kMax, false, a, b);
  return static_cast<uint16_t>(ToNarrow(result, format, ptx::Rounding::kRn));
}

template <AtomicOp kOp>
BulkReducer OfHalves(Type type) {
  if (type == Type::kF16) return Reduce<uint16_t, NewHalf<Type::kF16, kOp>>;
  if (type == Type::kBf16) return Reduce<uint16_t, NewHalf<Type::kBf16, kOp>>;
  return nullptr;
}

BulkReducer OfSum(Type type) {
  switch (type) {
    case Type::kF32:
      return Reduce<float, SumOfSingles>;
    case Type::kF64:
      return Reduce<double, SumOfDoubles>;
    case Type::kU32:
    case Type::kS32:
      return Reduce<uint32_t, Sum<uint32_t>>;
    case Type::kU64:
      return Reduce<uint64_t, Sum<uint64_t>>;
    default:
      return OfHalves<AtomicOp::kAdd>(type);
  }
}

BulkReducer OfLeast(Type type) {
  switch (type) {
    case Type::kU32:
      return Reduce<uint32_t, Least<uint32_t>>;
    case Type::kS32:
      return Reduce<int32_t, Least<int32_t>>;
    case Type::kU64:
      return Reduce<uint64_t, Least<uint64_t>>;
    case Type::kS64:
      return Reduce<int64_t, Least<int64_t>>;
    default:
      return OfHalves<AtomicOp::kMin>(type);
  }
}

BulkReducer OfGreatest(Type type) {
  switch (type) {
    case Type::kU32:
      return Reduce<uint32_t, Greatest<uint32_t>>;
    case Type::kS32:
      return Reduce<int32_t, Greatest<int32_t>>;
    case Type::kU64:
      return Reduce<uint64_t, Greatest<uint64_t>>;
    case Type::kS64:
      return Reduce<int64_t, Greatest<int64_t>>;
    default:
      return OfHalves<AtomicOp::kMax>(type);
  }
}

}  // namespace

BulkReducer ReducerOf(const Inst& inst) {
  const bool wide = ptx::SizeInBytes(inst.type) == 8;
  switch (inst.modifiers.atomic_op) {
    case AtomicOp::kAdd:
      return OfSum(inst.type);
    case AtomicOp::kMin:
      return OfLeast(inst.type);
    case AtomicOp::kMax:
      return OfGreatest(inst.type);
    case AtomicOp::kInc:
      return Reduce<uint32_t, Up>;
    case AtomicOp::kDec:
      return Reduce<uint32_t, Down>;
    case AtomicOp::kAnd:
      return wide ? Reduce<uint64_t, And<uint64_t>> : Reduce<uint32_t, And<uint32_t>>;
    case AtomicOp::kOr:
      return wide ? Reduce<uint64_t, Or<uint64_t>> : Reduce<uint32_t, Or<uint32_t>>;
    case AtomicOp::kXor:
      return wide ? Reduce<uint64_t, Xor<uint64_t>> : Reduce<uint32_t, Xor<uint32_t>>;
    default:
      return nullptr;
  }
}

}  // namespace flagstone::simt
