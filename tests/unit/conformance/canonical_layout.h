// Where the element of a matrix lies in shared memory, as the canonical layouts of the PTX ISA have
// it (sections 9.7.15.5 and 9.7.16.3), and what a descriptor says of that.
#ifndef FLAGSTONE_TESTS_UNIT_CONFORMANCE_CANONICAL_LAYOUT_H_
#define FLAGSTONE_TESTS_UNIT_CONFORMANCE_CANONICAL_LAYOUT_H_

#include <cstdint>
#include <vector>

namespace flagstone::conformance {

// How a matrix lies in shared memory.
struct Layout {
  uint32_t width = 16;      // bytes of the swizzling pattern: 16 (none), 32, 64, 128
  bool transposed = false;  // neighbours are those of a column of A, of a row of B
  uint32_t offset = 0;      // of a matrix of rows: bytes along the pattern's width
  uint32_t first_row = 0;   // lines of 128 bytes by which the pattern begins behind its own size
  bool pairs = false;       // of 128 bytes: 32 stay together
};

class CanonicalLayout {
 public:
  // Of elements of so many bits, so many of them along k.
  CanonicalLayout(const Layout& layout, uint32_t bits, uint32_t depth);

  // Leading and stride dimension, and the base offset; then the swizzle of wgmma, or of tcgen05
  // with its constant.
  uint64_t Strides() const;
  uint64_t WgmmaMode() const;
  uint64_t TensorMemoryMode() const;
  // In bits. `row`: of A, or the column of B. Elements below a byte are packed, 16 into the first
  // bytes of 16.
  uint64_t Place(uint32_t row, uint32_t k) const;

 private:
  Layout layout_;
  uint32_t bits_;
  bool swizzles_;
  uint32_t lines_;  // of k in a group, where it is transposed
  uint32_t stride_ = 0, leading_ = 0;
};

void PutBits(std::vector<uint8_t>* image, uint64_t place, uint32_t bits, uint64_t value);

}  // namespace flagstone::conformance

#endif  // FLAGSTONE_TESTS_UNIT_CONFORMANCE_CANONICAL_LAYOUT_H_
