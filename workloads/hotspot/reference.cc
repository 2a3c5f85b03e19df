// The thermal stencil over the whole chip, one time step after the other, in f64: no tiles.
#include "workloads/reference.h"

#include <vector>

namespace flagstone {
namespace {

struct Chip {
  size_t width, height;
  double step_over_capacity;
  double x_conductance, y_conductance, z_conductance;
  double ambient;
};

std::vector<double> Step(const Chip& chip, const std::vector<double>& now,
                         std::span<const float> power) {
  const auto at = [&](size_t x, size_t y) { return y * chip.width + x; };
  std::vector<double> next(now.size());
  for (size_t y = 0; y < chip.height; ++y) {
    for (size_t x = 0; x < chip.width; ++x) {
      const double here = now[at(x, y)];
      double flow = double{power[at(x, y)]} + (chip.ambient - here) * chip.z_conductance;
      // Each neighbour there is; none lies beyond the edge, where no heat flows.
      if (x > 0) flow += (now[at(x - 1, y)] - here) * chip.x_conductance;
      if (x + 1 < chip.width) flow += (now[at(x + 1, y)] - here) * chip.x_conductance;
      if (y > 0) flow += (now[at(x, y - 1)] - here) * chip.y_conductance;
      if (y + 1 < chip.height) flow += (now[at(x, y + 1)] - here) * chip.y_conductance;
      next[at(x, y)] = here + chip.step_over_capacity * flow;
    }
  }
  return next;
}

}  // namespace

void ComputeHotspot(ReferenceData& data) {
  for (size_t launch = 0; launch < data.LaunchCount(); ++launch) {
    const size_t width = data.Extent(launch, 3);
    const size_t height = data.Extent(launch, 4);
    const auto temperature = data.Buffer<float>(launch, 0, width * height);
    const auto power = data.Buffer<float>(launch, 1, width * height);
    const auto result = data.Buffer<float>(launch, 2, width * height);
    const Chip chip = {width,
                       height,
                       data.Real(launch, 6),
                       data.Real(launch, 7),
                       data.Real(launch, 8),
                       data.Real(launch, 9),
                       data.Real(launch, 10)};
    const int64_t steps = data.Integer(launch, 5);
    std::vector<double> cells(temperature.begin(), temperature.end());
    for (int64_t step = 0; step < steps; ++step) cells = Step(chip, cells, power);
    for (size_t i = 0; i < cells.size(); ++i) result[i] = static_cast<float>(cells[i]);
  }
}

}  // namespace flagstone
