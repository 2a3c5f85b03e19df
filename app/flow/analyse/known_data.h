// The addresses that loads really go to, by executing a launch on known data: for loads whose
// addresses no static analysis can tell.
#ifndef FLAGSTONE_APP_FLOW_ANALYSE_KNOWN_DATA_H_
#define FLAGSTONE_APP_FLOW_ANALYSE_KNOWN_DATA_H_

#include "analyzer/address/address_form.h"
#include "analyzer/locality/footprints.h"
#include "gpu_model/simt/executor.h"
#include "kernels/launch/device_memory.h"
#include "kernels/launch/kernel_launch.h"

namespace flagstone {

// An observer of an execution.
struct AlsoObserved {
  StepObserver observer = nullptr;
  void* context = nullptr;
};

// Executes the launch without timing on `memory`, which is changed by it, and collects what each TB
// (and each of its warps, if asked for) reads by the loads that the static
// analysis leaves out. `also` hears of all steps too.
KnownAccesses ExecuteForAddresses(const AddressAnalysis& addresses, const KernelLaunch& launch,
                                  DeviceMemory* memory, bool by_warp,
                                  const FunctionalControl& control = {},
                                  const AlsoObserved& also = {});

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_ANALYSE_KNOWN_DATA_H_
