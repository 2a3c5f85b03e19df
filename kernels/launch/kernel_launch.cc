#include "kernels/launch/kernel_launch.h"

#include "kernels/ptx/kernel.h"

namespace flagstone {

uint32_t KernelLaunch::OwnSharedBytes() const {
  return kernel->shared_bytes + dynamic_shared_bytes;
}

uint32_t KernelLaunch::SharedBytes() const {
  if (!kernel->reads_reserved_shared) return OwnSharedBytes();
  return ReservedSharedBegin() + kReservedSharedBytes;
}

}  // namespace flagstone
