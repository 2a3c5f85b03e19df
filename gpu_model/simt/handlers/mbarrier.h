// mbarrier objects in shared memory.
#ifndef FLAGSTONE_GPU_MODEL_SIMT_HANDLERS_MBARRIER_H_
#define FLAGSTONE_GPU_MODEL_SIMT_HANDLERS_MBARRIER_H_

#include <cstddef>
#include <cstdint>

#include "gpu_model/simt/handlers/handlers.h"

namespace flagstone::simt {

// A bulk copy of so many bytes is over.
void CompleteBytes(std::byte* barrier, uint32_t bytes);
// One thread, or what stands for one, arrives.
void ArriveAt(std::byte* barrier);

}  // namespace flagstone::simt

#endif  // FLAGSTONE_GPU_MODEL_SIMT_HANDLERS_MBARRIER_H_
