// Sums of the runs of elements that the indices start, in f64.
#include "workloads/reference.h"

#include <numeric>

#include "base/error.h"

namespace flagstone {

void ComputeRandomLoc(ReferenceData& data) {
  for (size_t launch = 0; launch < data.LaunchCount(); ++launch) {
    const size_t threads = data.Extent(launch, 3);
    const size_t length = data.Extent(launch, 4);
    const auto start = data.Buffer<int32_t>(launch, 0, threads);
    const auto elements = data.Buffer<float>(launch, 1);
    const auto sum = data.Buffer<float>(launch, 2, threads);
    for (size_t i = 0; i < threads; ++i) {
      if (start[i] < 0 || static_cast<size_t>(start[i]) + length > elements.size()) {
        ThrowBadInput("reference 'random_loc': run of {} elements at {}: expected {} to hold it",
                      length, start[i], elements.size());
      }
      const auto run = elements.subspan(static_cast<size_t>(start[i]), length);
      sum[i] = static_cast<float>(std::accumulate(run.begin(), run.end(), 0.0));
    }
  }
}

}  // namespace flagstone
