// Every 4th element.
#include "workloads/reference.h"

namespace flagstone {

void ComputeStride4(ReferenceData& data) {
  for (size_t launch = 0; launch < data.LaunchCount(); ++launch) {
    const auto out = data.Buffer<float>(launch, 1);
    const auto in = data.Buffer<float>(launch, 0, 4 * (out.size() - 1) + 1);
    for (size_t i = 0; i < out.size(); ++i) out[i] = in[4 * i];
  }
}

}  // namespace flagstone
