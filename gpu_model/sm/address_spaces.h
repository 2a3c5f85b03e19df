// Where what is no global memory lies: above all of it, so that it takes its place in L2 and DRAM.
#ifndef FLAGSTONE_GPU_MODEL_SM_ADDRESS_SPACES_H_
#define FLAGSTONE_GPU_MODEL_SM_ADDRESS_SPACES_H_

#include <cstdint>

namespace flagstone {

inline constexpr uint64_t kLocalBase = uint64_t{1} << 38;
inline constexpr uint64_t kParameterBase = kLocalBase + (uint64_t{1} << 37);
inline constexpr uint64_t kCodeBase = kParameterBase + (uint64_t{1} << 36);
// Of several nodes, the TB queue of each: it has the addresses of global memory below this one.
inline constexpr uint64_t kNodeQueueBase = kCodeBase + (uint64_t{1} << 35);

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_SM_ADDRESS_SPACES_H_
