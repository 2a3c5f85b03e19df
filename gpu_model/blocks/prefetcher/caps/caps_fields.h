// The ports of CAPS's prefetcher as field tables, in the order of the RTL's port list.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_PREFETCHER_CAPS_CAPS_FIELDS_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_PREFETCHER_CAPS_CAPS_FIELDS_H_

#include "gpu_model/blocks/field.h"
#include "gpu_model/blocks/prefetcher/caps/caps_config.h"

namespace flagstone {

FieldTable<CapsIn> CapsInputs(const CapsConfig& config);
FieldTable<CapsOut> CapsOutputs(const CapsConfig& config);

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_PREFETCHER_CAPS_CAPS_FIELDS_H_
