// The TB schedulers whose RTL was Verilated with the program.
#ifndef FLAGSTONE_SYSTEMC_BODIES_PREBUILT_TB_SCHEDULERS_H_
#define FLAGSTONE_SYSTEMC_BODIES_PREBUILT_TB_SCHEDULERS_H_

#include <cstdint>
#include <span>

#include "systemc/bodies/engine.h"
#include "systemc/bodies/tb_scheduler_abi.h"

namespace flagstone {

struct PrebuiltTbScheduler {
  Dispatcher dispatcher;
  const TbSchedulerAbi* abi;
};

// Generated from the list in this folder's CMakeLists.txt.
std::span<const PrebuiltTbScheduler> PrebuiltTbSchedulers();

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_BODIES_PREBUILT_TB_SCHEDULERS_H_
