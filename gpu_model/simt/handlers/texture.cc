// tex (PTX ISA 9.7.9.3; CUDA C++ Programming Guide, "Texture Fetching"): one lane after the other.
//
// Left open by both and chosen here: a NaN coordinate is 0; a channel that the texture does not
// have is 0; linear weights are rounded to the nearest of 257 steps, the sum of the weighted texels
// is formed in double precision and rounded once; a cube's faces are filtered each for itself.
#include "kernels/launch/texture.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "gpu_model/simt/faults.h"
#include "gpu_model/simt/handlers/handlers.h"
#include "gpu_model/simt/handlers/lanes.h"

namespace flagstone::simt {
namespace {

using namespace baseline;  // NOLINT: this file belongs to the baseline set
using ptx::Geometry;

constexpr double kMost = 0x1p40;  // far outside of any texture

// Where a lane reads: coordinates in texels (normalized ones already multiplied by the size).
struct TexturePlace {
  double x = 0, y = 0, z = 0;
  uint32_t layer = 0;
};

// A texel's index along one axis after the address mode; -1 for the border.
int64_t Resolve(AddressMode mode, int64_t i, uint32_t size) {
  const auto n = static_cast<int64_t>(size);
  switch (mode) {
    case AddressMode::kWrap:
      return ((i % n) + n) % n;
    case AddressMode::kMirror: {
      const int64_t at = ((i % (2 * n)) + 2 * n) % (2 * n);
      return at < n ? at : 2 * n - 1 - at;
    }
    case AddressMode::kBorder:
      return i >= 0 && i < n ? i : -1;
    default:
      return std::clamp<int64_t>(i, 0, n - 1);
  }
}

// The element of a channel: as bits, extended by its sign, or as a fraction.
template <class T>
T Load(const std::byte* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(value));
  return value;
}
uint32_t ElementBits(ElementType type, const std::byte* bytes) {
  switch (type) {
    case ElementType::kU8:
      return Load<uint8_t>(bytes);
    case ElementType::kS8:
      return static_cast<uint32_t>(Load<int8_t>(bytes));
    case ElementType::kU16:
      return Load<uint16_t>(bytes);
    case ElementType::kS16:
      return static_cast<uint32_t>(Load<int16_t>(bytes));
    default:
      return Load<uint32_t>(bytes);
  }
}
double ElementValue(ElementType type, const std::byte* bytes) {
  switch (type) {
    case ElementType::kU8:
      return Load<uint8_t>(bytes) / 255.0;
    case ElementType::kS8:
      return std::max(Load<int8_t>(bytes) / 127.0, -1.0);
    case ElementType::kU16:
      return Load<uint16_t>(bytes) / 65535.0;
    case ElementType::kS16:
      return std::max(Load<int16_t>(bytes) / 32767.0, -1.0);
    default:
      return static_cast<double>(Load<float>(bytes));
  }
}

class Fetch {
 public:
  Fetch(const DeviceMemory& memory, const Texture& texture)
      : memory_(memory),
        texture_(texture),
        element_bytes_(SizeInBytes(texture.type)),
        mode_(texture.address_mode) {}

  // The device address of the first texel that a place touches, which timing charges for; one
  // outside of the texture counts as the nearest inside.
  uint64_t Address(const TexturePlace& place, uint32_t dimensions) const {
    const double half = texture_.linear ? 0.5 : 0;
    const AddressMode mode = mode_ == AddressMode::kBorder ? AddressMode::kClamp : mode_;
    const auto index = [&](uint32_t axis, double at, uint32_t size) {
      return axis < dimensions ? Resolve(mode, Floor(at - half), size) : 0;
    };
    return AddressOf(index(0, place.x, texture_.width), index(1, place.y, texture_.height),
                     index(2, place.z, texture_.depth), place.layer);
  }

  // The four results, as bits.
  std::array<uint32_t, 4> At(const TexturePlace& place, uint32_t dimensions) const {
    std::array<uint32_t, 4> result = {};
    if (texture_.linear) {
      const std::array<double, 4> sums = Filter(place, dimensions);
      for (uint32_t c = 0; c < texture_.channels; ++c) {
        result[c] = std::bit_cast<uint32_t>(static_cast<float>(sums[c]));
      }
      return result;
    }
    const std::byte* texel =
        Texel(Floor(place.x), Floor(place.y), Floor(place.z), place.layer, dimensions);
    if (texel == nullptr) return result;
    for (uint32_t c = 0; c < texture_.channels; ++c) {
      const std::byte* element = texel + c * element_bytes_;
      result[c] =
          texture_.normalized_float
              ? std::bit_cast<uint32_t>(static_cast<float>(ElementValue(texture_.type, element)))
              : ElementBits(texture_.type, element);
    }
    return result;
  }

 private:
  static int64_t Floor(double at) {
    return static_cast<int64_t>(std::floor(std::clamp(at, -kMost, kMost)));
  }

  uint64_t AddressOf(int64_t x, int64_t y, int64_t z, uint32_t layer) const {
    uint64_t texel = layer;
    texel = texel * texture_.depth + static_cast<uint64_t>(z);
    texel = texel * texture_.height + static_cast<uint64_t>(y);
    texel = texel * texture_.width + static_cast<uint64_t>(x);
    return texture_.base + texel * texture_.channels * element_bytes_;
  }

  // Null in the border.
  const std::byte* Texel(int64_t x, int64_t y, int64_t z, uint32_t layer,
                         uint32_t dimensions) const {
    x = Resolve(mode_, x, texture_.width);
    y = dimensions > 1 ? Resolve(mode_, y, texture_.height) : 0;
    z = dimensions > 2 ? Resolve(mode_, z, texture_.depth) : 0;
    if (x < 0 || y < 0 || z < 0) return nullptr;
    return memory_.At(AddressOf(x, y, z, layer));
  }

  // Two neighbours along each axis, weighted in 1.8 fixed point.
  std::array<double, 4> Filter(const TexturePlace& place, uint32_t dimensions) const {
    const std::array<double, 3> at = {place.x, place.y, place.z};
    std::array<int64_t, 3> first = {};
    std::array<double, 3> weight = {};  // of the second neighbour
    for (size_t axis = 0; axis < dimensions; ++axis) {
      const double shifted = std::clamp(at[axis] - 0.5, -kMost, kMost);
      first[axis] = Floor(shifted);
      weight[axis] = std::floor((shifted - std::floor(shifted)) * 256 + 0.5) / 256;
    }
    std::array<double, 4> sums = {};
    for (uint32_t corner = 0; corner < 1U << dimensions; ++corner) {
      double factor = 1;
      std::array<int64_t, 3> texel = first;
      for (size_t axis = 0; axis < dimensions; ++axis) {
        const bool second = (corner >> axis & 1) != 0;
        factor *= second ? weight[axis] : 1 - weight[axis];
        if (second) ++texel[axis];
      }
      if (factor == 0) continue;  // an infinity without weight must not make a NaN
      const std::byte* bytes = Texel(texel[0], texel[1], texel[2], place.layer, dimensions);
      if (bytes == nullptr) continue;
      for (uint32_t c = 0; c < texture_.channels; ++c) {
        sums[c] += factor * ElementValue(texture_.type, bytes + c * element_bytes_);
      }
    }
    return sums;
  }

  const DeviceMemory& memory_;
  const Texture& texture_;
  uint64_t element_bytes_;
  AddressMode mode_;
};

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
    const Fetch fetch(*c.memory, texture);
    c.addresses[lane] = fetch.Address(place, dimensions);
    const std::array<uint32_t, 4> result = fetch.At(place, dimensions);
    for (size_t e = 0; e < 4; ++e) {
      if (inst.elements[e] == kNoSlot) continue;
      Destination<uint32_t>(c, inst.elements[e])[lane] = result[e];
    }
  }
}

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

Handler SelectTexture() { return FetchTexture; }

Handler SelectTextureQuery() { return QueryTexture; }

}  // namespace flagstone::simt
