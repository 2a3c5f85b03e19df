#include "analyzer/address/indirect_loads.h"

#include "analyzer/address/address_analysis.h"
#include "kernels/ptx/kernel.h"

namespace flagstone {

std::vector<bool> IndirectLoads(const KernelLaunch& launch, const DeviceMemory& memory) {
  std::vector<bool> indirect(launch.kernel->instructions.size(), true);
  for (const AddressForm& access : AnalyzeAddresses(launch, memory).accesses) {
    if (access.is_store) continue;
    indirect[access.pc] = access.from_constants || access.pattern == AddressClass::kIndirect;
  }
  return indirect;
}

}  // namespace flagstone
