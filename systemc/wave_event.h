// Where in a launch the event came about that a wave begins at.
#ifndef FLAGSTONE_SYSTEMC_WAVE_EVENT_H_
#define FLAGSTONE_SYSTEMC_WAVE_EVENT_H_

#include <optional>
#include <vector>

#include "gpu_model/sm/tb_log.h"
#include "systemc/gpu.h"
#include "systemc/simulate_options.h"
#include "systemc/simulation.h"

namespace flagstone {

// After a launch, the first one of this kind; a mismatch is no such event, because it ends the run.
// `steals`: of the launch, where a steal is asked for.
std::optional<SeenEvent> FindWaveEvent(WaveEvent event, const GpuModule& gpu,
                                       const std::vector<StealEvent>* steals);

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_WAVE_EVENT_H_
