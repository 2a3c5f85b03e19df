// The operations that addresses are mostly made of, each as a function of its own over the lanes of
// a warp. They give what EvaluateInteger() gives
// (tests/unit/analyzer/address/slice_operations_test.cc).
#include <algorithm>
#include <array>
#include <bit>
#include <type_traits>

#include "analyzer/address/slice_program.h"

namespace flagstone {
namespace {

using ptx::Comparison;
using ptx::MulPart;
using ptx::Opcode;
using ptx::Type;

// Applies an operation of one lane to all that are wanted.
template <auto kOperation>
bool InLanes(const SliceOperands& o) {
  if (o.lanes == kAllSliceLanes) {
    for (uint32_t lane = 0; lane < kSliceLanes; ++lane) {
      o.result[lane] = kOperation(o.a[lane], o.b[lane], o.c[lane]);
    }
    return true;
  }
  for (uint32_t lane = 0; lane < kSliceLanes; ++lane) {
    if ((o.lanes >> lane & 1) != 0) {
      o.result[lane] = kOperation(o.a[lane], o.b[lane], o.c[lane]);
    }
  }
  return true;
}

// The same for a division, which has no result where the divisor is 0.
template <class T, auto kOperation>
bool InLanesThatDivide(const SliceOperands& o) {
  for (uint32_t left = o.lanes; left != 0; left &= left - 1) {
    const auto lane = static_cast<size_t>(std::countr_zero(left));
    if (static_cast<T>(o.b[lane]) == 0) return false;
    o.result[lane] = kOperation(o.a[lane], o.b[lane], 0);
  }
  return true;
}

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
  static uint64_t MulHigh(uint64_t a, uint64_t b, uint64_t) {
    if constexpr (sizeof(T) == 8) {
      __extension__ typedef std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>
          Whole;
      return Slot<T>(
          static_cast<T>(static_cast<Whole>(static_cast<T>(a)) * static_cast<T>(b) >> 64));
    } else {
      // In 64 bits, as GCC 12 widens the vector form of a 16-bit one by the wrong sign.
      using Whole = std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>;
      return static_cast<U>(static_cast<Whole>(static_cast<T>(a)) * static_cast<T>(b) >>
                            8 * sizeof(T));
    }
  }
  static uint64_t And(uint64_t a, uint64_t b, uint64_t) { return static_cast<U>(a & b); }
  static uint64_t Or(uint64_t a, uint64_t b, uint64_t) { return static_cast<U>(a | b); }
  static uint64_t Xor(uint64_t a, uint64_t b, uint64_t) { return static_cast<U>(a ^ b); }
  // The smallest value by -1 is itself again.
  static uint64_t Divide(uint64_t a, uint64_t b, uint64_t) {
    if (std::is_signed_v<T> && static_cast<U>(b) == static_cast<U>(-1)) return Negate(a, 0, 0);
    return Slot<T>(static_cast<T>(static_cast<T>(a) / static_cast<T>(b)));
  }
  static uint64_t Remainder(uint64_t a, uint64_t b, uint64_t) {
    if (std::is_signed_v<T> && static_cast<U>(b) == static_cast<U>(-1)) return 0;
    return Slot<T>(static_cast<T>(static_cast<T>(a) % static_cast<T>(b)));
  }
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
  static uint64_t ShiftRight(uint64_t a, uint64_t b, uint64_t) {
    constexpr uint32_t kLast = 8 * sizeof(T) - 1;  // what a sign's bit is left of
    const auto by = static_cast<uint32_t>(b);
    if (by > kLast && !std::is_signed_v<T>) return 0;
    return Slot<T>(static_cast<T>(static_cast<T>(a) >> std::min(by, kLast)));
  }
  static uint64_t Negate(uint64_t a, uint64_t, uint64_t) { return static_cast<U>(0 - a); }
  static uint64_t Not(uint64_t a, uint64_t, uint64_t) { return static_cast<U>(~a); }
  // To a type of any width: registers hold a narrower one extended by its own sign.
  template <class From>
  static uint64_t Convert(uint64_t a, uint64_t, uint64_t) {
    return static_cast<uint64_t>(static_cast<int64_t>(static_cast<T>(static_cast<From>(a))));
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
        InLanes<Holds<Comparison::kEq>>, InLanes<Holds<Comparison::kNe>>,
        InLanes<Holds<Comparison::kLt>>, InLanes<Holds<Comparison::kLe>>,
        InLanes<Holds<Comparison::kGt>>, InLanes<Holds<Comparison::kGe>>};
    const auto at = static_cast<size_t>(comparison) - static_cast<size_t>(Comparison::kEq);
    return at < kHolds.size() ? kHolds[at] : nullptr;
  }

  static SliceOperation Converted(Type from) {
    switch (from) {
      case Type::kU8:
        return InLanes<Convert<uint8_t>>;
      case Type::kS8:
        return InLanes<Convert<int8_t>>;
      case Type::kU16:
        return InLanes<Convert<uint16_t>>;
      case Type::kS16:
        return InLanes<Convert<int16_t>>;
      case Type::kU32:
        return InLanes<Convert<uint32_t>>;
      case Type::kS32:
        return InLanes<Convert<int32_t>>;
      case Type::kU64:
        return InLanes<Convert<uint64_t>>;
      case Type::kS64:
        return InLanes<Convert<int64_t>>;
      default:
        return nullptr;
    }
  }

  static SliceOperation Find(const ptx::Instruction& i) {
    const MulPart part = i.modifiers.mul_part;
    switch (i.opcode) {
      case Opcode::kAdd:
        return InLanes<Add>;
      case Opcode::kSub:
        return InLanes<Sub>;
      case Opcode::kMul:
        if (part == MulPart::kHi) return InLanes<MulHigh>;
        if (part == MulPart::kWide && sizeof(T) < 8) return InLanes<MulWide>;
        return part == MulPart::kLo ? InLanes<MulLow> : nullptr;
      case Opcode::kMad:
        if (part == MulPart::kWide && sizeof(T) < 8) return InLanes<MadWide>;
        return part == MulPart::kLo ? InLanes<MadLow> : nullptr;
      case Opcode::kAnd:
        return InLanes<And>;
      case Opcode::kOr:
        return InLanes<Or>;
      case Opcode::kXor:
        return InLanes<Xor>;
      case Opcode::kMin:
        return InLanes<Min>;
      case Opcode::kMax:
        return InLanes<Max>;
      case Opcode::kShl:
        return InLanes<ShiftLeft>;
      case Opcode::kDiv:
        return InLanesThatDivide<T, Divide>;
      case Opcode::kRem:
        return InLanesThatDivide<T, Remainder>;
      case Opcode::kShr:
        return InLanes<ShiftRight>;
      case Opcode::kNeg:
        return InLanes<Negate>;
      case Opcode::kNot:
        return InLanes<Not>;
      case Opcode::kCvt:
        return i.modifiers.saturate ? nullptr : Converted(i.source_type);
      case Opcode::kSetp:
        return i.modifiers.boolean_op == ptx::BooleanOp::kNone ? Compared(i.modifiers.comparison)
                                                               : nullptr;
      case Opcode::kMov:
      case Opcode::kCvta:
        return InLanes<Move>;
      case Opcode::kSelp:
        return InLanes<Select>;
      default:
        return nullptr;
    }
  }
};

// Predicates are 0 or 1.
struct OfPredicates {
  static uint64_t Move(uint64_t a, uint64_t, uint64_t) { return a & 1; }
  static uint64_t And(uint64_t a, uint64_t b, uint64_t) { return a & b & 1; }
  static uint64_t Or(uint64_t a, uint64_t b, uint64_t) { return (a | b) & 1; }
  static uint64_t Xor(uint64_t a, uint64_t b, uint64_t) { return (a ^ b) & 1; }
  static uint64_t Not(uint64_t a, uint64_t, uint64_t) { return ~a & 1; }

  static SliceOperation Find(const ptx::Instruction& i) {
    switch (i.opcode) {
      case Opcode::kMov:
        return InLanes<Move>;
      case Opcode::kAnd:
        return InLanes<And>;
      case Opcode::kOr:
        return InLanes<Or>;
      case Opcode::kXor:
        return InLanes<Xor>;
      case Opcode::kNot:
        return InLanes<Not>;
      default:
        return nullptr;
    }
  }
};

}  // namespace

SliceOperation OperationOf(const ptx::Instruction& instruction) {
  switch (instruction.type) {
    case Type::kPred:
      return OfPredicates::Find(instruction);
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
