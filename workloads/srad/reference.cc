// Speckle-reducing anisotropic diffusion over the whole image in f64: gradients and coefficients,
// then the divergence of the weighted gradients.
#include "workloads/reference.h"

#include <algorithm>

#include "base/error.h"

namespace flagstone {
namespace {

void Coefficients(ReferenceData& data, size_t launch) {
  const size_t columns = data.Extent(launch, 6);
  const double q0_squared = data.Real(launch, 7);
  const auto image = data.Buffer<float>(launch, 0);
  const size_t rows = image.size() / columns;
  const auto d_north = data.Buffer<float>(launch, 1, image.size());
  const auto d_south = data.Buffer<float>(launch, 2, image.size());
  const auto d_west = data.Buffer<float>(launch, 3, image.size());
  const auto d_east = data.Buffer<float>(launch, 4, image.size());
  const auto coefficient = data.Buffer<float>(launch, 5, image.size());
  for (size_t y = 0; y < rows; ++y) {
    for (size_t x = 0; x < columns; ++x) {
      const auto at = [&](size_t row, size_t column) {
        return double{image[std::min(row, rows - 1) * columns + std::min(column, columns - 1)]};
      };
      const double here = at(y, x);
      const double n = at(y == 0 ? 0 : y - 1, x) - here;
      const double s = at(y + 1, x) - here;
      const double w = at(y, x == 0 ? 0 : x - 1) - here;
      const double e = at(y, x + 1) - here;
      // q^2 = (|grad|^2 / 2 - (laplacian / 4)^2) / (1 + laplacian / 4)^2, both relative to here.
      const double quarter = (n + s + w + e) / here / 4;
      const double half_squares = (n * n + s * s + w * w + e * e) / (2 * here * here);
      const double q_squared = (half_squares - quarter * quarter) / ((1 + quarter) * (1 + quarter));
      const double c = 1 / (1 + (q_squared - q0_squared) / (q0_squared * (1 + q0_squared)));
      const size_t i = y * columns + x;
      d_north[i] = static_cast<float>(n);
      d_south[i] = static_cast<float>(s);
      d_west[i] = static_cast<float>(w);
      d_east[i] = static_cast<float>(e);
      coefficient[i] = static_cast<float>(std::clamp(c, 0.0, 1.0));
    }
  }
}

void Update(ReferenceData& data, size_t launch) {
  const size_t columns = data.Extent(launch, 6);
  const double lambda = data.Real(launch, 7);
  const auto image = data.Buffer<float>(launch, 5);
  const size_t rows = image.size() / columns;
  const auto d_north = data.Buffer<float>(launch, 0, image.size());
  const auto d_south = data.Buffer<float>(launch, 1, image.size());
  const auto d_west = data.Buffer<float>(launch, 2, image.size());
  const auto d_east = data.Buffer<float>(launch, 3, image.size());
  const auto coefficient = data.Buffer<float>(launch, 4, image.size());
  for (size_t y = 0; y < rows; ++y) {
    for (size_t x = 0; x < columns; ++x) {
      const size_t i = y * columns + x;
      const double here = coefficient[i];
      const double south = coefficient[y + 1 < rows ? i + columns : i];
      const double east = coefficient[x + 1 < columns ? i + 1 : i];
      const double divergence = here * (double{d_north[i]} + double{d_west[i]}) +
                                south * double{d_south[i]} + east * double{d_east[i]};
      image[i] = static_cast<float>(double{image[i]} + lambda / 4 * divergence);
    }
  }
}

}  // namespace

void ComputeSrad(ReferenceData& data) {
  for (size_t launch = 0; launch < data.LaunchCount(); launch += 2) {
    if (launch + 1 == data.LaunchCount() || data.Extent(launch, 6) == 0 ||
        data.Extent(launch + 1, 6) == 0) {
      ThrowBadInput("reference 'srad': expected launches in pairs, with at least one column");
    }
    Coefficients(data, launch);
    Update(data, launch + 1);
  }
}

}  // namespace flagstone
