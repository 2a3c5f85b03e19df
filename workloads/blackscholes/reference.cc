// Prices of European options in f64, with the normal distribution from the error function.
#include "workloads/reference.h"

#include <cmath>
#include <numbers>

namespace flagstone {
namespace {

double CumulativeNormal(double d) { return 0.5 * std::erfc(-d / std::numbers::sqrt2); }

}  // namespace

void ComputeBlackscholes(ReferenceData& data) {
  for (size_t launch = 0; launch < data.LaunchCount(); ++launch) {
    const double rate = data.Real(launch, 5);
    const double volatility = data.Real(launch, 6);
    const size_t count = data.Extent(launch, 7);
    const auto call = data.Buffer<float>(launch, 0, count);
    const auto put = data.Buffer<float>(launch, 1, count);
    const auto price = data.Buffer<float>(launch, 2, count);
    const auto strike = data.Buffer<float>(launch, 3, count);
    const auto years = data.Buffer<float>(launch, 4, count);
    for (size_t i = 0; i < count; ++i) {
      const double s = price[i];
      const double x = strike[i];
      const double t = years[i];
      const double deviation = volatility * std::sqrt(t);
      const double d1 = (std::log(s / x) + rate * t) / deviation + deviation / 2;
      const double discounted = x * std::exp(-rate * t);
      const double value = s * CumulativeNormal(d1) - discounted * CumulativeNormal(d1 - deviation);
      call[i] = static_cast<float>(value);
      put[i] = static_cast<float>(value + discounted - s);  // put-call parity
    }
  }
}

}  // namespace flagstone
