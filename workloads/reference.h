// The table of the workloads' CPU references, for RunChecks.
#ifndef FLAGSTONE_WORKLOADS_REFERENCE_H_
#define FLAGSTONE_WORKLOADS_REFERENCE_H_

#include "launch/reference.h"

namespace flagstone {

ReferenceTable References();

// One in each workloads/<name>/reference.cc.
void ComputeHotspot(ReferenceData& data);
void ComputeMatmul(ReferenceData& data);
void ComputeSpmv(ReferenceData& data);
void ComputeSyrk(ReferenceData& data);
void ComputeVecadd(ReferenceData& data);

}  // namespace flagstone

#endif  // FLAGSTONE_WORKLOADS_REFERENCE_H_
