// Counts the bytes of the words; the second launch's first buffer holds the result.
#include "workloads/reference.h"

#include <algorithm>

namespace flagstone {

void ComputeHistogram256(ReferenceData& data) {
  const auto words = data.Buffer<uint32_t>(0, 1, data.Extent(0, 2));
  const auto histogram = data.Buffer<uint32_t>(1, 0, 256);
  std::fill(histogram.begin(), histogram.end(), 0U);
  for (const uint32_t word : words) {
    for (int shift = 0; shift < 32; shift += 8) ++histogram[word >> shift & 0xff];
  }
}

}  // namespace flagstone
