#include "launch/kernel_launch.h"

#include "ptx/kernel.h"

namespace flagstone {

uint32_t KernelLaunch::SharedBytes() const { return kernel->shared_bytes + dynamic_shared_bytes; }

}  // namespace flagstone
