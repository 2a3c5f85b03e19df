// Copies by a group of cooperative_groups.h. They are done when they are asked for; wait is a
// barrier.
#ifndef FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H_
#define FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H_

#include "../cooperative_groups.h"

namespace cooperative_groups {

template <class Group, class To, class From>
__inline__ __device__ void memcpy_async(const Group& group, To* to, const From* from,
                                        size_t bytes) {
  if (sizeof(To) == sizeof(From) && bytes % sizeof(To) == 0) {
    for (size_t i = group.thread_rank(); i < bytes / sizeof(To); i += group.size()) {
      to[i] = from[i];
    }
    return;
  }
  auto* const bytes_to = reinterpret_cast<char*>(to);
  const auto* const bytes_from = reinterpret_cast<const char*>(from);
  for (size_t i = group.thread_rank(); i < bytes; i += group.size()) bytes_to[i] = bytes_from[i];
}
template <class Group>
__inline__ __device__ void wait(const Group& group) {
  group.sync();
}
template <unsigned Stages, class Group>
__inline__ __device__ void wait_prior(const Group& group) {
  group.sync();
}

}  // namespace cooperative_groups

#endif  // FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H_
