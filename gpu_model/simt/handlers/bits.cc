// Logic, shifts and bit fields: and, or, xor, not, shl, shr, bfe, bfi, popc, clz, brev, prmt
// (PTX ISA 9.7.1, 9.7.8).
#include <type_traits>

#include "gpu_model/simt/handlers/lanes.h"

namespace flagstone::simt::FLAGSTONE_SIMT_VARIANT {
namespace {

using ptx::Opcode;

template <class T>
constexpr uint32_t kBits = 8 * sizeof(T);

struct And {
  template <class T>
  FLAGSTONE_INLINE static T Apply(T a, T b) {
    return static_cast<T>(a & b);
  }
};
struct Or {
  template <class T>
  FLAGSTONE_INLINE static T Apply(T a, T b) {
    return static_cast<T>(a | b);
  }
};
struct Xor {
  template <class T>
  FLAGSTONE_INLINE static T Apply(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};
struct Not {
  template <class T>
  FLAGSTONE_INLINE static T Apply(T a) {
    return static_cast<T>(~a);
  }
};
// Shift amounts are 32-bit and clamp at the width.
struct Shl {
  template <class T>
  FLAGSTONE_INLINE static T Apply(T a, uint32_t n) {
    const T shifted = static_cast<T>(a << (n & (kBits<T> - 1)));
    return n < kBits<T> ? shifted : T{0};
  }
};
struct Shr {
  template <class T>
  FLAGSTONE_INLINE static T Apply(T a, uint32_t n) {
    if constexpr (std::is_signed_v<T>) {
      return static_cast<T>(a >> (n < kBits<T> ? n : kBits<T> - 1));
    } else {
      const T shifted = static_cast<T>(a >> (n & (kBits<T> - 1)));
      return n < kBits<T> ? shifted : T{0};
    }
  }
};
// Bit field extract: `length` bits from `position` (both modulo 256); above the field, and above
// the source's top bit, zeros or copies of the field's sign.
struct Bfe {
  template <class T>
  FLAGSTONE_INLINE static T Apply(T a, uint32_t b, uint32_t c) {
    using U = std::make_unsigned_t<T>;
    const uint32_t position = b & 255;
    const uint32_t length = c & 255;
    constexpr uint32_t kMsb = kBits<T> - 1;
    const U bits = static_cast<U>(a);
    U sign = 0;
    if (std::is_signed_v<T> && length != 0) {
      const uint32_t at = position + length - 1 < kMsb ? position + length - 1 : kMsb;
      sign = (bits >> at) & 1;
    }
    const U shifted = position <= kMsb ? bits >> position : U{0};
    const uint32_t kept = position > kMsb                ? 0
                          : kBits<T> - position < length ? kBits<T> - position
                                                         : length;
    const U field = kept >= kBits<T> ? ~U{0} : (U{1} << kept) - 1;
    return static_cast<T>((shifted & field) | (sign != 0 ? ~field : U{0}));
  }
};
// Bit field insert: the low `length` bits of a into b at `position`.
struct Bfi {
  template <class T>
  FLAGSTONE_INLINE static T Apply(T a, T b, uint32_t c, uint32_t d) {
    const uint32_t position = c & 255;
    const uint32_t length = d & 255;
    if (position >= kBits<T> || length == 0) return b;
    const T ones = length >= kBits<T> ? ~T{0} : static_cast<T>((T{1} << length) - 1);
    const T field = static_cast<T>(ones << position);
    return static_cast<T>((b & ~field) | ((a << position) & field));
  }
};
struct Popc {
  template <class T>
  FLAGSTONE_INLINE static uint32_t Apply(T a) {
    return static_cast<uint32_t>(__builtin_popcountll(a));
  }
};
struct Clz {
  template <class T>
  FLAGSTONE_INLINE static uint32_t Apply(T a) {
    const uint64_t v = a;
    return a == 0 ? kBits<T> : static_cast<uint32_t>(__builtin_clzll(v | 1)) - (64 - kBits<T>);
  }
};
struct Brev {
  template <class T>
  FLAGSTONE_INLINE static T Apply(T a) {
    uint64_t v = a;
    v = ((v >> 1) & 0x5555555555555555U) | ((v & 0x5555555555555555U) << 1);
    v = ((v >> 2) & 0x3333333333333333U) | ((v & 0x3333333333333333U) << 2);
    v = ((v >> 4) & 0x0f0f0f0f0f0f0f0fU) | ((v & 0x0f0f0f0f0f0f0f0fU) << 4);
    return static_cast<T>(__builtin_bswap64(v) >> (64 - kBits<T>));
  }
};
// Byte permute, default mode: each nibble of c picks one of the bytes b7..b0 of {b, a}; its top bit
// asks for the byte's sign in all eight bits.
struct Prmt {
  template <class T>
  FLAGSTONE_INLINE static T Apply(T a, T b, T c) {
    const uint64_t bytes = uint64_t{b} << 32 | a;
    uint32_t result = 0;
    for (uint32_t i = 0; i < 4; ++i) {
      const uint32_t selector = (c >> (4 * i)) & 15;
      const uint32_t byte = static_cast<uint32_t>(bytes >> (8 * (selector & 7))) & 255;
      const uint32_t sign = (byte & 128) != 0 ? 255 : 0;
      result |= ((selector & 8) != 0 ? sign : byte) << (8 * i);
    }
    return result;
  }
};

template <class Op, class T>
void Shift(Context& c, const Inst& inst, LaneMask mask) {
  const Lane<T>* a = Source<Lane<T>>(c, inst.source[0]);
  const uint32_t* n = Source<uint32_t>(c, inst.source[1]);
  ForLanes(Destination<Lane<T>>(c, inst.destination), mask,
           [=](uint32_t i) { return ToLane<Lane<T>>(Op::Apply(FromLane<T>(a[i]), n[i])); });
}

template <class T>
void BitFieldExtract(Context& c, const Inst& inst, LaneMask mask) {
  const Lane<T>* a = Source<Lane<T>>(c, inst.source[0]);
  const uint32_t* position = Source<uint32_t>(c, inst.source[1]);
  const uint32_t* length = Source<uint32_t>(c, inst.source[2]);
  ForLanes(Destination<Lane<T>>(c, inst.destination), mask, [=](uint32_t i) {
    return ToLane<Lane<T>>(Bfe::Apply(FromLane<T>(a[i]), position[i], length[i]));
  });
}

template <class T>
void BitFieldInsert(Context& c, const Inst& inst, LaneMask mask) {
  const T* a = Source<T>(c, inst.source[0]);
  const T* b = Source<T>(c, inst.source[1]);
  const uint32_t* position = Source<uint32_t>(c, inst.source[2]);
  const uint32_t* length = Source<uint32_t>(c, inst.source[3]);
  ForLanes(Destination<T>(c, inst.destination), mask,
           [=](uint32_t i) { return Bfi::Apply(a[i], b[i], position[i], length[i]); });
}

template <class Op>
Handler Logic(ptx::Type type) {
  return ForBits(type, []<class T>() -> Handler { return Binary<Op, T>; });
}

// Of b32 and b64 only, with a 32-bit result.
template <class Op>
Handler Count(ptx::Type type) {
  return ForBits(type, []<class T>() -> Handler {
    if constexpr (sizeof(T) >= 4) return Unary<Op, T, uint32_t>;
    return nullptr;
  });
}

Handler ShiftRight(ptx::Type type) {
  const auto visitor = []<class T>() -> Handler { return Shift<Shr, T>; };
  const Handler bits = ForBits(type, visitor);
  return bits != nullptr ? bits : ForInteger(type, visitor);
}

}  // namespace

Handler SelectBits(const ptx::Instruction& instruction) {
  const ptx::Type type = instruction.type;
  switch (instruction.opcode) {
    case Opcode::kAnd:
      return Logic<And>(type);
    case Opcode::kOr:
      return Logic<Or>(type);
    case Opcode::kXor:
      return Logic<Xor>(type);
    case Opcode::kNot:
      return ForBits(type, []<class T>() -> Handler { return Unary<Not, T>; });
    case Opcode::kShl:
      return ForBits(type, []<class T>() -> Handler { return Shift<Shl, T>; });
    case Opcode::kShr:
      return ShiftRight(type);
    case Opcode::kPopc:
      return Count<Popc>(type);
    case Opcode::kClz:
      return Count<Clz>(type);
    case Opcode::kBrev:
      return ForBits(type, []<class T>() -> Handler {
        if constexpr (sizeof(T) >= 4) return Unary<Brev, T>;
        return nullptr;
      });
    case Opcode::kPrmt:
      if (instruction.modifiers.permute_mode != ptx::PermuteMode::kNone) return nullptr;
      return type == ptx::Type::kB32 ? Ternary<Prmt, uint32_t> : nullptr;
    case Opcode::kBfe:
      return ForInteger(type, []<class T>() -> Handler {
        if constexpr (sizeof(T) >= 4) return BitFieldExtract<T>;
        return nullptr;
      });
    case Opcode::kBfi:
      return ForBits(type, []<class T>() -> Handler {
        if constexpr (sizeof(T) >= 4) return BitFieldInsert<T>;
        return nullptr;
      });
    default:
      return nullptr;
  }
}

}  // namespace flagstone::simt::FLAGSTONE_SIMT_VARIANT
