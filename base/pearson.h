// How far two series follow one another on a line.
#ifndef FLAGSTONE_BASE_PEARSON_H_
#define FLAGSTONE_BASE_PEARSON_H_

#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

namespace flagstone {

// Pearson's r of two series of one length, -1 to 1; none below three values, or where one series is
// constant.
inline std::optional<double> Pearson(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() < 3) return std::nullopt;
  const auto mean = [](const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
  };
  const double mean_a = mean(a), mean_b = mean(b);
  double ab = 0, aa = 0, bb = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    ab += (a[i] - mean_a) * (b[i] - mean_b);
    aa += (a[i] - mean_a) * (a[i] - mean_a);
    bb += (b[i] - mean_b) * (b[i] - mean_b);
  }
  if (aa == 0 || bb == 0) return std::nullopt;
  return ab / std::sqrt(aa * bb);
}

}  // namespace flagstone

#endif  // FLAGSTONE_BASE_PEARSON_H_
