// Texels of a texture: where they lie in device memory, and what a fetch makes of them (CUDA C++
// Programming Guide, "Texture Fetching").
//
// Left open there and chosen here: a channel that the texture does not have is 0; linear weights
// are rounded to the nearest of 257 steps, the sum of the weighted texels is formed in double
// precision and rounded once.
#ifndef FLAGSTONE_GPU_MODEL_SIMT_HANDLERS_TEXELS_H_
#define FLAGSTONE_GPU_MODEL_SIMT_HANDLERS_TEXELS_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "kernels/launch/device_memory.h"
#include "kernels/launch/texture.h"

namespace flagstone::simt {

// Where a lane reads: coordinates in texels (normalized ones already multiplied by the size).
struct TexturePlace {
  double x = 0, y = 0, z = 0;
  uint32_t layer = 0;
};

class Texels {
 public:
  Texels(const DeviceMemory& memory, const Texture& texture)
      : memory_(memory),
        texture_(texture),
        element_bytes_(SizeInBytes(texture.type)),
        mode_(texture.address_mode) {}

  // The device address of the first texel that a place touches, which timing charges for; one
  // outside of the texture counts as the nearest inside.
  uint64_t Address(const TexturePlace& place, uint32_t dimensions) const;

  // The four results of a fetch, as bits.
  std::array<uint32_t, 4> At(const TexturePlace& place, uint32_t dimensions) const;

 private:
  uint64_t AddressOf(int64_t x, int64_t y, int64_t z, uint32_t layer) const;
  // Null in the border.
  const std::byte* Texel(int64_t x, int64_t y, int64_t z, uint32_t layer,
                         uint32_t dimensions) const;
  // Two neighbours along each axis, weighted in 1.8 fixed point.
  std::array<double, 4> Filter(const TexturePlace& place, uint32_t dimensions) const;

  const DeviceMemory& memory_;
  const Texture& texture_;
  uint64_t element_bytes_;
  AddressMode mode_;
};

}  // namespace flagstone::simt

#endif  // FLAGSTONE_GPU_MODEL_SIMT_HANDLERS_TEXELS_H_
