#include "app/sweep/space.h"

#include <algorithm>
#include <numeric>
#include <unordered_set>

#include "base/error.h"
#include "base/random.h"

namespace flagstone {
namespace {

std::vector<uint64_t> RandomPoints(const SweepSpace& axes, const SweepSample& sample) {
  const uint64_t size = axes.Size();
  if (sample.points > size) {
    ThrowBadInput("a random sample of {} points: the axes have {}", sample.points, size);
  }
  // Floyd's way to draw different numbers (Bentley, Communications of the ACM 30(9), 1987).
  SplitMix64 random(sample.seed);
  std::unordered_set<uint64_t> drawn;
  for (uint64_t last = size - sample.points; last < size; ++last) {
    if (!drawn.insert(random.Below(last + 1)).second) drawn.insert(last);
  }
  std::vector<uint64_t> points(drawn.begin(), drawn.end());
  std::sort(points.begin(), points.end());
  return points;
}

std::vector<size_t> Shuffled(size_t count, SplitMix64* random) {
  std::vector<size_t> order(count);
  std::iota(order.begin(), order.end(), size_t{0});
  for (size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random->Below(i)]);
  return order;
}

// Point i stands in stratum order[d][i] of dimension d, and strata share out the values evenly.
std::vector<uint64_t> LatinHypercube(const SweepSpace& axes, const SweepSample& sample) {
  SplitMix64 random(sample.seed);
  std::vector<SweepPlaces> drawn(sample.points, SweepPlaces(axes.dimensions.size()));
  for (size_t d = 0; d < axes.dimensions.size(); ++d) {
    const std::vector<size_t> strata = Shuffled(sample.points, &random);
    const size_t values = axes.dimensions[d].values.size();
    for (size_t i = 0; i < drawn.size(); ++i) drawn[i][d] = strata[i] * values / sample.points;
  }
  std::vector<uint64_t> points;
  points.reserve(drawn.size());
  for (const SweepPlaces& places : drawn) points.push_back(axes.PointOf(places));
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  return points;
}

}  // namespace

uint64_t SweepSpace::Size() const {
  uint64_t size = 1;
  for (const SweepDimension& dimension : dimensions) {
    if (size > (uint64_t{1} << 63) / dimension.values.size()) {
      ThrowBadInput("the axes span more than 2^63 points: expected fewer values");
    }
    size *= dimension.values.size();
  }
  return size;
}

SweepPlaces SweepSpace::PlacesOf(uint64_t point) const {
  SweepPlaces places(dimensions.size());
  for (size_t d = dimensions.size(); d-- > 0;) {
    places[d] = point % dimensions[d].values.size();
    point /= dimensions[d].values.size();
  }
  return places;
}

uint64_t SweepSpace::PointOf(const SweepPlaces& places) const {
  uint64_t point = 0;
  for (size_t d = 0; d < dimensions.size(); ++d) {
    point = point * dimensions[d].values.size() + places[d];
  }
  return point;
}

bool SweepCondition::Holds(const SweepPlaces& places) const {
  return std::all_of(parts.begin(), parts.end(),
                     [&](const Part& part) { return part.holds[places[part.dimension]]; });
}

bool SweepFilter::Keeps(const SweepPlaces& places) const {
  const auto holds = [&](const SweepCondition& condition) { return condition.Holds(places); };
  return (only.empty() || std::any_of(only.begin(), only.end(), holds)) &&
         std::none_of(skip.begin(), skip.end(), holds);
}

std::vector<uint64_t> DrawSample(const SweepSpace& axes, const SweepSample& sample) {
  return sample.kind == SweepSample::Kind::kLatinHypercube ? LatinHypercube(axes, sample)
                                                           : RandomPoints(axes, sample);
}

}  // namespace flagstone
