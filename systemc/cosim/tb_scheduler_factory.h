// Makes the TB scheduler of a run: which one, which body, for how many SMs.
#ifndef FLAGSTONE_SYSTEMC_COSIM_TB_SCHEDULER_FACTORY_H_
#define FLAGSTONE_SYSTEMC_COSIM_TB_SCHEDULER_FACTORY_H_

#include <cstdint>
#include <memory>

#include "gpu_model/blocks/tb_scheduler/descriptor.h"
#include "systemc/cosim/block_factory.h"

namespace flagstone {

// The body comes out of reset.
// The RTL is Verilated on first use (verilate.h). Throws kBadInput for parameters out of range, or
// for a wave of a body that is only a model; kInternal when Verilating is needed and fails.
std::unique_ptr<TbScheduler> MakeTbScheduler(const TbSchedulerDescriptor& scheduler, Engine engine,
                                             const TbSchedulerSize& size,
                                             const BodyOptions& options = {});

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_COSIM_TB_SCHEDULER_FACTORY_H_
