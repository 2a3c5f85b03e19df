// Every pixel's colour as the mean of the sensors of that colour among the pixel itself, or else
// among its eight neighbours, in f64.
#include "workloads/reference.h"

namespace flagstone {
namespace {

enum Colour : size_t { kRed, kGreen, kBlue };

Colour SensorAt(size_t x, size_t y) {
  if (x % 2 != y % 2) return kGreen;
  return x % 2 == 0 ? kRed : kBlue;
}

}  // namespace

void ComputeDemosaic(ReferenceData& data) {
  for (size_t launch = 0; launch < data.LaunchCount(); ++launch) {
    const size_t width = data.Extent(launch, 2);
    const auto colour = data.Buffer<float>(launch, 1);
    if (width == 0) continue;
    const size_t height = colour.size() / 4 / width;
    const size_t pitch = width + 2;
    const auto mosaic = data.Buffer<float>(launch, 0, pitch * (height + 2));
    for (size_t y = 0; y < height; ++y) {
      for (size_t x = 0; x < width; ++x) {
        double sum[3] = {};
        double count[3] = {};
        for (size_t j = 0; j < 3; ++j) {
          for (size_t i = 0; i < 3; ++i) {
            // Two pixels further has the same colour: x + i + 1 stands for x + i - 1.
            const Colour sensor = SensorAt(x + i + 1, y + j + 1);
            sum[sensor] += double{mosaic[(y + j) * pitch + x + i]};
            ++count[sensor];
          }
        }
        const auto pixel = colour.subspan((y * width + x) * 4, 4);
        for (const Colour c : {kRed, kGreen, kBlue}) {
          const bool seen = SensorAt(x, y) == c;
          const double own = mosaic[(y + 1) * pitch + x + 1];
          pixel[c] = static_cast<float>(seen ? own : sum[c] / count[c]);
        }
        pixel[3] = 1;
      }
    }
  }
}

}  // namespace flagstone
