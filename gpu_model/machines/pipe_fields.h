// The keys of the classes of instructions: for each its latency, its interval and its pipe.
#ifndef FLAGSTONE_GPU_MODEL_MACHINES_PIPE_FIELDS_H_
#define FLAGSTONE_GPU_MODEL_MACHINES_PIPE_FIELDS_H_

#include <span>

#include "gpu_model/machines/machine_fields.h"

namespace flagstone {

// Of the tables sm.logic, sm.int_add, ..., in the order in which `list keys` prints them.
std::span<const MachineField> PipeFields();

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_MACHINES_PIPE_FIELDS_H_
