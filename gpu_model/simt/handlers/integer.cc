// Integer arithmetic: add, sub, mul, mad, sad, div, rem, abs, neg, min, max (PTX ISA 9.7.1).
#include <type_traits>

#include "gpu_model/simt/handlers/lanes.h"

namespace flagstone::simt::FLAGSTONE_SIMT_VARIANT {
namespace {

using ptx::MulPart;
using ptx::Opcode;

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 Uint128;

// Arithmetic that wraps is done on the unsigned lane type: signed overflow is undefined in C++.
template <class T>
using Wrap = Lane<T>;

template <class T>
FLAGSTONE_INLINE Wrap<T> W(T value) {
  return ToLane<Wrap<T>>(value);
}

// The type of twice the width, for products.
template <class T>
struct Wider;
template <>
struct Wider<uint16_t> {
  using Type = uint32_t;
};
template <>
struct Wider<int16_t> {
  using Type = int32_t;
};
template <>
struct Wider<uint32_t> {
  using Type = uint64_t;
};
template <>
struct Wider<int32_t> {
  using Type = int64_t;
};
template <>
struct Wider<uint64_t> {
  using Type = Uint128;
};
template <>
struct Wider<int64_t> {
  using Type = Int128;
};
template <class T>
using WiderType = typename Wider<T>::Type;

template <class T>
FLAGSTONE_INLINE T High(T a, T b) {
  using V = WiderType<T>;
  return static_cast<T>(static_cast<V>(static_cast<V>(a) * static_cast<V>(b)) >> (8 * sizeof(T)));
}

FLAGSTONE_INLINE int32_t ClampToInt32(int64_t value) {
  return value > INT32_MAX   ? INT32_MAX
         : value < INT32_MIN ? INT32_MIN
                             : static_cast<int32_t>(value);
}

struct Add {
  template <class T>
  FLAGSTONE_INLINE static T Apply(T a, T b) {
    return static_cast<T>(W(a) + W(b));
  }
};
struct Sub {
  template <class T>
  FLAGSTONE_INLINE static T Apply(T a, T b) {
    return static_cast<T>(W(a) - W(b));
  }
};
struct AddSaturated {
  template <class T>
  FLAGSTONE_INLINE static T Apply(T a, T b) {
    return ClampToInt32(int64_t{a} + b);
  }
};
struct SubSaturated {
  template <class T>
  FLAGSTONE_INLINE static T Apply(T a, T b) {
    return ClampToInt32(int64_t{a} - b);
  }
};
struct MulLow {
  template <class T>
  FLAGSTONE_INLINE static T Apply(T a, T b) {
    return static_cast<T>(W(a) * W(b));
  }
};
struct MulHigh {
  template <class T>
  FLAGSTONE_INLINE static T Apply(T a, T b) {
    return High(a, b);
  }
};
struct MulWide {
  template <class T>
  FLAGSTONE_INLINE static auto Apply(T a, T b) {
    using V = WiderType<T>;
    return static_cast<V>(static_cast<V>(a) * static_cast<V>(b));
  }
};
struct MadLow {
  template <class T>
  FLAGSTONE_INLINE static T Apply(T a, T b, T c) {
    return static_cast<T>(W(a) * W(b) + W(c));
  }
};
struct MadHigh {
  template <class T>
  FLAGSTONE_INLINE static T Apply(T a, T b, T c) {
    return Add::Apply(High(a, b), c);
  }
};
struct MadHighSaturated {
  template <class T>
  FLAGSTONE_INLINE static T Apply(T a, T b, T c) {
    return AddSaturated::Apply(High(a, b), c);
  }
};
struct MadWide {
  template <class T, class R>
  FLAGSTONE_INLINE static R Apply(T a, T b, R c) {
    return Add::Apply(static_cast<R>(MulWide::Apply(a, b)), c);
  }
};
// |a - b| + c
struct Sad {
  template <class T>
  FLAGSTONE_INLINE static T Apply(T a, T b, T c) {
    const Wrap<T> difference = a < b ? W(b) - W(a) : W(a) - W(b);
    return static_cast<T>(difference + W(c));
  }
};
// By zero the ISA leaves the result open: all ones here, as the hardware gives; the remainder is a.
// The most negative number divided by -1 wraps to itself.
struct Div {
  template <class T>
  FLAGSTONE_INLINE static T Apply(T a, T b) {
    if (b == 0) return static_cast<T>(~Wrap<T>{0});
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) return static_cast<T>(Wrap<T>{0} - W(a));
    }
    return static_cast<T>(a / b);
  }
};
struct Rem {
  template <class T>
  FLAGSTONE_INLINE static T Apply(T a, T b) {
    if (b == 0) return a;
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) return 0;
    }
    return static_cast<T>(a % b);
  }
};
struct Min {
  template <class T>
  FLAGSTONE_INLINE static T Apply(T a, T b) {
    return a < b ? a : b;
  }
};
struct Max {
  template <class T>
  FLAGSTONE_INLINE static T Apply(T a, T b) {
    return a > b ? a : b;
  }
};
struct Abs {
  template <class T>
  FLAGSTONE_INLINE static T Apply(T a) {
    return a < 0 ? static_cast<T>(Wrap<T>{0} - W(a)) : a;
  }
};
struct Neg {
  template <class T>
  FLAGSTONE_INLINE static T Apply(T a) {
    return static_cast<T>(Wrap<T>{0} - W(a));
  }
};

template <class Op>
Handler AnyUnary(ptx::Type type) {
  return ForInteger(type, []<class T>() -> Handler {
    if constexpr (std::is_signed_v<T>) return Unary<Op, T>;
    return nullptr;
  });
}

template <class Op>
Handler AnyBinary(ptx::Type type) {
  return ForInteger(type, []<class T>() -> Handler { return Binary<Op, T>; });
}

template <class Op>
Handler AnyTernary(ptx::Type type) {
  return ForInteger(type, []<class T>() -> Handler { return Ternary<Op, T>; });
}

template <class Op>
Handler WideBinary(ptx::Type type) {
  return ForInteger(type, []<class T>() -> Handler {
    if constexpr (sizeof(T) < 8) return Binary<Op, T, WiderType<T>>;
    return nullptr;
  });
}

template <class Op>
Handler WideTernary(ptx::Type type) {
  return ForInteger(type, []<class T>() -> Handler {
    if constexpr (sizeof(T) < 8) return Ternary<Op, T, WiderType<T>>;
    return nullptr;
  });
}

}  // namespace

Handler SelectInteger(const ptx::Instruction& instruction) {
  const ptx::Type type = instruction.type;
  const ptx::Modifiers& m = instruction.modifiers;
  if (m.saturate) {
    if (type != ptx::Type::kS32) return nullptr;
    switch (instruction.opcode) {
      case Opcode::kAdd:
        return Binary<AddSaturated, int32_t>;
      case Opcode::kSub:
        return Binary<SubSaturated, int32_t>;
      case Opcode::kMad:
        return m.mul_part == MulPart::kHi ? Ternary<MadHighSaturated, int32_t> : nullptr;
      default:
        return nullptr;
    }
  }
  switch (instruction.opcode) {
    case Opcode::kAdd:
      return AnyBinary<Add>(type);
    case Opcode::kSub:
      return AnyBinary<Sub>(type);
    case Opcode::kMul:
      if (m.mul_part == MulPart::kWide) return WideBinary<MulWide>(type);
      return m.mul_part == MulPart::kHi ? AnyBinary<MulHigh>(type) : AnyBinary<MulLow>(type);
    case Opcode::kMad:
      if (m.mul_part == MulPart::kWide) return WideTernary<MadWide>(type);
      return m.mul_part == MulPart::kHi ? AnyTernary<MadHigh>(type) : AnyTernary<MadLow>(type);
    case Opcode::kSad:
      return AnyTernary<Sad>(type);
    case Opcode::kDiv:
      return AnyBinary<Div>(type);
    case Opcode::kRem:
      return AnyBinary<Rem>(type);
    case Opcode::kMin:
      return AnyBinary<Min>(type);
    case Opcode::kMax:
      return AnyBinary<Max>(type);
    case Opcode::kAbs:
      return AnyUnary<Abs>(type);
    case Opcode::kNeg:
      return AnyUnary<Neg>(type);
    default:
      return nullptr;
  }
}

}  // namespace flagstone::simt::FLAGSTONE_SIMT_VARIANT
