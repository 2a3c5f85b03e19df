// NVTX for C++: ranges that nobody reads here.
#ifndef FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_NVTX3_NVTX3_HPP_
#define FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_NVTX3_NVTX3_HPP_

#include "nvToolsExt.h"

namespace nvtx3 {
inline namespace v1 {
struct domain {
  struct global {};
};
struct event_attributes {
  template <class... T>
  event_attributes(const T&...) {}
};
template <class Domain>
class scoped_range_in {
 public:
  template <class... T>
  explicit scoped_range_in(const T&...) {}
  scoped_range_in(const scoped_range_in&) = delete;
  scoped_range_in& operator=(const scoped_range_in&) = delete;
  ~scoped_range_in() {}
};
using scoped_range = scoped_range_in<domain::global>;
template <class... T>
void mark(const T&...) {}
}  // namespace v1
}  // namespace nvtx3
#define NVTX3_FUNC_RANGE() ::nvtx3::scoped_range flagstone_range(__func__)
#define NVTX3_FUNC_RANGE_IN(domain) ::nvtx3::scoped_range_in<domain> flagstone_range(__func__)

#endif  // FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_NVTX3_NVTX3_HPP_
