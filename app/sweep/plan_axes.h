// The parts of a plan that say where in the space of machine keys its points are.
#ifndef FLAGSTONE_APP_SWEEP_PLAN_AXES_H_
#define FLAGSTONE_APP_SWEEP_PLAN_AXES_H_

#include <string_view>
#include <vector>

#include "app/sweep/space.h"
#include "base/toml_reader.h"

namespace flagstone {

// The axis of the partitioner's seed; all others are machine keys.
inline constexpr char kSeedAxis[] = "seed";

bool IsWholeNumber(std::string_view text);

// All throw kBadInput with file and line.

// [axes], in the order of the file; the first varies slowest.
std::vector<SweepDimension> ReadAxes(const TomlReader& root);

// The tables [[key]] of `root`, over the dimensions of `space`.
std::vector<SweepCondition> ReadConditions(const TomlReader& root, const char* key,
                                           const SweepSpace& space);

// [sample]; without it, all points.
SweepSample ReadSample(const TomlReader& root);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_SWEEP_PLAN_AXES_H_
