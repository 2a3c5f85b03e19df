// Histograms of the angles between points on the sphere: every pair, in f64, without tiles.
#include "workloads/reference.h"

#include <array>
#include <cmath>
#include <numbers>

namespace flagstone {
namespace {

constexpr size_t kBins = 18;

// Bin 0 is below 0.1 degrees; then five bins to a factor of 10.
size_t Bin(double cosine) {
  size_t bin = 0;
  while (bin < kBins - 1) {
    const double degrees = 0.1 * std::pow(10.0, static_cast<double>(bin) / 5);
    if (cosine >= std::cos(degrees * std::numbers::pi / 180)) break;
    ++bin;
  }
  return bin;
}

struct Points {
  std::span<const float> x, y, z;
  Points Set(size_t set, size_t points) const {
    return {x.subspan(set * points, points), y.subspan(set * points, points),
            z.subspan(set * points, points)};
  }
};

double Cosine(const Points& a, size_t i, const Points& b, size_t j) {
  return double{a.x[i]} * double{b.x[j]} + double{a.y[i]} * double{b.y[j]} +
         double{a.z[i]} * double{b.z[j]};
}

std::array<uint32_t, kBins> PairsWithin(const Points& set) {
  std::array<uint32_t, kBins> counts{};
  for (size_t i = 0; i < set.x.size(); ++i) {
    for (size_t j = 0; j < i; ++j) ++counts[Bin(Cosine(set, i, set, j))];
  }
  return counts;
}

std::array<uint32_t, kBins> PairsBetween(const Points& a, const Points& b) {
  std::array<uint32_t, kBins> counts{};
  for (size_t i = 0; i < a.x.size(); ++i) {
    for (size_t j = 0; j < b.x.size(); ++j) ++counts[Bin(Cosine(a, i, b, j))];
  }
  return counts;
}

}  // namespace

void ComputeTpacf(ReferenceData& data) {
  for (size_t launch = 0; launch < data.LaunchCount(); ++launch) {
    const size_t sets = data.Extent(launch, 4);
    const size_t points = data.Extent(launch, 5);
    const size_t total = (sets + 1) * points;
    const Points all = {data.Buffer<float>(launch, 0, total), data.Buffer<float>(launch, 1, total),
                        data.Buffer<float>(launch, 2, total)};
    const auto histograms = data.Buffer<uint32_t>(launch, 3, (2 * sets + 1) * kBins);
    const auto write = [&](size_t block, const std::array<uint32_t, kBins>& counts) {
      std::copy(counts.begin(), counts.end(), histograms.subspan(block * kBins, kBins).begin());
    };
    write(0, PairsWithin(all.Set(0, points)));
    for (size_t set = 1; set <= sets; ++set) {
      write(set, PairsBetween(all.Set(0, points), all.Set(set, points)));
      write(sets + set, PairsWithin(all.Set(set, points)));
    }
  }
}

}  // namespace flagstone
