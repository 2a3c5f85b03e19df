#include "systemc/dram_body.h"

#include "systemc/fixed_dram.h"
#include "systemc/fr_fcfs_dram.h"

namespace flagstone {

std::unique_ptr<DramBody> MakeDramBody(sc_core::sc_module_name name, const MachineConfig& machine,
                                       uint32_t clients) {
  switch (machine.dram.model) {
    case DramModel::kFrFcfs:
      break;
    case DramModel::kFixed:
      return std::make_unique<FixedDram>(name, machine, clients);
  }
  return std::make_unique<FrFcfsDram>(name, machine, clients);
}

}  // namespace flagstone
