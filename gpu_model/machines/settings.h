// A machine with some of its values changed.
#ifndef FLAGSTONE_GPU_MODEL_MACHINES_SETTINGS_H_
#define FLAGSTONE_GPU_MODEL_MACHINES_SETTINGS_H_

#include <string>
#include <vector>

#include "gpu_model/machines/machine.h"

namespace flagstone {

// `base` after `settings`, "sm.l1.ways=3", as MachineConfig::Load() makes it: for many machines of
// one file, which is read once. Throws kBadInput; `where` begins the message of a combination that
// no machine can have.
MachineConfig WithSettings(MachineConfig base, const std::vector<std::string>& settings,
                           const std::string& where);

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_MACHINES_SETTINGS_H_
