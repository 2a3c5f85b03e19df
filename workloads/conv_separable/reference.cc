// Both passes by the definition of a convolution, in f64: nothing lies outside of the image.
#include "workloads/reference.h"

namespace flagstone {
namespace {

constexpr size_t kRadius = 8;

// Convolves every run of `length` elements that lie `stride` apart.
void Convolve(std::span<const float> in, std::span<float> out, std::span<const float> weights,
              size_t length, size_t stride) {
  for (size_t at = 0; at < in.size(); ++at) {
    const size_t position = at / stride % length;
    double sum = 0;
    for (size_t k = 0; k < weights.size(); ++k) {
      // Weight k stands for the element at `position` + kRadius - k.
      if (position + kRadius < k || position + kRadius - k >= length) continue;
      sum += double{weights[k]} * double{in[at + kRadius * stride - k * stride]};
    }
    out[at] = static_cast<float>(sum);
  }
}

}  // namespace

void ComputeConvSeparable(ReferenceData& data) {
  const size_t width = data.Extent(1, 2);
  const size_t height = data.Extent(1, 3);
  const auto weights = data.Symbol<float>("weights", 2 * kRadius + 1);
  const auto image = data.Buffer<float>(0, 1, width * height);
  const auto rows = data.Buffer<float>(0, 0, width * height);
  const auto result = data.Buffer<float>(1, 0, width * height);
  Convolve(image, rows, weights, width, 1);
  Convolve(rows, result, weights, height, width);
}

}  // namespace flagstone
