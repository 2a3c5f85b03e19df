// Launches, and what is asked about kernels.
#include <stdio.h>

#include "kernels/cuda/client/runtime.h"

namespace flagstone::cuda {
namespace {

struct Configuration {
  uint3 grid, block;
  size_t shared;
  cudaStream_t stream;
};
// Of <<<...>>>, one for each thread; they may nest where an argument's constructor launches.
constexpr int kMostNested = 16;
__thread Configuration pushed[kMostNested];
__thread int depth = 0;
// Of the API before CUDA 9.2: arguments come one by one.
__thread char arguments_of_old[4096];

void Print() {
  Runtime();
  while (true) {
    Request request;
    request.op = Op::kPrinted;
    const Reply reply = Call(request, nullptr, Runtime().printed, kMostPayload);
    if (reply.bytes == 0) return;
    fwrite(Runtime().printed, 1, reply.bytes, stdout);
  }
}

void CopyRegistered(bool in) {
  State& state = Runtime();
  for (size_t i = 0; i < state.registered.size(); ++i) {
    const Registered& r = state.registered[i];
    void* const device = reinterpret_cast<void*>(r.address);
    if (in) {
      memcpy(device, r.host, r.bytes);
    } else {
      memcpy(r.host, device, r.bytes);
      CopiedBack(device, r.bytes);
    }
  }
}

// `packed`: all parameters, or null, where `arguments` points to each.
cudaError_t Launch(const void* host, dim3 grid, dim3 block, void** arguments, const char* packed,
                   size_t shared, bool cooperative = false) {
  cudaError_t error = Ready();
  if (error != cudaSuccess) return error;
  Function* function = nullptr;
  error = FindFunction(host, &function);
  if (error != cudaSuccess) return Fail(error);
  char payload[sizeof(LaunchShape) + 4096];
  if (function->facts.parameter_bytes > 4096) return Fail(cudaErrorInvalidValue);
  LaunchShape shape;
  const dim3 sizes[2] = {grid, block};
  for (int i = 0; i < 2; ++i) {
    uint32_t* const to = i == 0 ? shape.grid : shape.block;
    to[0] = sizes[i].x;
    to[1] = sizes[i].y;
    to[2] = sizes[i].z;
  }
  shape.shared = shared;
  memcpy(payload, &shape, sizeof shape);
  char* const parameters = payload + sizeof shape;
  memset(parameters, 0, function->facts.parameter_bytes);
  if (packed != nullptr) {
    memcpy(parameters, packed, function->facts.parameter_bytes);
  } else {
    for (uint32_t i = 0; i < function->facts.parameter_count; ++i) {
      memcpy(parameters + function->places[i].offset, arguments[i], function->places[i].bytes);
    }
  }
  CopyRegistered(true);
  Request request;
  request.op = Op::kLaunch;
  request.a = function->id;
  request.b = Runtime().host_nanoseconds;
  request.c = cooperative ? 1 : 0;
  request.bytes = static_cast<uint32_t>(sizeof shape + function->facts.parameter_bytes);
  Runtime().host_nanoseconds = 0;
  const Reply reply = Call(request, payload);
  if (reply.values[0] != 0) Print();
  CopyRegistered(false);
  return Failed(reply.error);
}

}  // namespace
}  // namespace flagstone::cuda

using namespace flagstone::cuda;

FLAGSTONE_API unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared,
                                                   cudaStream_t stream) {
  if (depth == kMostNested) return 1;
  pushed[depth++] = {grid, block, shared, stream};
  return 0;
}
FLAGSTONE_API cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared,
                                                     void* stream) {
  if (depth == 0) return cudaErrorMissingConfiguration;
  const Configuration& top = pushed[--depth];
  *grid = top.grid;
  *block = top.block;
  *shared = top.shared;
  memcpy(stream, &top.stream, sizeof top.stream);
  return cudaSuccess;
}
FLAGSTONE_API cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block,
                                           void** arguments, size_t shared, cudaStream_t) {
  Guard guard;
  return Launch(function, grid, block, arguments, nullptr, shared);
}
FLAGSTONE_API cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block,
                                                      void** arguments, size_t shared,
                                                      cudaStream_t) {
  Guard guard;
  return Launch(function, grid, block, arguments, nullptr, shared, true);
}
FLAGSTONE_API cudaError_t __cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block,
                                             void** arguments, size_t shared, cudaStream_t stream) {
  return cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
}
// The handle of a kernel is the function itself.
FLAGSTONE_API cudaError_t __cudaGetKernel(const void** kernel, const void* function) {
  *kernel = function;
  return cudaSuccess;
}
FLAGSTONE_API cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config,
                                              const void* function, void** arguments) {
  if (config == nullptr) return Fail(cudaErrorInvalidValue);
  return cudaLaunchKernel(function, config->gridDim, config->blockDim, arguments,
                          config->dynamicSmemBytes, config->stream);
}
FLAGSTONE_API cudaError_t cudaConfigureCall(dim3 grid, dim3 block, size_t shared,
                                            cudaStream_t stream) {
  __cudaPushCallConfiguration(grid, block, shared, stream);
  return cudaSuccess;
}
FLAGSTONE_API cudaError_t cudaSetupArgument(const void* argument, size_t size, size_t offset) {
  if (offset > sizeof arguments_of_old || size > sizeof arguments_of_old - offset) {
    return Fail(cudaErrorInvalidValue);
  }
  memcpy(arguments_of_old + offset, argument, size);
  return cudaSuccess;
}
FLAGSTONE_API cudaError_t cudaLaunch(const void* function) {
  if (depth == 0) return Fail(cudaErrorMissingConfiguration);
  const Configuration top = pushed[--depth];
  Guard guard;
  return Launch(function, top.grid, top.block, nullptr, arguments_of_old, top.shared);
}

FLAGSTONE_API cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* host) {
  Guard guard;
  cudaError_t error = Ready();
  Function* function = nullptr;
  if (error == cudaSuccess) error = FindFunction(host, &function);
  if (error != cudaSuccess) return Fail(error);
  memset(attributes, 0, sizeof *attributes);
  attributes->sharedSizeBytes = function->facts.shared_bytes;
  attributes->localSizeBytes = function->facts.local_bytes;
  attributes->numRegs = static_cast<int>(function->facts.registers);
  attributes->maxThreadsPerBlock = static_cast<int>(function->facts.max_threads);
  attributes->ptxVersion = attributes->binaryVersion = 60;
  attributes->maxDynamicSharedSizeBytes = function->dynamic_shared;
  return cudaSuccess;
}
FLAGSTONE_API cudaError_t cudaFuncSetAttribute(const void* host, cudaFuncAttribute attribute,
                                               int value) {
  Guard guard;
  cudaError_t error = Ready();
  Function* function = nullptr;
  if (error == cudaSuccess) error = FindFunction(host, &function);
  if (error != cudaSuccess) return Fail(error);
  if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize) function->dynamic_shared = value;
  return cudaSuccess;
}
FLAGSTONE_API cudaError_t cudaFuncSetCacheConfig(const void*, cudaFuncCache) { return cudaSuccess; }
FLAGSTONE_API cudaError_t cudaFuncSetSharedMemConfig(const void*, cudaSharedMemConfig) {
  return cudaSuccess;
}
FLAGSTONE_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* blocks, const void* host, int block_size, size_t shared, unsigned) {
  Guard guard;
  cudaError_t error = Ready();
  Function* function = nullptr;
  if (error == cudaSuccess) error = FindFunction(host, &function);
  if (error != cudaSuccess) return Fail(error);
  Request request;
  request.op = Op::kOccupancy;
  request.a = function->id;
  request.b = static_cast<uint64_t>(block_size);
  request.c = shared;
  const Reply reply = Call(request);
  *blocks = static_cast<int>(reply.values[0]);
  return Failed(reply.error);
}
FLAGSTONE_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks,
                                                                        const void* host,
                                                                        int block_size,
                                                                        size_t shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, host, block_size, shared,
                                                                0);
}
