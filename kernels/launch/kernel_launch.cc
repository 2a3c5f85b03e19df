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

uint32_t KernelLaunch::StackBegin() const { return (kernel->local_bytes + 15) / 16 * 16; }

uint32_t KernelLaunch::LocalBytes() const {
  return kernel->uses_stack ? StackBegin() + stack_bytes : kernel->local_bytes;
}

}  // namespace flagstone
