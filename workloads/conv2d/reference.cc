// The weighted sum over the 3 x 3 window of every inner pixel, in f64.
#include "workloads/reference.h"

namespace flagstone {
namespace {

constexpr double kWeights[3][3] = {{0.2, -0.3, 0.4}, {0.5, 0.6, 0.7}, {-0.8, -0.9, 0.1}};

}  // namespace

void ComputeConv2d(ReferenceData& data) {
  for (size_t launch = 0; launch < data.LaunchCount(); ++launch) {
    const size_t size = data.Extent(launch, 2);
    const auto in = data.Buffer<float>(launch, 0, size * size);
    const auto out = data.Buffer<float>(launch, 1, size * size);
    for (size_t y = 1; y + 1 < size; ++y) {
      for (size_t x = 1; x + 1 < size; ++x) {
        double sum = 0;
        for (size_t j = 0; j < 3; ++j) {
          for (size_t i = 0; i < 3; ++i) {
            sum += kWeights[j][i] * double{in[(y + j - 1) * size + x + i - 1]};
          }
        }
        out[y * size + x] = static_cast<float>(sum);
      }
    }
  }
}

}  // namespace flagstone
