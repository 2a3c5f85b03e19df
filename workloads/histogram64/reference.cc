// Counts the bytes by their upper six bits; the second launch's first buffer holds the result.
#include "workloads/reference.h"

#include <algorithm>

namespace flagstone {

void ComputeHistogram64(ReferenceData& data) {
  const auto words = data.Buffer<uint32_t>(0, 1, 4 * data.Extent(0, 2));
  const auto histogram = data.Buffer<uint32_t>(1, 0, 64);
  std::fill(histogram.begin(), histogram.end(), 0U);
  for (const uint32_t word : words) {
    for (int shift = 0; shift < 32; shift += 8) ++histogram[(word >> shift & 0xff) / 4];
  }
}

}  // namespace flagstone
