// The energy of a launch, from what it counted and the machine's energies of events.
#ifndef FLAGSTONE_GPU_MODEL_ENERGY_LAUNCH_ENERGY_H_
#define FLAGSTONE_GPU_MODEL_ENERGY_LAUNCH_ENERGY_H_

#include "gpu_model/machines/machine.h"
#include "gpu_model/stats/statistics.h"

namespace flagstone {

// Of the whole machine. Events cost what `machine.energy` says; leakage, open rows, refreshes and
// hardware blocks cost by the time that the launch took. docs/energy.md has sources and
// assumptions. `prefetches`: its SMs have a prefetcher.
EnergyStatistics EnergyOf(const LaunchStatistics& launch, const MachineConfig& machine,
                          bool prefetches);

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_ENERGY_LAUNCH_ENERGY_H_
