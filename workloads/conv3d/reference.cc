// The weighted sum over the eleven points of the window, at every inner point of the planes that
// are launched, in f64.
#include "workloads/reference.h"

#include "base/error.h"

namespace flagstone {
namespace {

struct Tap {
  double weight;
  int plane, y, x;
};
constexpr Tap kTaps[] = {
    {2.5, -1, -1, -1}, {-0.4, 1, -1, -1}, {-0.3, 0, -1, 0}, {0.6, 0, 0, 0},
    {-0.9, 0, 1, 0},   {0.2, -1, -1, 1},  {0.4, 1, -1, 1},  {0.5, -1, 0, 1},
    {0.7, 1, 0, 1},    {-0.8, -1, 1, 1},  {0.1, 1, 1, 1},
};

}  // namespace

void ComputeConv3d(ReferenceData& data) {
  for (size_t launch = 0; launch < data.LaunchCount(); ++launch) {
    const auto plane = static_cast<int64_t>(data.Extent(launch, 2));
    const size_t size = data.Extent(launch, 3);
    if (plane < 1) ThrowBadInput("reference 'conv3d': plane {}: expected 1 or more", plane);
    const auto points = static_cast<size_t>(plane + 2) * size * size;
    const auto in = data.Buffer<float>(launch, 0, points);
    const auto out = data.Buffer<float>(launch, 1, points);
    const auto at = [n = static_cast<int64_t>(size)](int64_t z, int64_t y, int64_t x) {
      return static_cast<size_t>((z * n + y) * n + x);
    };
    const auto last = static_cast<int64_t>(size) - 1;
    for (int64_t y = 1; y < last; ++y) {
      for (int64_t x = 1; x < last; ++x) {
        double sum = 0;
        for (const Tap& tap : kTaps) {
          sum += tap.weight * double{in[at(plane + tap.plane, y + tap.y, x + tap.x)]};
        }
        out[at(plane, y, x)] = static_cast<float>(sum);
      }
    }
  }
}

}  // namespace flagstone
