// Whether the values of a machine go together, which the ranges of single keys cannot say.
#ifndef FLAGSTONE_GPU_MODEL_MACHINES_MACHINE_CHECK_H_
#define FLAGSTONE_GPU_MODEL_MACHINES_MACHINE_CHECK_H_

#include <string>

#include "gpu_model/machines/machine.h"

namespace flagstone {

// Throws kBadInput with the key, its value and what is expected. `where`: the file, for messages.
void CheckMachine(const MachineConfig& machine, const std::string& where);

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_MACHINES_MACHINE_CHECK_H_
