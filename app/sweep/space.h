// The places of a grid, numbered; those that filters leave, and samples of them.
#ifndef FLAGSTONE_APP_SWEEP_SPACE_H_
#define FLAGSTONE_APP_SWEEP_SPACE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace flagstone {

struct SweepDimension {
  std::string key;                  // "machine", "sm.l1.size_kib"
  std::vector<std::string> values;  // as text; at least one
};

// One index for each dimension, into its values.
using SweepPlaces = std::vector<size_t>;

struct SweepSpace {
  std::vector<SweepDimension> dimensions;  // the last one varies fastest

  // Throws kBadInput where the product is beyond 2^63.
  uint64_t Size() const;
  SweepPlaces PlacesOf(uint64_t point) const;
  uint64_t PointOf(const SweepPlaces& places) const;
};

// Points whose places, along each dimension that is named here, are among these.
struct SweepCondition {
  struct Part {
    size_t dimension = 0;
    std::vector<bool> holds;  // by value
  };
  std::vector<Part> parts;

  bool Holds(const SweepPlaces& places) const;
};

// What is left of a space: all points, or those that meet one of `only`, without those that meet
// one of `skip`.
struct SweepFilter {
  std::vector<SweepCondition> only, skip;

  bool Keeps(const SweepPlaces& places) const;
};

struct SweepSample {
  enum class Kind : uint8_t {
    kAll,
    kRandom,          // different ones, each with the same chance
    kLatinHypercube,  // in which each axis has all its values equally often, as far as that goes
                      // (McKay, Beckman, Conover, Technometrics 1979)
  };
  Kind kind = Kind::kAll;
  uint64_t points = 0;
  uint64_t seed = 1;
};

// The points of `axes` that `sample` draws, in ascending order and without doubles. Throws
// kBadInput where a random sample is of more points than there are.
std::vector<uint64_t> DrawSample(const SweepSpace& axes, const SweepSample& sample);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_SWEEP_SPACE_H_
