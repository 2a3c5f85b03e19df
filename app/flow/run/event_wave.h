// The wave around an event of a launch: the launch is simulated once more, from the same memory,
// because only then it is known where the wave begins.
#ifndef FLAGSTONE_APP_FLOW_RUN_EVENT_WAVE_H_
#define FLAGSTONE_APP_FLOW_RUN_EVENT_WAVE_H_

#include <string>

#include "app/flow/run/run_options.h"
#include "systemc/simulation.h"

namespace flagstone {

// Simulates a launch. Where model and RTL differ it is simulated again for the wave before that, in
// the file that the options ask for at a mismatch, else in `wave_file`.
SimulationResult SimulateWithWaveOfMismatch(const RunOptions& options, const LaunchRequest& request,
                                            const std::string& wave_file);

// Where a wave begins at an event, the launch is simulated whole without one, and once more up to
// the end of the window that the event gives. A mismatch is as above.
SimulationResult SimulateWithWaveOfEvent(const RunOptions& options, const LaunchRequest& request,
                                         const std::string& mismatch_file);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_RUN_EVENT_WAVE_H_
