#include "tests/unit/conformance/canonical_layout.h"

#include <algorithm>

namespace flagstone::conformance {
namespace {

constexpr uint32_t kUnit = 16;
constexpr uint32_t kPad = 1024;  // between groups of rows, so that no distance is the least one

}  // namespace

CanonicalLayout::CanonicalLayout(const Layout& layout, uint32_t bits, uint32_t depth)
    : layout_(layout), bits_(bits), swizzles_(layout.width > kUnit), lines_(layout.pairs ? 4 : 8) {
  const uint32_t group = std::max(8 * layout.width, kPad);
  const uint32_t groups_of_k = std::max(2U, depth / lines_);
  if (!layout.transposed) {
    stride_ = group + kPad;
    leading_ = swizzles_ ? 0 : 64 * kPad;  // without swizzling from one half of a row to the other
  } else if (swizzles_) {
    stride_ = group + kPad;                   // from a group of k to the next
    leading_ = groups_of_k * stride_ + kPad;  // from a pattern's width to the next
  } else {
    leading_ = 8 * kUnit + 32;              // from eight k to the next
    stride_ = groups_of_k * leading_ + 48;  // from a unit of rows to the next
  }
}

uint64_t CanonicalLayout::Strides() const {
  return uint64_t{leading_ / 16} << 16 | uint64_t{stride_ / 16} << 32 |
         uint64_t{layout_.first_row} << 49;
}

uint64_t CanonicalLayout::WgmmaMode() const {
  const uint64_t mode = layout_.width == 128  ? 1
                        : layout_.width == 64 ? 2
                        : layout_.width == 32 ? 3
                                              : 0;
  return mode << 62;
}

uint64_t CanonicalLayout::TensorMemoryMode() const {
  const uint64_t mode = layout_.pairs          ? 1
                        : layout_.width == 128 ? 2
                        : layout_.width == 64  ? 4
                        : layout_.width == 32  ? 6
                                               : 0;
  return mode << 61 | uint64_t{1} << 46;
}

uint64_t CanonicalLayout::Place(uint32_t row, uint32_t k) const {
  const uint32_t width = layout_.width;
  uint32_t group = 0, line = 0, byte = 0;  // of eight lines; the line; in the line
  uint32_t bit = 0;
  if (!layout_.transposed) {
    const bool packed = bits_ == 4 || bits_ == 6;
    const uint32_t at =
        packed ? k / kUnit * kUnit * 8 + k % kUnit * bits_ : k * bits_ + 8 * layout_.offset;
    bit = at % 8;
    line = row % 8;
    group = row / 8 * stride_;
    byte = at / 8;
    if (!swizzles_) {
      group += byte / kUnit * leading_;
      byte %= kUnit;
    }
  } else {
    const uint32_t bytes = row * bits_ / 8;
    line = k % lines_;
    if (swizzles_) {
      group = k / lines_ * stride_ + bytes / width * leading_;
    } else {
      group = k / 8 * leading_ + bytes / width * stride_;
    }
    byte = bytes % width;
  }
  // A line of 128 bytes holds several of the pattern's lines. Its number changes the unit, or the
  // pair of units.
  const uint32_t line_of_128 = line * width / 128;
  uint32_t unit = byte / kUnit;
  if (layout_.pairs) {
    unit = ((unit / 2) ^ (line_of_128 % 4)) * 2 + unit % 2;
  } else if (swizzles_) {
    unit ^= line_of_128 % (width / kUnit);
  } else {
    unit = 0;
  }
  return 8 * uint64_t{group + line * width + unit * kUnit + byte % kUnit} + bit;
}

void PutBits(std::vector<uint8_t>* image, uint64_t place, uint32_t bits, uint64_t value) {
  for (uint32_t i = 0; i < bits; ++i) {
    const uint64_t at = place + i;
    const auto bit = static_cast<uint8_t>(1U << (at % 8));
    uint8_t& byte = image->at(at / 8);
    byte = static_cast<uint8_t>((byte & ~bit) | ((value >> i & 1) != 0 ? bit : 0));
  }
}

}  // namespace flagstone::conformance
