#include "systemc/cosim/tb_scheduler_factory.h"

#include "base/error.h"
#include "systemc/cosim/tb_scheduler_ports.h"

namespace flagstone {

std::unique_ptr<TbScheduler> MakeTbScheduler(const TbSchedulerDescriptor& scheduler, Engine engine,
                                             const TbSchedulerSize& size,
                                             const BodyOptions& options) {
  if (engine != Engine::kModel && size.num_sms > kMaxRtlSms) {
    ThrowBadInput(
        "a TB scheduler for {} SMs: expected 1 to {}, which its RTL serves; more have "
        "only the model (--engine model)",
        size.num_sms, kMaxRtlSms);
  }
  return MakeBody<TbSchedulerIn, TbSchedulerOut, TbSchedulerPorts>(TbSchedulerType(scheduler, size),
                                                                   engine, options);
}

}  // namespace flagstone
