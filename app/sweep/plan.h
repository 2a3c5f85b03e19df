// A sweep as a file: every workload on every machine under every variant, at every point of the
// axes (docs/sweeps.md has the keys).
#ifndef FLAGSTONE_APP_SWEEP_PLAN_H_
#define FLAGSTONE_APP_SWEEP_PLAN_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "app/flow/reproduce/grid_parts.h"
#include "app/flow/run/run_options.h"
#include "app/sweep/space.h"

namespace flagstone {

struct SweepPlan {
  // Larger ones are refused unless they are asked for.
  static constexpr uint64_t kMostPoints = 10'000'000;

  std::filesystem::path file;  // absolute
  std::string text;            // of the file
  std::string name;            // the file's, without its ending
  std::string description;
  std::vector<std::string> machines;
  std::vector<MachineConfig> machine_values;  // of these, before axes and variants
  std::vector<GridWorkload> workloads;
  std::vector<GridVariant> variants;
  SweepSpace space;              // of places: machine, workload, the axes, variant
  std::vector<uint64_t> points;  // of the space, in order
  RunOptions common;             // what all runs share

  // Throws kBadInput with file and line: for a key that is unknown, an axis without values or of no
  // machine's key, and for more than kMostPoints unless `any_size`.
  static SweepPlan Load(const std::filesystem::path& file, bool any_size);

  // What point `index` of `points` runs. Throws kBadInput where its machine is none.
  RunOptions OptionsOf(size_t index) const;

  // The places of a point along the dimensions of `space`.
  const std::string& MachineOf(const SweepPlaces& places) const { return machines[places[0]]; }
  const GridWorkload& WorkloadOf(const SweepPlaces& places) const { return workloads[places[1]]; }
  const GridVariant& VariantOf(const SweepPlaces& places) const { return variants[places.back()]; }
  SweepPlaces PlacesOf(size_t index) const { return space.PlacesOf(points[index]); }
  // The dimensions between workload and variant.
  size_t FirstAxis() const { return 2; }
  size_t AxesEnd() const { return space.dimensions.size() - 1; }
};

}  // namespace flagstone

#endif  // FLAGSTONE_APP_SWEEP_PLAN_H_
