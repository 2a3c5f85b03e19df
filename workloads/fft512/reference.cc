// Each transform by its definition, X[k] = sum over n of x[n] e^(-2 pi i n k / 512), in f64.
#include "workloads/reference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace flagstone {

void ComputeFft512(ReferenceData& data) {
  constexpr size_t kPoints = 512;
  std::array<double, kPoints> cosine, sine;
  for (size_t i = 0; i < kPoints; ++i) {
    const double angle = -2 * std::numbers::pi * static_cast<double>(i) / kPoints;
    cosine[i] = std::cos(angle);
    sine[i] = std::sin(angle);
  }
  for (size_t launch = 0; launch < data.LaunchCount(); ++launch) {
    const auto points = data.Buffer<float>(launch, 0);
    for (size_t first = 0; first + 2 * kPoints <= points.size(); first += 2 * kPoints) {
      const auto x = points.subspan(first, 2 * kPoints);
      std::array<float, 2 * kPoints> result;
      for (size_t k = 0; k < kPoints; ++k) {
        double real = 0, imaginary = 0;
        for (size_t n = 0; n < kPoints; ++n) {
          const size_t turn = n * k % kPoints;
          real += x[2 * n] * cosine[turn] - x[2 * n + 1] * sine[turn];
          imaginary += x[2 * n] * sine[turn] + x[2 * n + 1] * cosine[turn];
        }
        result[2 * k] = static_cast<float>(real);
        result[2 * k + 1] = static_cast<float>(imaginary);
      }
      std::copy(result.begin(), result.end(), x.begin());
    }
  }
}

}  // namespace flagstone
