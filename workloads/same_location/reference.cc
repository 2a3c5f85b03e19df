// The first element, everywhere.
#include "workloads/reference.h"

#include <algorithm>

namespace flagstone {

void ComputeSameLocation(ReferenceData& data) {
  for (size_t launch = 0; launch < data.LaunchCount(); ++launch) {
    const auto out = data.Buffer<float>(launch, 1);
    std::ranges::fill(out, data.Buffer<float>(launch, 0, 1).front());
  }
}

}  // namespace flagstone
