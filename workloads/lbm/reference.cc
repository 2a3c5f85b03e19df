// One time step of the D3Q19 lattice in f64: collision with the textbook's equilibrium (Qian,
// d'Humieres and Lallemand), cell by cell, then every distribution moves by its velocity.
#include "workloads/reference.h"

#include <algorithm>
#include <array>

#include "base/error.h"

namespace flagstone {
namespace {

constexpr size_t kCount = 19;
constexpr size_t kPadding = 8;  // cells that a row in memory has more than the fluid
using Cell = std::array<double, kCount>;
using Vector = std::array<int, 3>;

// Each odd one is followed by its opposite.
constexpr std::array<Vector, kCount> kVelocities = {{
    {0, 0, 0},  {1, 0, 0},   {-1, 0, 0},  {0, 1, 0},  {0, -1, 0}, {0, 0, 1},   {0, 0, -1},
    {1, 1, 0},  {-1, -1, 0}, {1, -1, 0},  {-1, 1, 0}, {1, 0, 1},  {-1, 0, -1}, {1, 0, -1},
    {-1, 0, 1}, {0, 1, 1},   {0, -1, -1}, {0, 1, -1}, {0, -1, 1},
}};

double Dot(const Vector& c, const std::array<double, 3>& u) {
  return c[0] * u[0] + c[1] * u[1] + c[2] * u[2];
}

Cell TurnedRound(const Cell& f) {
  Cell turned = f;
  for (size_t i = 1; i < kCount; i += 2) std::swap(turned[i], turned[i + 1]);
  return turned;
}

// `driven` is the velocity that is imposed on the cell, null if none is.
Cell Relaxed(const Cell& f, double relaxation, const std::array<double, 3>* driven) {
  double density = 0;
  std::array<double, 3> velocity = {};
  for (size_t i = 0; i < kCount; ++i) density += f[i];
  for (size_t axis = 0; axis < 3; ++axis) {
    for (size_t i = 0; i < kCount; ++i) velocity[axis] += kVelocities[i][axis] * f[i];
    velocity[axis] /= density;
  }
  if (driven != nullptr) velocity = *driven;
  const double speed2 =
      velocity[0] * velocity[0] + velocity[1] * velocity[1] + velocity[2] * velocity[2];
  Cell relaxed;
  for (size_t i = 0; i < kCount; ++i) {
    const Vector& c = kVelocities[i];
    const int length2 = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
    const double weight = length2 == 0 ? 1.0 / 3 : length2 == 1 ? 1.0 / 18 : 1.0 / 36;
    const double cu = Dot(c, velocity);
    const double equilibrium = weight * density * (1 + 3 * cu + 4.5 * cu * cu - 1.5 * speed2);
    relaxed[i] = (1 - relaxation) * f[i] + relaxation * equilibrium;
  }
  return relaxed;
}

}  // namespace

void ComputeLbm(ReferenceData& data) {
  for (size_t launch = 0; launch < data.LaunchCount(); ++launch) {
    const size_t pitch = data.Extent(launch, 3);
    const size_t layer = data.Extent(launch, 4);
    const size_t array = data.Extent(launch, 5);
    if (pitch <= kPadding || layer < 2 * pitch || array < 2 * layer) {
      ThrowBadInput("reference 'lbm': rows of {}, layers of {}, arrays of {} cells", pitch, layer,
                    array);
    }
    const double relaxation = data.Real(launch, 6);
    const std::array<double, 3> driven = {data.Real(launch, 7), data.Real(launch, 8), 0};
    const auto from = data.Buffer<float>(launch, 0, kCount * array);
    const auto to = data.Buffer<float>(launch, 1, kCount * array);
    const auto kind = data.Buffer<uint32_t>(launch, 2, array);
    for (size_t place = layer; place < array - layer; ++place) {
      // What is not border: see the kernel's page for how cells lie.
      const size_t row = place % layer / pitch;
      if (place % pitch >= pitch - kPadding || row < 1 || row + 1 >= layer / pitch) continue;
      Cell f;
      for (size_t i = 0; i < kCount; ++i) f[i] = from[i * array + place];
      const Cell leaving = kind[place] == 0
                               ? TurnedRound(f)
                               : Relaxed(f, relaxation, kind[place] == 1 ? &driven : nullptr);
      for (size_t i = 0; i < kCount; ++i) {
        const auto& [x, y, z] = kVelocities[i];
        const auto step = x + y * static_cast<int64_t>(pitch) + z * static_cast<int64_t>(layer);
        to[i * array + place + static_cast<size_t>(step)] = static_cast<float>(leaving[i]);
      }
    }
  }
}

}  // namespace flagstone
