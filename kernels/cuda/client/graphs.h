// What a stream captures: work is noted down instead of being done, and done when the graph is
// launched, in the order in which it was noted.
#ifndef FLAGSTONE_KERNELS_CUDA_CLIENT_GRAPHS_H_
#define FLAGSTONE_KERNELS_CUDA_CLIENT_GRAPHS_H_

#include "kernels/cuda/client/runtime.h"

namespace flagstone::cuda {

struct Shape {
  dim3 grid, block;
  dim3 cluster;  // TBs; kNoCluster: as the kernel says
  size_t shared;
  bool cooperative;
};
inline constexpr dim3 kNoCluster(0, 0, 0);

// One piece of work; which of the fields mean something, `kind` says.
struct Work {
  enum Kind { kEmpty, kKernel, kCopy, kSet, kHost } kind = kEmpty;
  const void* function = nullptr;  // of kKernel, by the program's name
  Shape shape = {{}, {}, kNoCluster, 0, false};
  char* parameters = nullptr;  // packed; the graph's own
  uint32_t parameter_bytes = 0;
  void* to = nullptr;  // of kCopy and kSet
  const void* from = nullptr;
  size_t to_pitch = 0, from_pitch = 0, width = 0, height = 1;
  cudaMemcpyKind direction = cudaMemcpyDefault;
  int value = 0;
  cudaHostFn_t host = nullptr;
  void* data = nullptr;
};

// Whether what is given to this stream is to be noted down. The legacy stream is never captured.
bool Captures(cudaStream_t stream);
// Takes over what it points to.
cudaError_t Capture(const Work& work);

// Of launch.cc: packs a kernel's arguments into memory of its own.
cudaError_t MakeKernelWork(const void* function, const Shape& shape, void** arguments, Work* work);
cudaError_t LaunchWork(const Work& work);

}  // namespace flagstone::cuda

#endif  // FLAGSTONE_KERNELS_CUDA_CLIENT_GRAPHS_H_
