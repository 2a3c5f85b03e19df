// Makes the TB scheduler of a run: which dispatcher, which body, for how many SMs.
#ifndef FLAGSTONE_SYSTEMC_BODIES_TB_SCHEDULER_FACTORY_H_
#define FLAGSTONE_SYSTEMC_BODIES_TB_SCHEDULER_FACTORY_H_

#include <cstdint>
#include <memory>

#include "gpu_model/blocks/tb_scheduler/dispatcher.h"
#include "gpu_model/blocks/tb_scheduler/ports.h"
#include "systemc/bodies/block_factory.h"

namespace flagstone {

// `num_sms` 1 to kMaxSms, `id_bytes` 2 or 4; throws kBadInput.
BlockType<TbSchedulerIn, TbSchedulerOut> TbSchedulerType(Dispatcher dispatcher, uint32_t num_sms,
                                                         uint32_t id_bytes);

// `num_sms` 1 to kMaxSms, `id_bytes` 2 or 4. The body comes out of reset. RTL parameters that were
// not built in are Verilated on first use (see verilate_on_demand.h).
// Throws kBadInput for parameters out of range, or for a wave of a body that is only a model;
// kInternal when Verilating is needed and fails.
std::unique_ptr<TbScheduler> MakeTbScheduler(Dispatcher dispatcher, Engine engine, uint32_t num_sms,
                                             uint32_t id_bytes, const BodyOptions& options = {});

// Whether these RTL parameters are built into the program.
bool IsPrebuilt(Dispatcher dispatcher, uint32_t num_sms, uint32_t id_bytes);

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_BODIES_TB_SCHEDULER_FACTORY_H_
