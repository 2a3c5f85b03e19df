// Where a matrix of a wgmma or of tcgen05 lies in shared memory, as its descriptor of 64 bits says
// (PTX ISA, section 9.7.15.5.1): in units of 16 bytes, each a part of a row or, transposed, of a
// column.
#ifndef FLAGSTONE_GPU_MODEL_SIMT_MATRIX_DESCRIPTOR_H_
#define FLAGSTONE_GPU_MODEL_SIMT_MATRIX_DESCRIPTOR_H_

#include <cstdint>
#include <string>

#include "kernels/launch/tensor_map.h"

namespace flagstone::simt {

struct MatrixDescriptor {
  static constexpr uint32_t kUnit = 16;  // bytes
  // Bits 14, 15, 30, 31, 46 to 48 and 52 to 61 mean nothing.
  static constexpr uint64_t kUnused = 0x3ff1'c000'c000'c000;

  explicit MatrixDescriptor(uint64_t bits);
  // The one of tcgen05 (section 9.7.16.4.1), which has other bits for its swizzle.
  static MatrixDescriptor OfTensorMemory(uint64_t bits);
  // What is wrong with that one: "swizzle 3, which means nothing"; empty: nothing.
  static std::string ProblemOfTensorMemory(uint64_t bits);

  uint64_t start = 0, leading = 0, stride = 0;  // bytes
  uint64_t base_offset = 0;                     // rows of 128 bytes
  TensorSwizzle swizzle = TensorSwizzle::kNone;
  bool by_pairs = false;  // two units stay together: 128 bytes, four lines of them

  // Half 0 or 1 of a row of 32 bytes along k.
  uint64_t UnitOfRow(uint32_t row, uint32_t half) const;
  // A unit of rows (eight of 16 bits), the group's, at one k.
  uint64_t UnitOfColumn(uint32_t group, uint32_t k) const;

 private:
  uint64_t UnitsOfPattern() const { return uint64_t{1} << static_cast<unsigned>(swizzle); }
  uint64_t At(uint64_t offset) const;
};

}  // namespace flagstone::simt

#endif  // FLAGSTONE_GPU_MODEL_SIMT_MATRIX_DESCRIPTOR_H_
