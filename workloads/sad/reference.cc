// Sums of absolute differences of every block of every shape, straight from the two frames.
#include "workloads/reference.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "base/error.h"

namespace flagstone {
namespace {

constexpr int64_t kReach = 16;
constexpr size_t kPadded = 1096;  // positions of a block in memory, of which 33 * 33 are used

struct Picture {
  std::span<const uint16_t> pixels;
  int64_t width, height;

  // Pixels beyond an edge are the edge's.
  int64_t At(int64_t x, int64_t y) const {
    x = std::clamp<int64_t>(x, 0, width - 1);
    y = std::clamp<int64_t>(y, 0, height - 1);
    return pixels[static_cast<size_t>(y * width + x)];
  }
};

struct Shape {
  int64_t width, height;
};
// As they follow one another in memory.
constexpr std::array<Shape, 7> kShapes = {
    {{16, 16}, {16, 8}, {8, 16}, {8, 8}, {8, 4}, {4, 8}, {4, 4}}};

// The sums of one block, at all positions.
void Sums(const Picture& frame, const Picture& reference, int64_t left, int64_t top, Shape shape,
          std::span<uint16_t> sums) {
  size_t position = 0;
  for (int64_t down = -kReach; down <= kReach; ++down) {
    for (int64_t right = -kReach; right <= kReach; ++right) {
      int64_t sum = 0;
      for (int64_t y = top; y < top + shape.height; ++y) {
        for (int64_t x = left; x < left + shape.width; ++x) {
          sum += std::abs(frame.At(x, y) - reference.At(x + right, y + down));
        }
      }
      sums[position++] = static_cast<uint16_t>(sum);
    }
  }
}

}  // namespace

void ComputeSad(ReferenceData& data) {
  const size_t macroblocks_x = data.Extent(0, 2);
  const size_t macroblocks_y = data.Extent(0, 3);
  const size_t pixels = 256 * macroblocks_x * macroblocks_y;
  const auto width = static_cast<int64_t>(16 * macroblocks_x);
  const auto height = static_cast<int64_t>(16 * macroblocks_y);
  const auto sums = data.Buffer<uint16_t>(0, 0, 41 * macroblocks_x * macroblocks_y * kPadded);
  const Picture frame = {data.Buffer<uint16_t>(0, 1, pixels), width, height};
  const Picture reference = {data.Named<uint16_t>("reference", pixels), width, height};
  size_t begin = 0;
  for (const Shape& shape : kShapes) {
    for (int64_t macroblock_y = 0; macroblock_y < height; macroblock_y += 16) {
      for (int64_t macroblock_x = 0; macroblock_x < width; macroblock_x += 16) {
        for (int64_t y = macroblock_y; y < macroblock_y + 16; y += shape.height) {
          for (int64_t x = macroblock_x; x < macroblock_x + 16; x += shape.width) {
            Sums(frame, reference, x, y, shape, sums.subspan(begin, kPadded));
            begin += kPadded;
          }
        }
      }
    }
  }
}

}  // namespace flagstone
