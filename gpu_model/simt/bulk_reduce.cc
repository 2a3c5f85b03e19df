#include "gpu_model/simt/bulk_reduce.h"

#include <cstring>

#include "gpu_model/simt/handlers/atomic_value.h"
#include "gpu_model/simt/handlers/float_ops.h"

namespace flagstone::simt {
namespace {

using namespace baseline;  // NOLINT: this file belongs to the baseline set
using ptx::AtomicOp;
using ptx::Type;

template <class T, class Combine>
void ForElements(std::byte* to, const std::byte* from, uint64_t bytes, Combine combine) {
  for (uint64_t at = 0; at < bytes; at += sizeof(T)) {
    T old, operand;
    std::memcpy(&old, to + at, sizeof(T));
    std::memcpy(&operand, from + at, sizeof(T));
    const T result = combine(old, operand);
    std::memcpy(to + at, &result, sizeof(T));
  }
}

template <AtomicOp kOp, class T>
void Reduce(std::byte* to, const std::byte* from, uint64_t bytes) {
  ForElements<T>(to, from, bytes,
                 [](T old, T operand) { return NewValue<kOp>(old, operand, T{}); });
}

template <AtomicOp kOp, Type kType>
void ReduceHalves(std::byte* to, const std::byte* from, uint64_t bytes) {
  ForElements<uint16_t>(to, from, bytes, [](uint16_t old, uint16_t operand) {
    return static_cast<uint16_t>(NewHalf(kOp, FormatOf(kType), old, operand));
  });
}

// Of f32 the ISA has subnormals become zeros here, though not elsewhere.
void SumSingles(std::byte* to, const std::byte* from, uint64_t bytes) {
  ForElements<float>(to, from, bytes, [](float old, float operand) {
    return Finish<true, false>(FlushIf<true>(old) + FlushIf<true>(operand));
  });
}

template <AtomicOp kOp>
BulkSlots::Reducer OfIntegers(Type type) {
  switch (type) {
    case Type::kS32:
      return Reduce<kOp, int32_t>;
    case Type::kS64:
      return Reduce<kOp, int64_t>;
    default:
      return ptx::SizeInBytes(type) == 8 ? Reduce<kOp, uint64_t> : Reduce<kOp, uint32_t>;
  }
}

template <AtomicOp kOp>
BulkSlots::Reducer OfNumbers(Type type) {
  if (type == Type::kF16) return ReduceHalves<kOp, Type::kF16>;
  if (type == Type::kBf16) return ReduceHalves<kOp, Type::kBf16>;
  return OfIntegers<kOp>(type);
}

}  // namespace

BulkSlots::Reducer ReducerOf(AtomicOp op, Type type) {
  switch (op) {
    case AtomicOp::kAdd:
      if (type == Type::kF32) return SumSingles;
      if (type == Type::kF64) return Reduce<AtomicOp::kAdd, double>;
      return OfNumbers<AtomicOp::kAdd>(type);
    case AtomicOp::kMin:
      return OfNumbers<AtomicOp::kMin>(type);
    case AtomicOp::kMax:
      return OfNumbers<AtomicOp::kMax>(type);
    case AtomicOp::kInc:
      return Reduce<AtomicOp::kInc, uint32_t>;
    case AtomicOp::kDec:
      return Reduce<AtomicOp::kDec, uint32_t>;
    case AtomicOp::kAnd:
      return OfIntegers<AtomicOp::kAnd>(type);
    case AtomicOp::kOr:
      return OfIntegers<AtomicOp::kOr>(type);
    case AtomicOp::kXor:
      return OfIntegers<AtomicOp::kXor>(type);
    default:
      return nullptr;
  }
}

// PTX ISA, section 9.7.9.27.1.3. Singles are flushed as those of plain bulk copies (assumption: the
// ISA says it of these alone).
BulkSlots::Reducer TensorReducer(AtomicOp op, TensorType type) {
  const bool word = type == TensorType::kU32 || type == TensorType::kS32;
  const bool wide = type == TensorType::kU64 || type == TensorType::kS64;
  const bool single = type == TensorType::kF32 || type == TensorType::kF32Ftz;
  const bool half = type == TensorType::kF16 || type == TensorType::kBf16;
  switch (op) {
    case AtomicOp::kAdd:
      if (!word && type != TensorType::kU64 && !single && !half) return nullptr;
      break;
    case AtomicOp::kMin:
    case AtomicOp::kMax:
      if (!word && !wide && !half) return nullptr;
      break;
    case AtomicOp::kInc:
    case AtomicOp::kDec:
      if (type != TensorType::kU32) return nullptr;
      break;
    default:
      if (!word && !wide) return nullptr;
      break;
  }
  const Type element = type == TensorType::kBf16  ? Type::kBf16
                       : half                     ? Type::kF16
                       : single                   ? Type::kF32
                       : type == TensorType::kS32 ? Type::kS32
                       : type == TensorType::kS64 ? Type::kS64
                       : wide                     ? Type::kU64
                                                  : Type::kU32;
  return ReducerOf(op, element);
}

}  // namespace flagstone::simt
