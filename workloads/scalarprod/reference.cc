// Each pair's products, summed in f64 from first to last.
#include "workloads/reference.h"

namespace flagstone {

void ComputeScalarprod(ReferenceData& data) {
  for (size_t launch = 0; launch < data.LaunchCount(); ++launch) {
    const size_t vectors = data.Extent(launch, 3);
    const size_t elements = data.Extent(launch, 4);
    const auto result = data.Buffer<float>(launch, 0, vectors);
    const auto a = data.Buffer<float>(launch, 1, vectors * elements);
    const auto b = data.Buffer<float>(launch, 2, vectors * elements);
    for (size_t vector = 0; vector < vectors; ++vector) {
      double sum = 0;
      for (size_t i = vector * elements; i < (vector + 1) * elements; ++i) {
        sum += double{a[i]} * double{b[i]};
      }
      result[vector] = static_cast<float>(sum);
    }
  }
}

}  // namespace flagstone
