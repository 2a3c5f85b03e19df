// What a program may ask about the device and about its kernels.
#ifndef FLAGSTONE_CUDA_SERVER_FACTS_H_
#define FLAGSTONE_CUDA_SERVER_FACTS_H_

#include "cuda/protocol.h"
#include "cuda/server/modules.h"
#include "gpu_model/machines/machine.h"

namespace flagstone::cuda {

DeviceFacts FactsOf(const MachineConfig& m);
FunctionFacts FactsOf(const LoadedKernel& kernel);

}  // namespace flagstone::cuda

#endif  // FLAGSTONE_CUDA_SERVER_FACTS_H_
