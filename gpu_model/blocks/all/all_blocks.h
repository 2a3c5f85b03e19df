// All hardware blocks of all kinds, and their parts, for what lists, checks or synthesises them.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_ALL_ALL_BLOCKS_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_ALL_ALL_BLOCKS_H_

#include <string_view>
#include <vector>

#include "gpu_model/blocks/descriptor.h"

namespace flagstone {

// Blocks first, then their parts, those that are driven alone before those that are not.
const std::vector<const BlockDescriptor*>& BlockDescriptors();

// Throws kInternal for a name that is none.
const BlockDescriptor& DescriptorOf(std::string_view name);

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_ALL_ALL_BLOCKS_H_
