// c = a + b
#include "workloads/reference.h"

namespace flagstone {

void ComputeVecadd(ReferenceData& data) {
  for (size_t launch = 0; launch < data.LaunchCount(); ++launch) {
    const size_t n = data.Extent(launch, 3);
    const auto a = data.Buffer<float>(launch, 0, n);
    const auto b = data.Buffer<float>(launch, 1, n);
    const auto c = data.Buffer<float>(launch, 2, n);
    for (size_t i = 0; i < n; ++i) c[i] = a[i] + b[i];
  }
}

}  // namespace flagstone
