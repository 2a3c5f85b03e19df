// A texture: texels in a buffer, and how coordinates find them (CUDA C++ Programming Guide,
// "Texture Fetching").
#ifndef FLAGSTONE_KERNELS_LAUNCH_TEXTURE_H_
#define FLAGSTONE_KERNELS_LAUNCH_TEXTURE_H_

#include <cstdint>
#include <string>

#include "kernels/launch/element_type.h"
#include "kernels/ptx/location.h"

namespace flagstone {

// What a coordinate outside of the texture reads.
enum class AddressMode : uint8_t { kClamp, kWrap, kMirror, kBorder };

// Texels lie in the buffer one after the other without gaps, x fastest, then y, z and the layer;
// a cube's faces are its layers, in the order +x, -x, +y, -y, +z, -z.
struct TextureSpec {
  std::string name;
  std::string buffer;
  uint64_t offset = 0;  // bytes of the buffer before the first texel
  uint32_t width = 1, height = 1, depth = 1, layers = 1;
  uint32_t channels = 1;  // elements of the buffer in a texel: 1, 2 or 4
  AddressMode address_mode = AddressMode::kClamp;
  bool linear = false;            // filters between texels; else the nearest one
  bool normalized = false;        // coordinates are fractions of the size
  bool normalized_float = false;  // integer texels are read as fractions of their largest value
  ptx::Location location;         // in workload.toml

  uint64_t Texels() const { return uint64_t{width} * height * depth * layers; }
};

// A texture of a launch, bound to device memory.
struct Texture : TextureSpec {
  ElementType type = ElementType::kF32;
  uint64_t base = 0;  // device address of the first texel
};

// What kernels name the i-th texture of a launch by: the "address" of a .texref variable, and the
// value of a texture argument. No pointer has this value.
inline constexpr uint64_t kTextureHandles = uint64_t{0x54} << 56;
// A sampler that nothing describes: each texture is read as its own table says.
inline constexpr uint64_t kOwnSampler = 0;
inline constexpr uint64_t TextureHandle(size_t index) { return kTextureHandles + index; }

}  // namespace flagstone

#endif  // FLAGSTONE_KERNELS_LAUNCH_TEXTURE_H_
