// The table of the workloads' CPU references, for RunChecks.
#ifndef FLAGSTONE_WORKLOADS_REFERENCE_H_
#define FLAGSTONE_WORKLOADS_REFERENCE_H_

#include "kernels/launch/reference.h"

namespace flagstone {

// One for each folder NAME in workloads/ with a reference.cc, which defines
// `void Compute<Name>(ReferenceData& data)` with NAME in camel case; ordered by name.
ReferenceTable References();

}  // namespace flagstone

#endif  // FLAGSTONE_WORKLOADS_REFERENCE_H_
