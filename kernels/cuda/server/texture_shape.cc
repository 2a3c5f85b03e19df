#include "kernels/cuda/server/texture_shape.h"

#include <algorithm>

namespace flagstone::cuda {
namespace {

ElementType TypeOf(const TextureShape& shape) {
  const bool is_signed = shape.kind == 0;
  if (shape.kind == 2) return ElementType::kF32;
  switch (shape.bits) {
    case 8:
      return is_signed ? ElementType::kS8 : ElementType::kU8;
    case 16:
      return is_signed ? ElementType::kS16 : ElementType::kU16;
    default:
      return is_signed ? ElementType::kS32 : ElementType::kU32;
  }
}

}  // namespace

std::optional<Texture> TextureOf(const TextureShape& shape) {
  const bool good_bits = shape.bits == 8 || shape.bits == 16 || shape.bits == 32;
  const bool is_float = shape.kind == 2;
  const bool good = good_bits && shape.channels != 3 && shape.kind <= 2 &&
                    (!is_float || shape.bits == 32) && shape.address_mode <= 3 &&
                    (shape.normalized_float == 0 || shape.bits <= 16);
  if (!good) return std::nullopt;
  Texture texture;
  texture.type = TypeOf(shape);
  texture.base = shape.address;
  texture.width = std::max(shape.width, 1U);
  texture.height = std::max(shape.height, 1U);
  texture.depth = std::max(shape.depth, 1U);
  texture.layers = std::max(shape.layers, 1U);
  texture.channels = std::max(shape.channels, 1U);
  constexpr AddressMode kModes[] = {AddressMode::kWrap, AddressMode::kClamp, AddressMode::kMirror,
                                    AddressMode::kBorder};
  texture.address_mode = shape.border_zero != 0 ? AddressMode::kBorder : kModes[shape.address_mode];
  texture.normalized = shape.normalized != 0;
  // Wrapping is for normalized coordinates alone; others are clamped.
  const bool repeats =
      texture.address_mode == AddressMode::kWrap || texture.address_mode == AddressMode::kMirror;
  if (repeats && !texture.normalized) texture.address_mode = AddressMode::kClamp;
  texture.normalized_float = shape.normalized_float != 0;
  texture.linear = shape.linear != 0 && (is_float || texture.normalized_float);
  return texture;
}

}  // namespace flagstone::cuda
