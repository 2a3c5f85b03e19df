// tensormap.replace (PTX ISA, section 9.7.9.28): a field of a tensor map in memory takes a value.
#ifndef FLAGSTONE_GPU_MODEL_SIMT_HANDLERS_TENSOR_MAP_FIELD_H_
#define FLAGSTONE_GPU_MODEL_SIMT_HANDLERS_TENSOR_MAP_FIELD_H_

#include <cstdint>

#include "gpu_model/simt/handlers/handlers.h"

namespace flagstone::simt {

// Of a map in memory; an access that changes one counts as so many bytes.
inline constexpr uint8_t kMapAlignment = 64;

MemoryHandler SelectMapField(const ptx::Instruction& instruction);

}  // namespace flagstone::simt

#endif  // FLAGSTONE_GPU_MODEL_SIMT_HANDLERS_TENSOR_MAP_FIELD_H_
