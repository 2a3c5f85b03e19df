// Which body, golden model or RTL, each hardware block of a run has.
#ifndef FLAGSTONE_SYSTEMC_BLOCK_BODIES_H_
#define FLAGSTONE_SYSTEMC_BLOCK_BODIES_H_

#include <vector>

#include "app/results/run_record.h"
#include "systemc/simulate_options.h"

namespace flagstone {

// SimulationResult::blocks of any launch under these options.
std::vector<BlockBody> BodiesOf(const SimulateOptions& options);

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_BLOCK_BODIES_H_
