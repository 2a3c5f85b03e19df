// Every 32nd element.
#include "workloads/reference.h"

namespace flagstone {

void ComputeStride32(ReferenceData& data) {
  for (size_t launch = 0; launch < data.LaunchCount(); ++launch) {
    const auto out = data.Buffer<float>(launch, 1);
    const auto in = data.Buffer<float>(launch, 0, 32 * (out.size() - 1) + 1);
    for (size_t i = 0; i < out.size(); ++i) out[i] = in[32 * i];
  }
}

}  // namespace flagstone
