// txq and suq (PTX ISA 9.7.9.5): what a texture is.
#include <fmt/core.h>

#include <bit>

#include "gpu_model/simt/faults.h"
#include "gpu_model/simt/handlers/handlers.h"
#include "gpu_model/simt/handlers/lanes.h"
#include "kernels/launch/texture.h"

namespace flagstone::simt {
namespace {

using namespace baseline;  // NOLINT: this file belongs to the baseline set

// OpenCL's enumerations of channels, as the ISA has them (section 5.3.2).
uint32_t DataTypeOf(const Texture& texture) {
  const bool fraction = texture.normalized_float;
  switch (texture.type) {
    case ElementType::kS8:
      return fraction ? 0x10d0 : 0x10d7;
    case ElementType::kU8:
      return fraction ? 0x10d2 : 0x10da;
    case ElementType::kS16:
      return fraction ? 0x10d1 : 0x10d8;
    case ElementType::kU16:
      return fraction ? 0x10d3 : 0x10db;
    case ElementType::kS32:
      return 0x10d9;
    case ElementType::kU32:
      return 0x10dc;
    default:
      return 0x10de;
  }
}

uint32_t OrderOf(const Texture& texture) {
  constexpr uint32_t kR = 0x10b0, kRg = 0x10b2, kRgba = 0x10b5;
  return texture.channels == 1 ? kR : texture.channels == 2 ? kRg : kRgba;
}

// wrap, mirror, clamp_ogl, clamp_to_edge, clamp_to_border
uint32_t AddressModeOf(const Texture& texture) {
  switch (texture.address_mode) {
    case AddressMode::kWrap:
      return 0;
    case AddressMode::kMirror:
      return 1;
    case AddressMode::kClamp:
      return 3;
    default:
      return 4;
  }
}

uint32_t Answer(const Texture& texture, ptx::TextureQuery query) {
  using enum ptx::TextureQuery;
  switch (query) {
    case kWidth:
      return texture.width;
    case kHeight:
      return texture.height;
    case kDepth:
      return texture.depth;
    case kArraySize:
      return texture.layers;
    case kChannelDataType:
      return DataTypeOf(texture);
    case kChannelOrder:
      return OrderOf(texture);
    case kNormalizedCoords:
      return texture.normalized ? 1 : 0;
    case kFilterMode:
      return texture.linear ? 1 : 0;
    case kAddrMode0:
    case kAddrMode1:
    case kAddrMode2:
      return AddressModeOf(texture);
    case kForceUnnormalizedCoords:
      return texture.normalized ? 0 : 1;
    default:
      return 1;  // levels, samples; texels lie in rows, without tiles
  }
}

void QueryTexture(Context& c, const Inst& inst, LaneMask mask) {
  const std::vector<Texture>& textures = c.program->launch().textures;
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    const uint64_t handle = Source<uint64_t>(c, inst.source[0])[lane];
    const uint64_t index = handle - kTextureHandles;
    if (index >= textures.size()) {
      ThrowOfWarp(c, inst, fmt::format("{:#x} is no texture's handle: query", handle));
    }
    Destination<uint32_t>(c, inst.destination)[lane] =
        Answer(textures[index], inst.modifiers.query);
  }
}
}  // namespace

Handler SelectTextureQuery() { return QueryTexture; }

}  // namespace flagstone::simt
