// The heap of device code: what malloc and free of kernels work on, in device memory, so that it
// lives from one launch to the next.
#ifndef FLAGSTONE_KERNELS_LAUNCH_HEAP_H_
#define FLAGSTONE_KERNELS_LAUNCH_HEAP_H_

#include <cstddef>
#include <cstdint>

#include "kernels/launch/device_memory.h"

namespace flagstone {

inline constexpr uint64_t kDefaultHeapBytes = uint64_t{8} << 20;  // as CUDA's

// Makes a region of so many bytes, and its own account in it, an empty heap; returns its address.
uint64_t AllocateHeap(uint64_t bytes, DeviceMemory* memory);

// `heap`: the host's address of an AllocateHeap region. Blocks are aligned to 16 bytes; null where
// none of this size is left.
uint64_t AllocateFrom(std::byte* heap, uint64_t bytes);
// False where malloc has not given out this address, or free has taken it back.
bool FreeInto(std::byte* heap, uint64_t address);

}  // namespace flagstone

#endif  // FLAGSTONE_KERNELS_LAUNCH_HEAP_H_
