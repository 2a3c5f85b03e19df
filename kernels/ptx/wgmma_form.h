// The shapes and types of wgmma.mma_async (PTX ISA, section 9.7.15): D (64 x n) = A (64 x k) B (k x
// n) + D, by the four warps of a warpgroup, of which each has 16 rows of A and D.
#ifndef FLAGSTONE_KERNELS_PTX_WGMMA_FORM_H_
#define FLAGSTONE_KERNELS_PTX_WGMMA_FORM_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "kernels/ptx/kernel.h"

namespace flagstone::ptx {

struct WgmmaForm {
  static constexpr uint32_t kWarps = 4;        // of a warpgroup
  static constexpr uint32_t kRowsOfWarp = 16;  // of A and D
  static constexpr uint32_t kRowBytes = 32;    // k elements of A or B
  static constexpr uint32_t kMostColumns = 256;
  static constexpr uint32_t kRegistersOfA = 4;  // in a lane, where A lies in registers

  Type d = Type::kNone, a = Type::kNone, b = Type::kNone;
  uint32_t n = 0;
  bool saturates = false;  // .satfinite

  uint32_t BitsOfElement() const;                                     // of A and B
  uint32_t Depth() const { return 8 * kRowBytes / BitsOfElement(); }  // k
  // In a lane.
  uint32_t RegistersOfD() const { return d == Type::kF16 ? n / 4 : n / 2; }
  bool Transposes() const { return a == Type::kF16 || a == Type::kBf16; }
  bool Negates() const { return d != Type::kS32; }
};

// What stands behind "wgmma": {"mma_async", "sync", "aligned", "m64n8k16", "f32", "f16", "f16"}.
// Nothing where the ISA has no such form, or Flagstone executes it not (products of sparse
// matrices).
std::optional<WgmmaForm> FindWgmma(const std::vector<std::string_view>& words);
// That of a parsed wgmma.mma_async.
WgmmaForm WgmmaFormOf(const Instruction& instruction);

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_KERNELS_PTX_WGMMA_FORM_H_
