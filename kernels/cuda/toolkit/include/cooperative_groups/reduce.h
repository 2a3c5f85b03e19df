// Reductions over tiles and coalesced groups of cooperative_groups.h; all threads get the result.
#ifndef FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_COOPERATIVE_GROUPS_REDUCE_H_
#define FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_COOPERATIVE_GROUPS_REDUCE_H_

#include "../cooperative_groups.h"

namespace cooperative_groups {

#define FLAGSTONE_OPERATOR(name, result)                                     \
  template <class T>                                                         \
  struct name {                                                              \
    __device__ T operator()(const T& a, const T& b) const { return result; } \
  };
FLAGSTONE_OPERATOR(plus, a + b)
FLAGSTONE_OPERATOR(less, b < a ? b : a)
FLAGSTONE_OPERATOR(greater, a < b ? b : a)
FLAGSTONE_OPERATOR(bit_and, a& b)
FLAGSTONE_OPERATOR(bit_or, a | b)
FLAGSTONE_OPERATOR(bit_xor, a ^ b)
#undef FLAGSTONE_OPERATOR

template <class Group, class T, class Operator>
__inline__ __device__ T reduce(const Group& group, T value, Operator&& combine) {
  const unsigned size = group.size(), rank = group.thread_rank();
  for (unsigned delta = 1; delta < size; delta *= 2) {
    const T other = group.shfl_down(value, delta);
    if (rank + delta < size && rank % (2 * delta) == 0) value = combine(value, other);
  }
  return group.shfl(value, 0);
}

}  // namespace cooperative_groups

#endif  // FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_COOPERATIVE_GROUPS_REDUCE_H_
