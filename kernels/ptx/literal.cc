// Float literals.
#include "kernels/ptx/literal.h"

#include <bit>
#include <charconv>
#include <cstdlib>
#include <string>

namespace flagstone::ptx {

FloatLiteral ParseFloat(std::string_view text) {
  const char letter = text.size() > 1 ? static_cast<char>(text[1] | 0x20) : ' ';
  if (text[0] == '0' && (letter == 'f' || letter == 'd')) {
    FloatLiteral literal{letter == 'f' ? Type::kF32 : Type::kF64, 0, false};
    std::from_chars(text.data() + 2, text.data() + text.size(), literal.bits, 16);
    return literal;
  }
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  // from_chars leaves the value alone when it is out of range; strtod gives 0 or infinity.
  if (error == std::errc::result_out_of_range) {
    value = std::strtod(std::string(text).c_str(), nullptr);
  }
  return {Type::kF64, std::bit_cast<uint64_t>(value), true};
}

uint64_t ConvertFloat(const FloatLiteral& literal, Type to) {
  if (literal.type == to) return literal.bits;
  if (to == Type::kF32) {
    return std::bit_cast<uint32_t>(static_cast<float>(std::bit_cast<double>(literal.bits)));
  }
  const auto narrow = static_cast<uint32_t>(literal.bits);
  return std::bit_cast<uint64_t>(static_cast<double>(std::bit_cast<float>(narrow)));
}

}  // namespace flagstone::ptx
