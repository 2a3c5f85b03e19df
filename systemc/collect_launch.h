// The record of a launch that has been simulated, from all that its hardware has counted.
#ifndef FLAGSTONE_SYSTEMC_COLLECT_LAUNCH_H_
#define FLAGSTONE_SYSTEMC_COLLECT_LAUNCH_H_

#include "app/results/launch_record.h"
#include "gpu_model/sm/occupancy.h"
#include "systemc/gpu.h"
#include "systemc/recorder.h"
#include "systemc/run_monitor.h"
#include "systemc/simulate_options.h"
#include "systemc/simulation.h"

namespace flagstone {

// But for the analysis and the logs of loads. `recorder`: null where nobody asked for detail.
// Throws kRunFailed where the counts of a launch that was not interrupted disagree.
LaunchRecord CollectLaunch(const SimulateOptions& options, const LaunchRequest& request,
                           const Occupancy& occupancy, const GpuModule& gpu,
                           const RunMonitor& monitor, Recorder* recorder);

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_COLLECT_LAUNCH_H_
