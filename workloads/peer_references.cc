// References of the kernels beside GPGPU-Sim (experiments/peer/*.toml), in f64 where they compute
// with floats. Those that are a workload's kernel with its arguments take that workload's.
#include <algorithm>
#include <cmath>
#include <vector>

#include "workloads/reference.h"

namespace flagstone {
namespace {

using Floats = std::span<float>;

// result = the matrix, or its transpose, times the vector.
void TimesVector(Floats matrix, Floats vector, Floats result, bool transposed) {
  const size_t rows = matrix.size() / (transposed ? result.size() : vector.size());
  const size_t columns = matrix.size() / rows;
  std::vector<double> sums(result.size());
  for (size_t i = 0; i < rows; ++i) {
    for (size_t j = 0; j < columns; ++j) {
      sums[transposed ? j : i] +=
          double{matrix[i * columns + j]} * double{vector[transposed ? i : j]};
    }
  }
  std::transform(sums.begin(), sums.end(), result.begin(),
                 [](double sum) { return static_cast<float>(sum); });
}

}  // namespace

void ComputePeerAtax(ReferenceData& data) {
  const size_t rows = data.Extent(0, 3);
  const size_t columns = data.Extent(0, 4);
  const Floats a = data.Buffer<float>(0, 0, rows * columns);
  const Floats product = data.Buffer<float>(0, 2, rows);
  TimesVector(a, data.Buffer<float>(0, 1, columns), product, false);
  TimesVector(a, product, data.Buffer<float>(1, 2, columns), true);
}

// A layer of 16 x 16 tiles: each becomes the sums of the tree over its rows, and then learns.
void ComputePeerBackprop(ReferenceData& data) {
  const size_t hidden = data.Extent(0, 3);
  const auto input = data.Buffer<float>(0, 0);
  const auto weight = data.Buffer<float>(0, 1, input.size() * hidden);
  const auto partial = data.Buffer<float>(0, 2);
  const auto delta = data.Buffer<float>(1, 0, hidden);
  const auto old = data.Buffer<float>(1, 3, weight.size());
  for (size_t y = 0; y < input.size(); ++y) {
    // Row y of a tile sums as many rows as the largest power of two that divides y.
    const size_t in_tile = y % 16;
    const size_t summed = in_tile == 0 ? 16 : in_tile & (~in_tile + 1);
    for (size_t x = 0; x < hidden; ++x) {
      double sum = 0;
      for (size_t row = y; row < y + summed; ++row) {
        sum += double{weight[row * hidden + x]} * double{input[row]};
      }
      if (in_tile == 0) partial[y / 16 * hidden + x] = static_cast<float>(sum);
      const size_t at = y * hidden + x;
      const double change = 0.3 * double{delta[x]} * double{input[y]} + 0.3 * double{old[at]};
      weight[at] = static_cast<float>(sum + change);
      old[at] = static_cast<float>(change);
    }
  }
}

void ComputePeerBicg(ReferenceData& data) {
  const size_t rows = data.Extent(0, 3);
  const size_t columns = data.Extent(0, 4);
  const Floats a = data.Buffer<float>(0, 0, rows * columns);
  TimesVector(a, data.Buffer<float>(0, 1, rows), data.Buffer<float>(0, 2, columns), true);
  TimesVector(a, data.Buffer<float>(1, 1, columns), data.Buffer<float>(1, 2, rows), false);
}

void ComputePeerConv2d(ReferenceData& data) {
  constexpr double kWeights[3][3] = {{0.2, 0.5, -0.8}, {-0.3, 0.6, -0.9}, {0.4, 0.7, 0.1}};
  const size_t rows = data.Extent(0, 2);
  const size_t columns = data.Extent(0, 3);
  const auto in = data.Buffer<float>(0, 0, rows * columns);
  const auto out = data.Buffer<float>(0, 1, rows * columns);
  for (size_t y = 1; y + 1 < rows; ++y) {
    for (size_t x = 1; x + 1 < columns; ++x) {
      double sum = 0;
      for (size_t j = 0; j < 3; ++j) {
        for (size_t i = 0; i < 3; ++i) {
          sum += kWeights[j][i] * double{in[(y + j - 1) * columns + x + i - 1]};
        }
      }
      out[y * columns + x] = static_cast<float>(sum);
    }
  }
}

void ComputePeerCorr(ReferenceData& data) {
  const size_t columns = data.Extent(0, 2);
  const size_t rows = data.Extent(0, 3);
  const auto values = data.Buffer<float>(0, 0, rows * columns);
  const auto means = data.Buffer<float>(0, 1, columns);
  const auto deviations = data.Buffer<float>(1, 2, columns);
  for (size_t j = 0; j < columns; ++j) {
    double sum = 0;
    double squares = 0;
    for (size_t i = 0; i < rows; ++i) sum += double{values[i * columns + j]};
    const double mean = sum / static_cast<double>(rows);
    for (size_t i = 0; i < rows; ++i)
      squares += std::pow(double{values[i * columns + j]} - mean, 2);
    double deviation = std::sqrt(squares / static_cast<double>(rows));
    if (deviation <= 0.005) deviation = 1;
    for (size_t i = 0; i < rows; ++i) {
      float& value = values[i * columns + j];
      value = static_cast<float>((double{value} - mean) /
                                 (std::sqrt(static_cast<double>(rows)) * deviation));
    }
    means[j] = static_cast<float>(mean);
    deviations[j] = static_cast<float>(deviation);
  }
}

// One step: the electric fields ey and ex, then the magnetic hz, from what was before the step.
void ComputePeerFdtd2d(ReferenceData& data) {
  const size_t rows = data.Extent(0, 4);
  const size_t columns = data.Extent(0, 5);
  const auto source = data.Buffer<float>(0, 0);
  const auto ey = data.Buffer<float>(0, 1, (rows + 1) * columns);
  const auto hz = data.Buffer<float>(0, 2, rows * columns);
  const auto ex = data.Buffer<float>(1, 0, rows * (columns + 1));
  const auto change = [](float& value, double by) {
    value = static_cast<float>(double{value} - by);
  };
  const auto at = [&](size_t i, size_t j) { return double{hz[i * columns + j]}; };
  for (size_t i = 0; i < rows; ++i) {
    for (size_t j = 0; j < columns; ++j) {
      float& y = ey[i * columns + j];
      if (i == 0) {
        y = source[data.Extent(0, 3)];
      } else {
        change(y, 0.5 * (at(i, j) - at(i - 1, j)));
      }
      if (j > 0) change(ex[i * (columns + 1) + j], 0.5 * (at(i, j) - at(i, j - 1)));
    }
  }
  for (size_t i = 0; i < rows; ++i) {
    for (size_t j = 0; j < columns; ++j) {
      const double x = double{ex[i * (columns + 1) + j + 1]} - double{ex[i * (columns + 1) + j]};
      const double y = double{ey[(i + 1) * columns + j]} - double{ey[i * columns + j]};
      change(hz[i * columns + j], 0.7 * (x + y));
    }
  }
}

void ComputePeerGemm(ReferenceData& data) {
  const size_t rows = data.Extent(0, 3);
  const size_t columns = data.Extent(0, 4);
  const size_t inner = data.Extent(0, 5);
  const auto a = data.Buffer<float>(0, 0, rows * inner);
  const auto b = data.Buffer<float>(0, 1, inner * columns);
  const auto c = data.Buffer<float>(0, 2, rows * columns);
  for (size_t i = 0; i < rows; ++i) {
    for (size_t j = 0; j < columns; ++j) {
      double sum = 0;
      for (size_t k = 0; k < inner; ++k)
        sum += double{a[i * inner + k]} * double{b[k * columns + j]};
      float& element = c[i * columns + j];
      element = static_cast<float>(data.Real(0, 6) * sum + data.Real(0, 7) * double{element});
    }
  }
}

void ComputePeerGesummv(ReferenceData& data) {
  const size_t n = data.Extent(0, 4);
  const auto x = data.Buffer<float>(0, 2, n);
  const auto y = data.Buffer<float>(0, 3, n);
  std::vector<float> other(n);
  TimesVector(data.Buffer<float>(0, 0, n * n), x, y, false);
  TimesVector(data.Buffer<float>(0, 1, n * n), x, other, false);
  for (size_t i = 0; i < n; ++i) {
    y[i] = static_cast<float>(data.Real(0, 5) * double{y[i]} + data.Real(0, 6) * double{other[i]});
  }
}

void ComputePeerHistogram(ReferenceData& data) {
  const auto bins = data.Buffer<uint32_t>(0, 1, 256);
  for (const uint32_t value : data.Buffer<uint32_t>(0, 0, data.Extent(0, 2))) ++bins[value % 256];
}

void ComputePeerHotspot(ReferenceData& data) {
  const size_t n = data.Extent(0, 3);
  const auto power = data.Buffer<float>(0, 0, n * n);
  const auto source = data.Buffer<float>(0, 1, n * n);
  std::vector<double> now(source.begin(), source.end());
  for (size_t step = 0; step < data.Extent(0, 4); ++step) {
    std::vector<double> next(now.size());
    for (size_t y = 0; y < n; ++y) {
      for (size_t x = 0; x < n; ++x) {
        const double here = now[y * n + x];
        // A neighbour beyond the edge is the cell itself.
        const double rows =
            now[std::min(y + 1, n - 1) * n + x] + now[(y - std::min<size_t>(y, 1)) * n + x];
        const double columns =
            now[y * n + std::min(x + 1, n - 1)] + now[y * n + x - std::min<size_t>(x, 1)];
        const double flow = double{power[y * n + x]} + (rows - 2 * here) / data.Real(0, 7) +
                            (columns - 2 * here) / data.Real(0, 6) + (80 - here) / data.Real(0, 8);
        next[y * n + x] = here + data.Real(0, 9) / data.Real(0, 5) * flow;
      }
    }
    now = std::move(next);
  }
  std::transform(now.begin(), now.end(), data.Buffer<float>(0, 2, n * n).begin(),
                 [](double value) { return static_cast<float>(value); });
}

void ComputePeerNn(ReferenceData& data) {
  const auto distance = data.Buffer<float>(0, 1, data.Extent(0, 2));
  const auto places = data.Buffer<float>(0, 0, 2 * distance.size());
  for (size_t i = 0; i < distance.size(); ++i) {
    distance[i] = static_cast<float>(std::hypot(data.Real(0, 3) - double{places[2 * i]},
                                                data.Real(0, 4) - double{places[2 * i + 1]}));
  }
}

}  // namespace flagstone
