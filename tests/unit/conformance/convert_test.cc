// cvt in all its forms against a host oracle (PTX ISA 9.7.9). Every source is exact in long double.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "tests/unit/conformance/coverage.h"
#include "tests/unit/conformance/float_oracles.h"

namespace flagstone::conformance {
namespace convert_test {

static_assert(std::numeric_limits<long double>::digits >= 64);
__extension__ typedef __int128 Wide;

using ptx::Type;

// Calls visit(T{}) with the C++ type.
template <class Visit>
auto ForType(Type type, Visit visit) {
  switch (type) {
    case Type::kU8:
      return visit(uint8_t{});
    case Type::kS8:
      return visit(int8_t{});
    case Type::kU16:
      return visit(uint16_t{});
    case Type::kS16:
      return visit(int16_t{});
    case Type::kU32:
      return visit(uint32_t{});
    case Type::kS32:
      return visit(int32_t{});
    case Type::kU64:
      return visit(uint64_t{});
    case Type::kS64:
      return visit(int64_t{});
    case Type::kF32:
      return visit(float{});
    default:
      return visit(double{});
  }
}

long double ToIntegral(Rounding mode, long double value) {
  switch (mode) {
    case Rounding::kRni:
      return std::nearbyint(value);
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

// Without .sat an integer keeps its low bits.
template <class D, class S>
D BetweenIntegers(bool saturate, S a) {
  using Limits = std::numeric_limits<D>;
  if (!saturate) return static_cast<D>(a);
  return static_cast<D>(std::clamp<Wide>(a, Limits::min(), Limits::max()));
}

// Clamped always; NaN gives 0, or the top bit where a type of 64 bits takes part.
template <class D, class S>
D FloatToInteger(Rounding mode, S a) {
  using Limits = std::numeric_limits<D>;
  if (a != a) {
    constexpr bool kWide = sizeof(D) == 8 || sizeof(S) == 8;
    return kWide ? static_cast<D>(uint64_t{1} << (8 * sizeof(D) - 1)) : D{0};
  }
  const long double value = ToIntegral(mode, static_cast<long double>(a));
  if (value >= static_cast<long double>(Limits::max())) return Limits::max();
  if (value <= static_cast<long double>(Limits::min())) return Limits::min();
  return static_cast<D>(value);
}

template <class D>
D ToFloating(const ptx::Modifiers& m, long double value) {
  const long double exact = ToIntegral(m.rounding, value);
  const D nearest = static_cast<D>(exact);
  const long double difference = static_cast<long double>(nearest) - exact;
  const bool directed = m.rounding >= Rounding::kRz && m.rounding <= Rounding::kRp;
  const int side = difference > 0 ? 1 : difference < 0 ? -1 : 0;
  D result = directed && std::isfinite(exact) ? Directed(m.rounding, nearest, side) : nearest;
  if constexpr (std::is_same_v<D, float>) {
    if (m.flush_to_zero) result = Flush(result);
  }
  return m.saturate ? Saturated(result) : Canonical(result);
}

template <class D, class S>
D Converted(const ptx::Modifiers& m, S a) {
  if constexpr (std::is_same_v<S, float>) {
    if (m.flush_to_zero) a = Flush(a);
  }
  if constexpr (std::is_floating_point_v<D>) {
    return ToFloating<D>(m, static_cast<long double>(a));
  } else if constexpr (std::is_floating_point_v<S>) {
    return FloatToInteger<D>(m.rounding, a);
  } else {
    return BetweenIntegers<D>(m.saturate, a);
  }
}

class ConvertTo : public testing::TestWithParam<Type> {};

TEST_P(ConvertTo, GivesTheIsasResultFromEveryType) {
  for (const Form& form : FormsOf({ptx::Opcode::kCvt})) {
    if (form.instruction.type != GetParam()) continue;
    const Type source = form.instruction.source_type;
    if (source >= Type::kF16 && source <= Type::kE3m2x4) continue;  // half_test.cc has them
    ForType(form.instruction.type, [&](auto to) {
      ForType(form.instruction.source_type, [&](auto from) {
        using D = decltype(to);
        using S = decltype(from);
        Conforms<D, S>(form.head + " {r}, {a};",
                       [&](S a) { return Converted<D>(form.instruction.modifiers, a); });
      });
    });
  }
}
INSTANTIATE_TEST_SUITE_P(Types, ConvertTo,
                         testing::Values(Type::kU8, Type::kS8, Type::kU16, Type::kS16, Type::kU32,
                                         Type::kS32, Type::kU64, Type::kS64, Type::kF32,
                                         Type::kF64),
                         [](const auto& type) { return std::string(ptx::ToString(type.param)); });

// Registers may be wider than the integer types.
TEST(WideRegisters, AreReadInPartAndWrittenWhole) {
  Conforms<uint32_t, uint32_t>("cvt.s32.s8 {r}, {a};", [](uint32_t a) {
    return static_cast<uint32_t>(static_cast<int32_t>(static_cast<int8_t>(a)));
  });
  Conforms<uint64_t, uint64_t>("cvt.u32.u16 {r}, {a};",
                               [](uint64_t a) { return static_cast<uint64_t>(a & 0xffff); });
  Conforms<uint64_t, uint32_t>("cvt.u32.s8 {r}, {a};", [](uint32_t a) {
    return static_cast<uint64_t>(static_cast<uint32_t>(static_cast<int8_t>(a)));
  });
}

}  // namespace convert_test
}  // namespace flagstone::conformance
