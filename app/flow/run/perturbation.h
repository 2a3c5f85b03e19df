// What a figure owes to chance: the same run with one latency a cycle longer or shorter, or with
// its buffers two lines further on. None of these is a better machine, so what differs is noise.
#ifndef FLAGSTONE_APP_FLOW_RUN_PERTURBATION_H_
#define FLAGSTONE_APP_FLOW_RUN_PERTURBATION_H_

#include <cstddef>
#include <string_view>

#include "app/flow/run/run_options.h"

namespace flagstone {

// The fixed list of settings; the first is the run as it is, and no two are the same.
inline constexpr size_t kPerturbations = 10;

// "as it is", "L2 latency + 1"
std::string_view PerturbationName(size_t setting);

// One run under setting `setting` of the list. A latency that cannot be a cycle shorter is two
// cycles longer.
RunOptions Perturbed(const RunOptions& options, size_t setting);

// Throws kBadInput where `options` ask for several settings and for what only one run has: a wave,
// detail, a checkpoint, a dump.
void RequirePerturbable(const RunOptions& options);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_RUN_PERTURBATION_H_
