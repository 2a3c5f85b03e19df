// Scans over tiles and coalesced groups of cooperative_groups.h.
#ifndef FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_COOPERATIVE_GROUPS_SCAN_H_
#define FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_COOPERATIVE_GROUPS_SCAN_H_

#include "reduce.h"

namespace cooperative_groups {

template <class Group, class T, class Operator>
__inline__ __device__ T inclusive_scan(const Group& group, T value, Operator&& combine) {
  for (unsigned delta = 1; delta < group.size(); delta *= 2) {
    const T before = group.shfl_up(value, delta);
    if (group.thread_rank() >= delta) value = combine(before, value);
  }
  return value;
}
template <class Group, class T>
__inline__ __device__ T inclusive_scan(const Group& group, T value) {
  return inclusive_scan(group, value, plus<T>());
}
// The first thread gets T().
template <class Group, class T, class Operator>
__inline__ __device__ T exclusive_scan(const Group& group, T value, Operator&& combine) {
  const T before = group.shfl_up(inclusive_scan(group, value, combine), 1);
  return group.thread_rank() == 0 ? T() : before;
}
template <class Group, class T>
__inline__ __device__ T exclusive_scan(const Group& group, T value) {
  return exclusive_scan(group, value, plus<T>());
}

}  // namespace cooperative_groups

#endif  // FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_COOPERATIVE_GROUPS_SCAN_H_
