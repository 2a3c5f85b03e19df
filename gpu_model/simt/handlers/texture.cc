// tex (PTX ISA 9.7.9.3; CUDA C++ Programming Guide, "Texture Fetching"): one lane after the other.
//
// Left open by both and chosen here: a NaN coordinate is 0; a cube's faces are filtered each for
// itself.
#include "kernels/launch/texture.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "gpu_model/simt/faults.h"
#include "gpu_model/simt/handlers/handlers.h"
#include "gpu_model/simt/handlers/lanes.h"
#include "gpu_model/simt/handlers/texels.h"

namespace flagstone::simt {
namespace {

using namespace baseline;  // NOLINT: this file belongs to the baseline set
using ptx::Geometry;

// The CUDA guide's table "Cubemap Fetch": the face of the largest coordinate, and the place on it.
void ProjectOnCube(std::array<double, 3>* at, uint32_t* face) {
  const auto [x, y, z] = *at;
  const double ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
  double m = 0, s = 0, t = 0;
  if (ax >= ay && ax >= az) {
    *face = x >= 0 ? 0 : 1;
    m = ax, s = x >= 0 ? -z : z, t = -y;
  } else if (ay >= az) {
    *face = y >= 0 ? 2 : 3;
    m = ay, s = x, t = y >= 0 ? z : -z;
  } else {
    *face = z >= 0 ? 4 : 5;
    m = az, s = z >= 0 ? x : -x, t = -y;
  }
  *at = m == 0 ? std::array{0.5, 0.5, 0.0} : std::array{(s / m + 1) / 2, (t / m + 1) / 2, 0.0};
}

struct Shape {
  uint32_t dimensions;
  bool layered;
};
Shape ShapeOf(Geometry geometry) {
  switch (geometry) {
    case Geometry::k1d:
      return {1, false};
    case Geometry::k3d:
      return {3, false};
    case Geometry::kA1d:
      return {1, true};
    case Geometry::kA2d:
      return {2, true};
    default:
      return {2, false};
  }
}

double Coordinate(const Context& c, const Inst& inst, size_t source, uint32_t lane) {
  const uint32_t bits = Source<uint32_t>(c, inst.source[source])[lane];
  if (inst.source_type == ptx::Type::kS32) return static_cast<int32_t>(bits);
  const auto value = static_cast<double>(std::bit_cast<float>(bits));
  return value == value ? value : 0;
}

TexturePlace PlaceOf(const Context& c, const Inst& inst, const Texture& texture, uint32_t lane) {
  const Geometry geometry = inst.modifiers.geometry;
  const Shape shape = ShapeOf(geometry);
  TexturePlace place;
  size_t source = 1;  // 0 is the handle
  if (shape.layered) {
    const uint32_t layer = Source<uint32_t>(c, inst.source[source++])[lane];
    place.layer = std::min(layer, texture.layers - 1);
  }
  const uint32_t given = geometry == Geometry::kCube ? 3 : shape.dimensions;
  std::array<double, 3> at = {};
  for (size_t axis = 0; axis < given; ++axis) at[axis] = Coordinate(c, inst, source++, lane);
  const bool cube = geometry == Geometry::kCube;
  if (cube) {
    uint32_t face = 0;
    ProjectOnCube(&at, &face);
    place.layer = std::min(face, texture.layers - 1);
  }
  // Integer coordinates count texels.
  if (cube || (texture.normalized && inst.source_type == ptx::Type::kF32)) {
    at = {at[0] * texture.width, at[1] * texture.height, at[2] * texture.depth};
  } else if (inst.source_type == ptx::Type::kS32 && texture.linear) {
    for (double& coordinate : at) coordinate += 0.5;  // the texel's middle: no neighbour counts
  }
  place.x = at[0];
  place.y = at[1];
  place.z = at[2];
  return place;
}

const Texture& TextureOf(const Context& c, const Inst& inst, uint64_t handle) {
  const std::vector<Texture>& textures = c.program->launch().textures;
  const uint64_t index = handle - kTextureHandles;
  if (index >= textures.size()) {
    ThrowOfWarp(c, inst, fmt::format("{:#x} is no texture's handle: fetch", handle));
  }
  const Texture& texture = textures[index];
  const bool small = SizeInBytes(texture.type) < 4;
  if (inst.type == ptx::Type::kF32 && small && !texture.normalized_float) {
    ThrowOfWarp(c, inst,
                fmt::format("an f32 fetch of texture '{}' of {}, which is not read as "
                            "normalized-float,",
                            texture.name, ToString(texture.type)));
  }
  if (inst.modifiers.geometry == Geometry::kCube && texture.layers != 6) {
    ThrowOfWarp(c, inst,
                fmt::format("a cube fetch of texture '{}' of {} layers, expected 6,", texture.name,
                            texture.layers));
  }
  return texture;
}

// The texture as a sampler reads it: by the modes of the texture whose handle the sampler is.
const Texture& Sampled(const Context& c, const Inst& inst, const Texture& texture, uint32_t lane,
                       Texture* sampled) {
  const uint64_t handle = Source<uint64_t>(c, inst.destination2)[lane];
  if (handle == kOwnSampler) return texture;
  const std::vector<Texture>& textures = c.program->launch().textures;
  const uint64_t index = handle - kTextureHandles;
  if (index >= textures.size()) {
    ThrowOfWarp(c, inst, fmt::format("{:#x} is no sampler's handle: fetch", handle));
  }
  *sampled = texture;
  sampled->address_mode = textures[index].address_mode;
  sampled->linear = textures[index].linear;
  sampled->normalized = textures[index].normalized;
  return *sampled;
}

void FetchTexture(Context& c, const Inst& inst, LaneMask mask) {
  c.space = MemorySpace::kGlobal;
  c.in_space = mask;
  const uint32_t dimensions = ShapeOf(inst.modifiers.geometry).dimensions;
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    const uint64_t handle = Source<uint64_t>(c, inst.source[0])[lane];
    Texture sampled;
    const Texture& texture = inst.destination2 == kNoSlot
                                 ? TextureOf(c, inst, handle)
                                 : Sampled(c, inst, TextureOf(c, inst, handle), lane, &sampled);
    const TexturePlace place = PlaceOf(c, inst, texture, lane);
    const Texels texels(*c.memory, texture);
    c.addresses[lane] = texels.Address(place, dimensions);
    const std::array<uint32_t, 4> result = texels.At(place, dimensions);
    for (size_t e = 0; e < 4; ++e) {
      if (inst.elements[e] == kNoSlot) continue;
      Destination<uint32_t>(c, inst.elements[e])[lane] = result[e];
    }
  }
}
}  // namespace

Handler SelectTexture() { return FetchTexture; }

}  // namespace flagstone::simt
