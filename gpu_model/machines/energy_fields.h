// The keys of a machine's table of energies. Internal to this folder.
#ifndef FLAGSTONE_GPU_MODEL_MACHINES_ENERGY_FIELDS_H_
#define FLAGSTONE_GPU_MODEL_MACHINES_ENERGY_FIELDS_H_

#include <span>

#include "gpu_model/machines/machine_fields.h"

namespace flagstone {

std::span<const MachineField> EnergyFields();

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_MACHINES_ENERGY_FIELDS_H_
