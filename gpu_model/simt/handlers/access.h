// From an instruction's operands to checked host pointers, one per lane.
#ifndef FLAGSTONE_GPU_MODEL_SIMT_HANDLERS_ACCESS_H_
#define FLAGSTONE_GPU_MODEL_SIMT_HANDLERS_ACCESS_H_

#include "gpu_model/simt/handlers/lanes.h"

namespace flagstone::simt::FLAGSTONE_SIMT_VARIANT {

// Fills addresses, pointers, space and in_space of the context for the lanes of the mask.
// Throws kRunFailed for an access that is out of bounds, misaligned or, if it writes, to read-only
// memory.
void PrepareAccess(Context& c, const Inst& inst, LaneMask mask);

}  // namespace flagstone::simt::FLAGSTONE_SIMT_VARIANT

#endif  // FLAGSTONE_GPU_MODEL_SIMT_HANDLERS_ACCESS_H_
