#include "gpu_model/simt/handlers/texels.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace flagstone::simt {
namespace {

constexpr double kMost = 0x1p40;  // far outside of any texture

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
int64_t Floor(double at) { return static_cast<int64_t>(std::floor(std::clamp(at, -kMost, kMost))); }

}  // namespace

uint64_t Texels::Address(const TexturePlace& place, uint32_t dimensions) const {
  const double half = texture_.linear ? 0.5 : 0;
  const AddressMode mode = mode_ == AddressMode::kBorder ? AddressMode::kClamp : mode_;
  const auto index = [&](uint32_t axis, double at, uint32_t size) {
    return axis < dimensions ? Resolve(mode, Floor(at - half), size) : 0;
  };
  return AddressOf(index(0, place.x, texture_.width), index(1, place.y, texture_.height),
                   index(2, place.z, texture_.depth), place.layer);
}

std::array<uint32_t, 4> Texels::At(const TexturePlace& place, uint32_t dimensions) const {
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

uint64_t Texels::AddressOf(int64_t x, int64_t y, int64_t z, uint32_t layer) const {
  uint64_t texel = layer;
  texel = texel * texture_.depth + static_cast<uint64_t>(z);
  texel = texel * texture_.height + static_cast<uint64_t>(y);
  texel = texel * texture_.width + static_cast<uint64_t>(x);
  return texture_.base + texel * texture_.channels * element_bytes_;
}

const std::byte* Texels::Texel(int64_t x, int64_t y, int64_t z, uint32_t layer,
                               uint32_t dimensions) const {
  x = Resolve(mode_, x, texture_.width);
  y = dimensions > 1 ? Resolve(mode_, y, texture_.height) : 0;
  z = dimensions > 2 ? Resolve(mode_, z, texture_.depth) : 0;
  if (x < 0 || y < 0 || z < 0) return nullptr;
  return memory_.At(AddressOf(x, y, z, layer));
}

std::array<double, 4> Texels::Filter(const TexturePlace& place, uint32_t dimensions) const {
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

}  // namespace flagstone::simt
