// Kernel + launch -> AddressAnalysis, by abstract interpretation of the PTX, without running it.
#ifndef FLAGSTONE_ANALYZER_ADDRESS_ADDRESS_ANALYSIS_H_
#define FLAGSTONE_ANALYZER_ADDRESS_ADDRESS_ANALYSIS_H_

#include "analyzer/address/address_form.h"
#include "kernels/launch/device_memory.h"
#include "kernels/launch/kernel_launch.h"

namespace flagstone {

// `memory` only names arrays by their address; no content is read.
AddressAnalysis AnalyzeAddresses(const KernelLaunch& launch, const DeviceMemory& memory);

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_ADDRESS_ADDRESS_ANALYSIS_H_
