// The TB schedulers' ports as field tables: each has its own, in the order of its RTL's port list.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_FIELDS_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_FIELDS_H_

#include <cstdint>

#include "gpu_model/blocks/field.h"
#include "gpu_model/blocks/tb_scheduler/descriptor.h"
#include "gpu_model/blocks/tb_scheduler/ports.h"

namespace flagstone {

// `num_sms` 1 to kMaxSms; `id_bits` 16 or 32.
FieldTable<TbSchedulerIn> TbSchedulerInputs(const TbSchedulerDescriptor& scheduler,
                                            uint32_t num_sms, uint32_t id_bits);
// Their mem_req_size says up to as many bytes as mem_rsp_data has.
FieldTable<TbSchedulerOut> TbSchedulerOutputs(const TbSchedulerDescriptor& scheduler,
                                              uint32_t num_sms, uint32_t id_bits);

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_FIELDS_H_
