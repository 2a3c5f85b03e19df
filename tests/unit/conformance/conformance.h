// One PTX instruction against a host oracle: edge values, random values, full and partial warps, on
// both sets of handlers.
#ifndef FLAGSTONE_TESTS_UNIT_CONFORMANCE_CONFORMANCE_H_
#define FLAGSTONE_TESTS_UNIT_CONFORMANCE_CONFORMANCE_H_

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace flagstone::conformance {

// An operand as the snippet's registers hold it.
enum class Kind : uint8_t { kU8, kS8, kU16, kS16, kU32, kS32, kU64, kS64, kF32, kF64, kPred, kB8 };

using Row = std::array<uint64_t, 4>;  // the operands a, b, c, d of one thread, as bits

// Executes `text`, in which {r} stands for the destination and {a}, {b}, {c}, {d} for the sources,
// once per row. Where `guarded` is set, only threads with an odd hash of their number execute it:
// the others must keep the destination's old contents, which is kUntouched.
inline constexpr uint64_t kUntouched = 0x5a5a'5a5a'5a5a'5a5aU;
std::vector<uint64_t> Execute(const std::string& text, Kind result,
                              const std::vector<Kind>& operands, const std::vector<Row>& rows,
                              bool guarded);
bool Guarded(size_t thread);  // whether the thread executes it

// Edge values of a kind, crossed, and as many random rows.
std::vector<Row> Rows(const std::vector<Kind>& operands, uint64_t seed);
uint64_t SeedOf(const std::string& text);

using Oracle = std::function<uint64_t(const Row&)>;
// Whether `got` is right; the oracle's value is given for the message.
using Judge = std::function<bool(uint64_t got, uint64_t expected, const Row& row)>;

void Check(const std::string& text, Kind result, const std::vector<Kind>& operands,
           const std::vector<Row>& rows, const Oracle& oracle, const Judge& judge);

template <class T>
constexpr Kind KindOf() {
  if constexpr (std::is_same_v<T, bool>) return Kind::kPred;
  if constexpr (std::is_same_v<T, uint8_t>) return Kind::kU8;
  if constexpr (std::is_same_v<T, int8_t>) return Kind::kS8;
  if constexpr (std::is_same_v<T, uint16_t>) return Kind::kU16;
  if constexpr (std::is_same_v<T, int16_t>) return Kind::kS16;
  if constexpr (std::is_same_v<T, uint32_t>) return Kind::kU32;
  if constexpr (std::is_same_v<T, int32_t>) return Kind::kS32;
  if constexpr (std::is_same_v<T, uint64_t>) return Kind::kU64;
  if constexpr (std::is_same_v<T, int64_t>) return Kind::kS64;
  if constexpr (std::is_same_v<T, float>) return Kind::kF32;
  if constexpr (std::is_same_v<T, double>) return Kind::kF64;
}

template <class T>
T FromBits(uint64_t bits) {
  if constexpr (std::is_same_v<T, bool>) return bits != 0;
  if constexpr (std::is_same_v<T, float>) return std::bit_cast<float>(static_cast<uint32_t>(bits));
  if constexpr (std::is_same_v<T, double>) return std::bit_cast<double>(bits);
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) return static_cast<T>(bits);
}

template <class T>
uint64_t ToBits(T value) {
  if constexpr (std::is_same_v<T, float>) return std::bit_cast<uint32_t>(value);
  if constexpr (std::is_same_v<T, double>) return std::bit_cast<uint64_t>(value);
  if constexpr (std::is_same_v<T, bool>) return value ? 1 : 0;
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    return static_cast<std::make_unsigned_t<T>>(value);
  }
}

// Conforms<int32_t, int32_t, int32_t>("add.s32 {r}, {a}, {b};", [](int32_t a, int32_t b) {...})
// The result must be the oracle's, bit for bit.
template <class R, class... Args, class F>
void Conforms(const std::string& text, F function) {
  const std::vector<Kind> operands = {KindOf<Args>()...};
  const auto oracle = [&](const Row& row) {
    return [&]<size_t... k>(std::index_sequence<k...>) {
      return ToBits<R>(static_cast<R>(function(FromBits<Args>(row[k])...)));
    }
    (std::index_sequence_for<Args...>{});
  };
  Check(text, KindOf<R>(), operands, Rows(operands, SeedOf(text)), oracle,
        [](uint64_t got, uint64_t expected, const Row&) { return got == expected; });
}

// The NaN that PTX instructions give.
inline float Canonical(float value) {
  return value != value ? std::bit_cast<float>(0x7fffffffU) : value;
}
inline double Canonical(double value) {
  return value != value ? std::bit_cast<double>(uint64_t{0xfff8000000000000U}) : value;
}

// Subnormals to zeros of the same sign.
inline float Flush(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  return (bits & 0x7f800000U) == 0 ? std::bit_cast<float>(bits & 0x80000000U) : value;
}

}  // namespace flagstone::conformance

#endif  // FLAGSTONE_TESTS_UNIT_CONFORMANCE_CONFORMANCE_H_
