// A copy.
#include "workloads/reference.h"

#include <algorithm>

namespace flagstone {

void ComputeCoalescing(ReferenceData& data) {
  for (size_t launch = 0; launch < data.LaunchCount(); ++launch) {
    const auto out = data.Buffer<float>(launch, 1);
    std::ranges::copy(data.Buffer<float>(launch, 0, out.size()), out.begin());
  }
}

}  // namespace flagstone
