// Tracking of points by normalised cross-correlation in f64: each point's template is sought at
// every displacement in the next frame.
#include "workloads/reference.h"

#include <cmath>
#include <numbers>
#include <vector>

#include "base/error.h"

namespace flagstone {
namespace {

struct Place {
  int64_t row, column;
};

struct Frame {
  std::span<const float> pixels;
  size_t columns;

  double At(int64_t row, int64_t column) const {
    const size_t rows = pixels.size() / columns;
    if (row < 0 || column < 0 || static_cast<size_t>(row) >= rows ||
        static_cast<size_t>(column) >= columns) {
      ThrowBadInput("reference 'heartwall': pixel {}, {} is not in the frame of {} x {}", row,
                    column, rows, columns);
    }
    return double{pixels[static_cast<size_t>(row) * columns + static_cast<size_t>(column)]};
  }

  // The square of 2 * radius + 1 pixels a side around a place.
  std::vector<double> Around(Place place, int64_t radius) const {
    std::vector<double> pixels_around;
    for (int64_t y = -radius; y <= radius; ++y) {
      for (int64_t x = -radius; x <= radius; ++x) {
        pixels_around.push_back(At(place.row + y, place.column + x));
      }
    }
    return pixels_around;
  }
};

// Count points, evenly on an ellipse around row 300, column 290.
std::vector<Place> Ellipse(int count, double row_radius, double column_radius) {
  std::vector<Place> places;
  for (int i = 0; i < count; ++i) {
    const double angle = 2 * std::numbers::pi * i / count;
    places.push_back({std::lround(300 + row_radius * std::sin(angle)),
                      std::lround(290 + column_radius * std::cos(angle))});
  }
  return places;
}

double Correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const auto n = static_cast<double>(a.size());
  double mean_a = 0;
  double mean_b = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    mean_a += a[i] / n;
    mean_b += b[i] / n;
  }
  double aa = 0;
  double bb = 0;
  double ab = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    aa += (a[i] - mean_a) * (a[i] - mean_a);
    bb += (b[i] - mean_b) * (b[i] - mean_b);
    ab += (a[i] - mean_a) * (b[i] - mean_b);
  }
  return ab / std::sqrt(aa * bb);
}

struct Track {
  Place place;
  std::vector<double> pattern;  // the template
  double match = 1;

  void Follow(const Frame& frame, int64_t radius, int64_t reach, double blend) {
    match = -2;
    Place best = place;
    for (int64_t down = -reach; down <= reach; ++down) {
      for (int64_t right = -reach; right <= reach; ++right) {
        const Place there = {place.row + down, place.column + right};
        const double correlation = Correlation(pattern, frame.Around(there, radius));
        if (correlation > match) {
          match = correlation;
          best = there;
        }
      }
    }
    place = best;
    const std::vector<double> seen = frame.Around(place, radius);
    for (size_t i = 0; i < pattern.size(); ++i) {
      pattern[i] = (1 - blend) * pattern[i] + blend * seen[i];
    }
  }
};

}  // namespace

void ComputeHeartwall(ReferenceData& data) {
  std::vector<Track> tracks;
  for (const Place& place : Ellipse(20, 95, 75)) tracks.push_back({place, {}});
  for (const Place& place : Ellipse(31, 140, 115)) tracks.push_back({place, {}});
  for (size_t launch = 0; launch < data.LaunchCount(); ++launch) {
    const Frame frame = {data.Buffer<float>(launch, 0), data.Extent(launch, 1)};
    if (frame.columns == 0) ThrowBadInput("reference 'heartwall': expected at least one column");
    const auto radius = static_cast<int64_t>(data.Extent(launch, 3));
    const auto reach = static_cast<int64_t>(data.Extent(launch, 4));
    const auto rows = data.Buffer<int32_t>(launch, 6, tracks.size());
    const auto columns = data.Buffer<int32_t>(launch, 7, tracks.size());
    const auto match = data.Buffer<float>(launch, 8, tracks.size());
    for (size_t i = 0; i < tracks.size(); ++i) {
      Track& track = tracks[i];
      if (data.Integer(launch, 2) == 0) {
        track.pattern = frame.Around(track.place, radius);
      } else {
        track.Follow(frame, radius, reach, data.Real(launch, 5));
      }
      rows[i] = static_cast<int32_t>(track.place.row);
      columns[i] = static_cast<int32_t>(track.place.column);
      match[i] = static_cast<float>(track.match);
    }
  }
}

}  // namespace flagstone
