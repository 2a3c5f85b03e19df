// Fills whose contents are a data structure: points on a sphere, a B+ tree, a suffix tree and reads
// of its text.
#ifndef FLAGSTONE_KERNELS_LAUNCH_STRUCTURE_FILL_H_
#define FLAGSTONE_KERNELS_LAUNCH_STRUCTURE_FILL_H_

#include <cstddef>
#include <span>

#include "kernels/launch/workload.h"

namespace flagstone {

// FillBuffer for these kinds. The buffer's type and count are as ParseStructureFill demands.
void FillStructure(const BufferSpec& spec, std::span<std::byte> bytes);

}  // namespace flagstone

#endif  // FLAGSTONE_KERNELS_LAUNCH_STRUCTURE_FILL_H_
