// Launches of a workload that do the same to other buffers, as the steps of a stencil that goes
// back and forth between two fields. Internal to this folder.
#ifndef FLAGSTONE_APP_FLOW_STUDIES_ALIKE_LAUNCHES_H_
#define FLAGSTONE_APP_FLOW_STUDIES_ALIKE_LAUNCHES_H_

#include <cstddef>
#include <optional>

#include "kernels/launch/workload.h"

namespace flagstone {

// The first launch before `launch` that runs the same kernel on a grid of the same shape, with the
// same arguments up to which buffers, of the same sizes, they point into. What data decide may
// still differ.
std::optional<size_t> FindAlike(const BoundWorkload& bound, size_t launch);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_STUDIES_ALIKE_LAUNCHES_H_
