#include "analyzer/partition/grid_order.h"

#include <algorithm>

namespace flagstone::partition {
namespace {

struct Step {
  int64_t x = 0;
  int64_t y = 0;
};
Step operator+(const Step& a, const Step& b) { return {a.x + b.x, a.y + b.y}; }
Step operator*(const Step& a, int64_t factor) { return {a.x * factor, a.y * factor}; }

// A curve through the rectangle of `length` cells along `major` and `width` along `minor`, from the
// cell `at` to the one at the other end of `major` (generalised Hilbert curve after J. Cerveny).
class Curve {
 public:
  Curve(uint32_t row_length, std::vector<uint32_t>& order)
      : row_length_(row_length), order_(order) {}

  void Walk(Step at, Step major, int64_t length, Step minor, int64_t width) {
    if (width == 1) return Line(at, major, length);
    if (length == 1) return Line(at, minor, width);
    if (2 * length > 3 * width) {  // two shorter rectangles in a row
      const int64_t half = EvenHalf(length);
      Walk(at, major, half, minor, width);
      return Walk(at + major * half, major, length - half, minor, width);
    }
    // Up, across, and down again.
    const int64_t half_length = length / 2;
    const int64_t half_width = EvenHalf(width);
    Walk(at, minor, half_width, major, half_length);
    Walk(at + minor * half_width, major, length, minor, width - half_width);
    Walk(at + major * (length - 1) + minor * (half_width - 1), minor * -1, half_width, major * -1,
         length - half_length);
  }

 private:
  // Even halves let the parts end where the next one starts.
  static int64_t EvenHalf(int64_t extent) {
    const int64_t half = extent / 2;
    return half % 2 == 1 && extent > 2 ? half + 1 : half;
  }
  void Line(Step at, Step direction, int64_t cells) {
    for (int64_t i = 0; i < cells; ++i, at = at + direction) {
      order_.push_back(static_cast<uint32_t>(at.y * row_length_ + at.x));
    }
  }

  int64_t row_length_;
  std::vector<uint32_t>& order_;
};

}  // namespace

std::vector<uint32_t> HilbertOrder(const Dim3& grid) {
  std::vector<uint32_t> order;
  order.reserve(grid.Count());
  Curve curve(grid.x, order);
  for (uint32_t z = 0; z < grid.z; ++z) {
    const Step start = {0, int64_t{z} * grid.y};
    if (grid.x >= grid.y) {
      curve.Walk(start, {1, 0}, grid.x, {0, 1}, grid.y);
    } else {
      curve.Walk(start, {0, 1}, grid.y, {1, 0}, grid.x);
    }
  }
  return order;
}

Dim3 TileShape(const Dim3& grid, uint32_t capacity) {
  Dim3 best = {1, 1, 1};
  // x*y + y*z + x*z over x*y*z, compared crosswise.
  const auto lines = [](const Dim3& t) {
    return uint64_t{t.x} * t.y + uint64_t{t.y} * t.z + uint64_t{t.x} * t.z;
  };
  for (uint32_t z = 1; z <= std::min(grid.z, capacity); ++z) {
    for (uint32_t y = 1; y <= std::min(grid.y, capacity / z); ++y) {
      // Along x, longer is always better.
      const Dim3 tile = {std::min(grid.x, capacity / z / y), y, z};
      const uint64_t mine = lines(tile) * best.Count();
      const uint64_t others = lines(best) * tile.Count();
      if (mine < others || (mine == others && tile.Count() > best.Count()) ||
          (mine == others && tile.Count() == best.Count() && tile.x > best.x)) {
        best = tile;
      }
    }
  }
  return best;
}

}  // namespace flagstone::partition
