// Attention in f64, each query by itself: all scores, then their weights.
#include "workloads/reference.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace flagstone {

void ComputeAttention(ReferenceData& data) {
  constexpr size_t kRow = 64;
  for (size_t launch = 0; launch < data.LaunchCount(); ++launch) {
    const size_t rows = data.Extent(launch, 4);
    const size_t group = data.Extent(launch, 5);
    if (rows == 0 || group == 0) continue;
    const auto q = data.Buffer<float>(launch, 0);
    const size_t heads = q.size() / (rows * kRow);
    const auto k = data.Buffer<float>(launch, 1, heads / group * rows * kRow);
    const auto v = data.Buffer<float>(launch, 2, heads / group * rows * kRow);
    const auto out = data.Buffer<float>(launch, 3, heads * rows * kRow);
    std::vector<double> weights(rows);
    for (size_t query = 0; query < heads * rows; ++query) {
      const size_t shared = query / rows / group * rows * kRow;
      for (size_t key = 0; key < rows; ++key) {
        double score = 0;
        for (size_t i = 0; i < kRow; ++i) {
          score += double{q[query * kRow + i]} * double{k[shared + key * kRow + i]};
        }
        weights[key] = score / 8;
      }
      const double best = *std::max_element(weights.begin(), weights.end());
      double total = 0;
      for (double& weight : weights) total += weight = std::exp(weight - best);
      for (size_t i = 0; i < kRow; ++i) {
        double sum = 0;
        for (size_t key = 0; key < rows; ++key) {
          sum += weights[key] * double{v[shared + key * kRow + i]};
        }
        out[query * kRow + i] = static_cast<float>(sum / total);
      }
    }
  }
}

}  // namespace flagstone
