#include "systemc/cosim/tb_scheduler_factory.h"

#include "base/error.h"
#include "systemc/cosim/tb_scheduler_ports.h"

namespace flagstone {

std::unique_ptr<TbScheduler> MakeTbScheduler(const TbSchedulerDescriptor& scheduler, Engine engine,
                                             const TbSchedulerSize& size,
                                             const BodyOptions& options) {
  return MakeBody<TbSchedulerIn, TbSchedulerOut, TbSchedulerPorts>(TbSchedulerType(scheduler, size),
                                                                   engine, options);
}

}  // namespace flagstone
