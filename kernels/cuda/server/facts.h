// What a program may ask about the device and about its kernels.
#ifndef FLAGSTONE_KERNELS_CUDA_SERVER_FACTS_H_
#define FLAGSTONE_KERNELS_CUDA_SERVER_FACTS_H_

#include "gpu_model/machines/machine.h"
#include "kernels/cuda/protocol.h"
#include "kernels/cuda/server/modules.h"

namespace flagstone::cuda {

DeviceFacts FactsOf(const MachineConfig& m);
FunctionFacts FactsOf(const LoadedKernel& kernel);

}  // namespace flagstone::cuda

#endif  // FLAGSTONE_KERNELS_CUDA_SERVER_FACTS_H_
