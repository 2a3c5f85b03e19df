// Launches, and what is asked about kernels.
#include <stdio.h>

#include "kernels/cuda/client/graphs.h"

namespace flagstone::cuda {
namespace {

constexpr uint32_t kMostParameters = 32764;  // CUDA's since 12.1

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
__thread char arguments_of_old[kMostParameters];

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

void Set(const dim3& from, uint32_t* to) {
  to[0] = from.x;
  to[1] = from.y;
  to[2] = from.z;
}

// What each argument points to, one after the other as the kernel has them.
void Pack(const Function& function, void** arguments, char* parameters) {
  memset(parameters, 0, function.facts.parameter_bytes);
  for (uint32_t i = 0; i < function.facts.parameter_count; ++i) {
    memcpy(parameters + function.places[i].offset, arguments[i], function.places[i].bytes);
  }
}

cudaError_t Known(const void* host, Function** function) {
  cudaError_t error = Ready();
  if (error != cudaSuccess) return error;
  error = FindFunction(host, function);
  if (error != cudaSuccess) return Refused(error);
  return (*function)->facts.parameter_bytes > kMostParameters ? Fail(cudaErrorInvalidValue)
                                                              : cudaSuccess;
}

// `packed`: all parameters.
cudaError_t Send(const Function& function, const Shape& launch, const char* packed) {
  char payload[sizeof(LaunchShape) + kMostParameters];
  LaunchShape shape;
  Set(launch.grid, shape.grid);
  Set(launch.block, shape.block);
  Set(launch.cluster, shape.cluster);
  shape.shared = launch.shared;
  shape.stack = Runtime().stack_bytes;
  memcpy(payload, &shape, sizeof shape);
  memcpy(payload + sizeof shape, packed, function.facts.parameter_bytes);
  CopyRegistered(true);
  Request request;
  request.op = Op::kLaunch;
  request.a = function.id;
  request.b = Runtime().host_nanoseconds;
  request.c = launch.cooperative ? 1 : 0;
  request.bytes = static_cast<uint32_t>(sizeof shape + function.facts.parameter_bytes);
  Runtime().host_nanoseconds = 0;
  const Reply reply = Call(request, payload);
  if (reply.values[0] != 0) Print();
  CopyRegistered(false);
  return Failed(reply.error);
}

cudaError_t Launch(const void* host, const Shape& shape, void** arguments, cudaStream_t stream) {
  Guard guard;
  if (Captures(stream)) {
    Work work;
    const cudaError_t error = MakeKernelWork(host, shape, arguments, &work);
    return error == cudaSuccess ? Capture(work) : error;
  }
  Function* function = nullptr;
  const cudaError_t error = Known(host, &function);
  if (error != cudaSuccess) return error;
  char packed[kMostParameters];
  Pack(*function, arguments, packed);
  return Send(*function, shape, packed);
}

// What attributes ask for: those that say when or where a launch may run change nothing here.
void Apply(const cudaLaunchAttribute& attribute, Shape* shape) {
  switch (attribute.id) {
    case cudaLaunchAttributeCooperative:
      shape->cooperative = attribute.val.cooperative != 0;
      return;
    case cudaLaunchAttributeClusterDimension:
      shape->cluster =
          dim3(attribute.val.clusterDim.x, attribute.val.clusterDim.y, attribute.val.clusterDim.z);
      return;
    default:
      return;
  }
}

}  // namespace

cudaError_t MakeKernelWork(const void* host, const Shape& shape, void** arguments, Work* work) {
  Function* function = nullptr;
  const cudaError_t error = Known(host, &function);
  if (error != cudaSuccess) return error;
  work->kind = Work::kKernel;
  work->function = host;
  work->shape = shape;
  work->parameter_bytes = function->facts.parameter_bytes;
  work->parameters = static_cast<char*>(malloc(work->parameter_bytes + 1));
  if (work->parameters == nullptr) return Fail(cudaErrorMemoryAllocation);
  Pack(*function, arguments, work->parameters);
  return cudaSuccess;
}

cudaError_t LaunchWork(const Work& work) {
  Guard guard;
  Function* function = nullptr;
  const cudaError_t error = Known(work.function, &function);
  if (error != cudaSuccess) return error;
  return Send(*function, work.shape, work.parameters);
}

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
                                           void** arguments, size_t shared, cudaStream_t stream) {
  return Launch(function, {grid, block, kNoCluster, shared, false}, arguments, stream);
}
FLAGSTONE_API cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block,
                                                      void** arguments, size_t shared,
                                                      cudaStream_t stream) {
  return Launch(function, {grid, block, kNoCluster, shared, true}, arguments, stream);
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
  Shape shape = {config->gridDim, config->blockDim, kNoCluster, config->dynamicSmemBytes, false};
  for (unsigned i = 0; i < config->numAttrs; ++i) Apply(config->attrs[i], &shape);
  return Launch(function, shape, arguments, config->stream);
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
  Function* known = nullptr;
  const cudaError_t error = Known(function, &known);
  if (error != cudaSuccess) return error;
  return Send(*known, {top.grid, top.block, kNoCluster, top.shared, false}, arguments_of_old);
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
// As if SMs could share a cluster's TBs in any way.
FLAGSTONE_API cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void* host,
                                                         const cudaLaunchConfig_t* config) {
  if (clusters == nullptr || config == nullptr) return Fail(cudaErrorInvalidValue);
  Shape shape = {config->gridDim, config->blockDim, dim3(1, 1, 1), 0, false};
  for (unsigned i = 0; i < config->numAttrs; ++i) Apply(config->attrs[i], &shape);
  const dim3& block = shape.block;
  int blocks = 0, sms = 0;
  cudaError_t error = cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      &blocks, host, static_cast<int>(block.x * block.y * block.z), config->dynamicSmemBytes, 0);
  if (error == cudaSuccess) {
    error = cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  }
  if (error != cudaSuccess) return error;
  const uint64_t tbs = uint64_t{shape.cluster.x} * shape.cluster.y * shape.cluster.z;
  *clusters =
      tbs == 0 ? 0
               : static_cast<int>(static_cast<uint64_t>(blocks) * static_cast<uint64_t>(sms) / tbs);
  return cudaSuccess;
}
FLAGSTONE_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks,
                                                                        const void* host,
                                                                        int block_size,
                                                                        size_t shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, host, block_size, shared,
                                                                0);
}
