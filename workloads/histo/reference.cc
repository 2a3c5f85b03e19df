// Counts the image's bins and cuts the counts to bytes; the bounds and the halves of the bin
// numbers as the kernels' buffers have them.
#include "workloads/reference.h"

#include <algorithm>

#include "base/error.h"

namespace flagstone {

void ComputeHisto(ReferenceData& data) {
  constexpr uint32_t kRange = 6144;
  const auto image = data.Buffer<uint32_t>(0, 0, data.Extent(0, 1));
  const auto bounds = data.Buffer<uint32_t>(0, 2, 2);
  const auto intermediates = data.Buffer<uint32_t>(1, 1, image.size());
  const auto histogram = data.Buffer<uint32_t>(3, 0);
  const auto result = data.Buffer<uint8_t>(3, 1, histogram.size());
  for (size_t i = 0; i < image.size(); ++i) {
    const uint32_t bin = image[i];
    if (bin >= histogram.size()) {
      ThrowBadInput("reference 'histo': bin {}: expected it below {}", bin, histogram.size());
    }
    ++histogram[bin];
    bounds[0] = std::min(bounds[0], bin);
    bounds[1] = std::max(bounds[1], bin);
    intermediates[i] = bin % kRange + 65536 * (bin / kRange);
  }
  for (size_t bin = 0; bin < histogram.size(); ++bin) {
    result[bin] = static_cast<uint8_t>(std::min(histogram[bin], 255U));
  }
}

}  // namespace flagstone
