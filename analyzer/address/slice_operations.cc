// The operations that addresses are mostly made of, each as a function of its own. They give what
// EvaluateInteger() gives (tests/unit/analyzer/address/slice_operations_test.cc).
#include <array>
#include <type_traits>

#include "analyzer/address/slice_program.h"

namespace flagstone {
namespace {

using ptx::Comparison;
using ptx::MulPart;
using ptx::Opcode;
using ptx::Type;

// Values lie zero-extended in their slots, whatever their signs.
template <class T>
uint64_t Slot(T value) {
  return static_cast<std::make_unsigned_t<T>>(value);
}

template <class T>
struct Of {
  using U = std::make_unsigned_t<T>;
  // Of a width that holds each product of two values whole.
  using Wide =
      std::conditional_t<sizeof(T) == 2, std::conditional_t<std::is_signed_v<T>, int32_t, uint32_t>,
                         std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>>;

  static uint64_t Move(uint64_t a, uint64_t, uint64_t) { return static_cast<U>(a); }
  static uint64_t Select(uint64_t a, uint64_t b, uint64_t c) {
    return static_cast<U>((c & 1) != 0 ? a : b);
  }
  static uint64_t Add(uint64_t a, uint64_t b, uint64_t) { return static_cast<U>(a + b); }
  static uint64_t Sub(uint64_t a, uint64_t b, uint64_t) { return static_cast<U>(a - b); }
  static uint64_t MulLow(uint64_t a, uint64_t b, uint64_t) { return static_cast<U>(a * b); }
  static uint64_t MadLow(uint64_t a, uint64_t b, uint64_t c) { return static_cast<U>(a * b + c); }
  static uint64_t MulWide(uint64_t a, uint64_t b, uint64_t) {
    return Slot<Wide>(static_cast<Wide>(static_cast<T>(a)) * static_cast<Wide>(static_cast<T>(b)));
  }
  static uint64_t MadWide(uint64_t a, uint64_t b, uint64_t c) {
    return static_cast<std::make_unsigned_t<Wide>>(MulWide(a, b, 0) + c);
  }
  static uint64_t And(uint64_t a, uint64_t b, uint64_t) { return static_cast<U>(a & b); }
  static uint64_t Or(uint64_t a, uint64_t b, uint64_t) { return static_cast<U>(a | b); }
  static uint64_t Xor(uint64_t a, uint64_t b, uint64_t) { return static_cast<U>(a ^ b); }
  static uint64_t Min(uint64_t a, uint64_t b, uint64_t) {
    return static_cast<T>(a) < static_cast<T>(b) ? static_cast<U>(a) : static_cast<U>(b);
  }
  static uint64_t Max(uint64_t a, uint64_t b, uint64_t) {
    return static_cast<T>(a) < static_cast<T>(b) ? static_cast<U>(b) : static_cast<U>(a);
  }
  static uint64_t ShiftLeft(uint64_t a, uint64_t b, uint64_t) {
    const auto by = static_cast<uint32_t>(b);
    return by >= 8 * sizeof(T) ? 0 : static_cast<U>(a << by);
  }
  template <Comparison kCompare>
  static uint64_t Holds(uint64_t a, uint64_t b, uint64_t) {
    const T x = static_cast<T>(a);
    const T y = static_cast<T>(b);
    if constexpr (kCompare == Comparison::kEq) return x == y ? 1 : 0;
    if constexpr (kCompare == Comparison::kNe) return x != y ? 1 : 0;
    if constexpr (kCompare == Comparison::kLt) return x < y ? 1 : 0;
    if constexpr (kCompare == Comparison::kLe) return x <= y ? 1 : 0;
    if constexpr (kCompare == Comparison::kGt) return x > y ? 1 : 0;
    if constexpr (kCompare == Comparison::kGe) return x >= y ? 1 : 0;
  }

  static SliceOperation Compared(Comparison comparison) {
    static constexpr std::array<SliceOperation, 6> kHolds = {
        Holds<Comparison::kEq>, Holds<Comparison::kNe>, Holds<Comparison::kLt>,
        Holds<Comparison::kLe>, Holds<Comparison::kGt>, Holds<Comparison::kGe>};
    const auto at = static_cast<size_t>(comparison) - static_cast<size_t>(Comparison::kEq);
    return at < kHolds.size() ? kHolds[at] : nullptr;
  }

  static SliceOperation Find(const ptx::Instruction& i) {
    const MulPart part = i.modifiers.mul_part;
    switch (i.opcode) {
      case Opcode::kAdd:
        return Add;
      case Opcode::kSub:
        return Sub;
      case Opcode::kMul:
        if (part == MulPart::kWide && sizeof(T) < 8) return MulWide;
        return part == MulPart::kLo ? MulLow : nullptr;
      case Opcode::kMad:
        if (part == MulPart::kWide && sizeof(T) < 8) return MadWide;
        return part == MulPart::kLo ? MadLow : nullptr;
      case Opcode::kAnd:
        return And;
      case Opcode::kOr:
        return Or;
      case Opcode::kXor:
        return Xor;
      case Opcode::kMin:
        return Min;
      case Opcode::kMax:
        return Max;
      case Opcode::kShl:
        return ShiftLeft;
      case Opcode::kSetp:
        return i.modifiers.boolean_op == ptx::BooleanOp::kNone ? Compared(i.modifiers.comparison)
                                                               : nullptr;
      case Opcode::kMov:
        return Move;
      case Opcode::kSelp:
        return Select;
      default:
        return nullptr;
    }
  }
};

}  // namespace

SliceOperation OperationOf(const ptx::Instruction& instruction) {
  switch (instruction.type) {
    case Type::kU16:
    case Type::kB16:
      return Of<uint16_t>::Find(instruction);
    case Type::kS16:
      return Of<int16_t>::Find(instruction);
    case Type::kU32:
    case Type::kB32:
      return Of<uint32_t>::Find(instruction);
    case Type::kS32:
      return Of<int32_t>::Find(instruction);
    case Type::kU64:
    case Type::kB64:
      return Of<uint64_t>::Find(instruction);
    case Type::kS64:
      return Of<int64_t>::Find(instruction);
    default:
      return nullptr;
  }
}

}  // namespace flagstone
