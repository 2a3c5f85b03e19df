// Numbers as people read them.
#ifndef FLAGSTONE_BASE_NUMBERS_H_
#define FLAGSTONE_BASE_NUMBERS_H_

#include <cstdint>
#include <string>

namespace flagstone {

// 1234567 -> "1,234,567"
inline std::string Grouped(uint64_t value) {
  std::string digits = std::to_string(value);
  for (size_t i = digits.size(); i > 3;) {
    i -= 3;
    digits.insert(i, 1, ',');
  }
  return digits;
}

}  // namespace flagstone

#endif  // FLAGSTONE_BASE_NUMBERS_H_
