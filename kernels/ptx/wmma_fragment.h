// How the registers of a wmma's matrix lie in a warp: as those of mma.sync.
#ifndef FLAGSTONE_KERNELS_PTX_WMMA_FRAGMENT_H_
#define FLAGSTONE_KERNELS_PTX_WMMA_FRAGMENT_H_

#include <algorithm>
#include <cstdint>

#include "kernels/ptx/wmma.h"

namespace flagstone::ptx {

// The lanes of a group of four share a place on one axis ("across"),
// where tiles have 8 places, and have `per` neighbours each on the other ("along").
struct WmmaFragment {
  Type type = Type::kNone;
  uint32_t across = 0;  // tiles
  uint32_t along = 0;
  uint32_t per = 0;
  uint32_t per_register = 0;
  uint32_t per_word = 1;    // elements of the matrix in one of these: more than one below a byte
  bool sum = false;         // C or D
  bool neighbours = false;  // those along stand side by side in memory

  uint32_t Bytes() const { return static_cast<uint32_t>(SizeInBytes(ElementType())); }
  Type ElementType() const {
    return type == Type::kTf32 ? Type::kB32 : type == Type::kBf16 ? Type::kF16 : type;
  }
  uint32_t RegistersOfTile() const { return per / per_register; }
  uint32_t Count() const { return across * along * RegistersOfTile(); }
  // The first register of a tile: as mma has it, in pairs of tiles one below the other; of B, the
  // tiles along come first.
  uint32_t FirstOf(uint32_t i, uint32_t j, bool is_b) const {
    const uint32_t pair = std::min(across, 2U);
    const uint32_t tile = is_b ? i * along + j : (i / pair * along + j) * pair + i % pair;
    return tile * RegistersOfTile();
  }
};

// Whether the product that is made is the transposed one.
bool IsTransposed(const WmmaForm& form);
// Whether the matrix is mma's B in the product that is made.
bool IsB(const WmmaForm& form, char matrix);
WmmaFragment WmmaFragmentOf(const WmmaForm& form, char matrix, Type type);

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_KERNELS_PTX_WMMA_FRAGMENT_H_
