#include "kernels/launch/tensor_box.h"

#include <fmt/core.h>

namespace flagstone {
namespace {

// Of images in 3, 4 and 5 dimensions: bits of a corner's offset, with its sign, and of an offset
// of the instruction.
constexpr std::array<uint32_t, 3> kCornerBits = {16, 8, 5};

std::string ProblemOfDimension(const TensorMap& map, uint32_t d) {
  if (map.shape[d] == 0) return fmt::format("a tensor of 0 elements in dimension {}", d);
  const bool boxed = !map.images || d < 2;
  const uint32_t most = map.images && d == 1 ? 1024 : 256;
  if (boxed && (map.box[d] == 0 || map.box[d] > most)) {
    return fmt::format("a box of {} elements in dimension {}: expected 1 to {}", map.box[d], d,
                       most);
  }
  if (map.steps[d] == 0 || map.steps[d] > 8) {
    return fmt::format("steps of {} elements in dimension {}: expected 1 to 8", map.steps[d], d);
  }
  const bool aligned = d == 0 || (map.strides[d] % 16 == 0 && map.strides[d] >> 40 == 0);
  if (!aligned) {
    return fmt::format("a stride of {} bytes in dimension {}: expected a multiple of 16 below 2^40",
                       map.strides[d], d);
  }
  return "";
}

std::string ProblemOfImages(const TensorMap& map) {
  if (map.dimensions < 3) {
    return fmt::format("images in {} dimensions: expected 3 to 5", map.dimensions);
  }
  for (uint32_t d = 1; d + 1 < map.dimensions; ++d) {
    const int32_t least = -(1 << (kCornerBits[map.dimensions - 3U] - 1));
    for (const int16_t corner : {map.lower[d - 1], map.upper[d - 1]}) {
      if (corner >= least && corner < -least) continue;
      return fmt::format("a corner of {} in dimension {}: expected {} to {}", corner, d, least,
                         -least - 1);
    }
    if (int64_t{map.lower[d - 1]} < int64_t{map.shape[d]} + map.upper[d - 1]) continue;
    return fmt::format("a lower corner beyond the upper one in dimension {}", d);
  }
  return "";
}

// What the width alone asks for. The first pixel may lie before the box.
std::string ProblemByWidth(const TensorBox& box) {
  const TensorMap& map = box.map;
  if (map.swizzle == TensorSwizzle::kNone) {
    return "no swizzle: expected one of 32, 64 or 128 bytes with pixels by the width alone";
  }
  const uint32_t most_halo = box.mode == ptx::TensorMode::kIm2colW128 ? 32 : 512;
  if (box.offsets[0] >= most_halo) {
    return fmt::format("a halo of {} pixels: expected less than {}", box.offsets[0], most_halo);
  }
  if (box.offsets[1] >= 32) {
    return fmt::format("an offset of {} by the width: expected less than 32", box.offsets[1]);
  }
  const int64_t high = int64_t{map.shape[1]} + map.upper[0] - 1;
  if (box.at[1] > high) {
    return fmt::format("a first pixel at {} in dimension 1: expected at most {}", box.at[1], high);
  }
  return "";
}

}  // namespace

std::string ProblemOf(const TensorMap& map) {
  if (map.dimensions == 0 || map.dimensions > TensorMap::kMostDimensions) {
    return fmt::format("{} dimensions: expected 1 to 5", map.dimensions);
  }
  const uint64_t bytes = map.ElementBytes();
  if (bytes == 0) return "elements without a type";
  for (uint32_t d = 0; d < map.dimensions; ++d) {
    if (std::string problem = ProblemOfDimension(map, d); !problem.empty()) return problem;
  }
  if (map.base % 16 != 0) {
    return fmt::format("a tensor at {:#x}: expected a multiple of 16", map.base);
  }
  const uint64_t row = map.Copied(0) * bytes;
  if (row % 16 != 0) {
    return fmt::format("a row of the box of {} bytes: expected a multiple of 16", row);
  }
  const uint64_t most = uint64_t{16} << static_cast<unsigned>(map.swizzle);
  if (map.swizzle != TensorSwizzle::kNone && row > most) {
    return fmt::format("a row of the box of {} bytes: expected at most {} with this swizzle", row,
                       most);
  }
  return map.images ? ProblemOfImages(map) : std::string();
}

std::string ProblemOf(const TensorBox& box) {
  const TensorMap& map = box.map;
  if (std::string problem = ProblemOf(map); !problem.empty()) return problem;
  if (map.images != box.OfImages()) {
    return map.images ? "a map of images: expected one of tiles"
                      : "a map of tiles: expected images";
  }
  if (box.OfFourRows() && map.Copied(1) != 1) {
    return fmt::format("a box of {} rows: expected 1", map.Copied(1));
  }
  if (!map.images) return "";
  if (box.ByWidth()) return ProblemByWidth(box);
  for (uint32_t d = 1; d + 1 < map.dimensions; ++d) {
    const uint32_t most = (uint32_t{1} << kCornerBits[map.dimensions - 3U]) - 1;
    if (box.offsets[d - 1] > most) {
      return fmt::format("an offset of {} in dimension {}: expected at most {}", box.offsets[d - 1],
                         d, most);
    }
    const int64_t low = map.lower[d - 1], high = int64_t{map.shape[d]} + map.upper[d - 1] - 1;
    if (box.at[d] < low || box.at[d] > high) {
      return fmt::format("a first pixel at {} in dimension {}: expected {} to {}", box.at[d], d,
                         low, high);
    }
  }
  return "";
}

}  // namespace flagstone
