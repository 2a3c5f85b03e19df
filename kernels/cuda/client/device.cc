// Facts about the device, which are those of the simulated machine.
#include <stddef.h>

#include "kernels/cuda/client/runtime.h"

namespace flagstone::cuda {
namespace {

cudaError_t Facts(int device, DeviceFacts* facts) {
  const cudaError_t error = Ready();
  if (error != cudaSuccess) return error;
  if (device != 0) return Fail(cudaErrorInvalidDevice);
  Request request;
  request.op = Op::kDevice;
  return Failed(Call(request, nullptr, facts, sizeof *facts).error);
}

int Int(uint64_t value) { return static_cast<int>(value); }

cudaError_t Properties(cudaDeviceProp* p, int device) {
  DeviceFacts facts;
  const cudaError_t error = Facts(device, &facts);
  if (error != cudaSuccess) return error;
  memset(p, 0, sizeof *p);
  memcpy(p->name, facts.name, sizeof facts.name);
  p->totalGlobalMem = kMemoryBytes;
  p->sharedMemPerBlock = p->sharedMemPerMultiprocessor = facts.shared_bytes;
  p->sharedMemPerBlockOptin = facts.shared_bytes;
  p->regsPerBlock = p->regsPerMultiprocessor = Int(facts.registers);
  p->warpSize = 32;
  p->memPitch = 0x7fffffff;
  p->maxThreadsPerBlock = 1024;
  p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024;
  p->maxThreadsDim[2] = 64;
  p->maxGridSize[0] = 0x7fffffff;
  p->maxGridSize[1] = p->maxGridSize[2] = 65535;
  p->clockRate = Int(facts.core_mhz) * 1000;
  p->totalConstMem = 65536;
  p->major = Int(facts.capability) / 10;
  p->minor = Int(facts.capability) % 10;
  p->textureAlignment = 512;
  p->texturePitchAlignment = 32;
  p->deviceOverlap = 1;
  p->multiProcessorCount = Int(facts.sms);
  p->canMapHostMemory = p->concurrentKernels = p->unifiedAddressing = 1;
  p->maxTexture1D = p->maxTexture2D[0] = 131072;
  p->maxTexture2D[1] = 65536;
  p->maxTexture3D[0] = p->maxTexture3D[1] = p->maxTexture3D[2] = 16384;
  p->maxTexture1DLinear = 1 << 28;
  p->asyncEngineCount = 1;
  p->memoryClockRate = Int(facts.dram_mhz) * 1000;
  p->memoryBusWidth = Int(facts.bus_bits);
  p->l2CacheSize = Int(facts.l2_bytes);
  p->maxThreadsPerMultiProcessor = Int(facts.max_threads);
  p->maxBlocksPerMultiProcessor = Int(facts.max_tbs);
  p->managedMemory = p->concurrentManagedAccess = 1;
  p->cooperativeLaunch = 1;
  return cudaSuccess;
}

// cudaDeviceProp of CUDA 13 (its driver_types.h): without clocks and modes, with facts that nothing
// here sets behind those of before.
struct PropertiesOfCuda13 {
  char front[offsetof(cudaDeviceProp, clockRate)];
  size_t total_constant;
  int major, minor;
  size_t texture_alignment, texture_pitch_alignment;
  int sms, integrated, can_map_host, texture_1d, texture_1d_mipmap;
  int images[37];  // from maxTexture2D to maxSurfaceCubemapLayered
  size_t surface_alignment;
  int concurrent_kernels, ecc, pci[3], tcc, async_engines, unified_addressing, bus_width, l2_bytes,
      persisting_l2_bytes, threads_of_sm, stream_priorities, global_l1, local_l1;
  size_t shared_of_sm;
  int registers_of_sm, managed, multi_gpu_board, multi_gpu_group, host_atomics, pageable,
      concurrent_managed, preemption, registered_pointers, cooperative;
  size_t shared_optin;
  int host_page_tables, direct_managed, tbs_of_sm, access_policy_window;
  size_t reserved_shared;
  int host_register, sparse_arrays, read_only_register, timeline, pools, rdma[3], pool_handles,
      deferred_mapping, ipc_events, cluster_launch, more[64];
};
static_assert(sizeof(PropertiesOfCuda13) == 1008);

PropertiesOfCuda13 In13(const cudaDeviceProp& p) {
  PropertiesOfCuda13 q = {};
  memcpy(q.front, &p, sizeof q.front);
  q.total_constant = p.totalConstMem;
  q.major = p.major;
  q.minor = p.minor;
  q.texture_alignment = p.textureAlignment;
  q.texture_pitch_alignment = p.texturePitchAlignment;
  q.sms = p.multiProcessorCount;
  q.can_map_host = q.concurrent_kernels = q.unified_addressing = q.managed = 1;
  q.concurrent_managed = q.cooperative = q.async_engines = 1;
  q.texture_1d = p.maxTexture1D;
  memcpy(q.images, p.maxTexture2D, sizeof q.images);
  q.bus_width = p.memoryBusWidth;
  q.l2_bytes = p.l2CacheSize;
  q.threads_of_sm = p.maxThreadsPerMultiProcessor;
  q.shared_of_sm = p.sharedMemPerMultiprocessor;
  q.registers_of_sm = p.regsPerMultiprocessor;
  q.shared_optin = p.sharedMemPerBlockOptin;
  q.tbs_of_sm = p.maxBlocksPerMultiProcessor;
  q.cluster_launch = p.major >= 9 ? 1 : 0;
  return q;
}

}  // namespace
}  // namespace flagstone::cuda

using namespace flagstone::cuda;

// Programs of CUDA 11 ask for this structure as cudaGetDeviceProperties (CMakeLists.txt).
FLAGSTONE_API cudaError_t cudaGetDeviceProperties_v2(cudaDeviceProp* p, int device) {
  Guard guard;
  return Properties(p, device);
}
// And those of CUDA 13 for that one.
FLAGSTONE_API cudaError_t cudaGetDeviceProperties_v13(PropertiesOfCuda13* p, int device) {
  Guard guard;
  cudaDeviceProp old;
  const cudaError_t error = Properties(&old, device);
  if (error == cudaSuccess) *p = In13(old);
  return error;
}
FLAGSTONE_API cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  Guard guard;
  cudaDeviceProp p;
  const cudaError_t error = Properties(&p, device);
  if (error != cudaSuccess) return error;
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
    case cudaDevAttrMaxBlockDimX:
    case cudaDevAttrMaxBlockDimY:
      *value = 1024;
      break;
    case cudaDevAttrMaxBlockDimZ:
      *value = 64;
      break;
    case cudaDevAttrMaxGridDimX:
      *value = p.maxGridSize[0];
      break;
    case cudaDevAttrMaxGridDimY:
    case cudaDevAttrMaxGridDimZ:
      *value = 65535;
      break;
    case cudaDevAttrMaxSharedMemoryPerBlock:
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      *value = Int(p.sharedMemPerBlock);
      break;
    case cudaDevAttrTotalConstantMemory:
      *value = Int(p.totalConstMem);
      break;
    case cudaDevAttrWarpSize:
      *value = 32;
      break;
    case cudaDevAttrMaxRegistersPerBlock:
    case cudaDevAttrMaxRegistersPerMultiprocessor:
      *value = p.regsPerBlock;
      break;
    case cudaDevAttrClockRate:
      *value = p.clockRate;
      break;
    case cudaDevAttrMultiProcessorCount:
      *value = p.multiProcessorCount;
      break;
    case cudaDevAttrMemoryClockRate:
      *value = p.memoryClockRate;
      break;
    case cudaDevAttrGlobalMemoryBusWidth:
      *value = p.memoryBusWidth;
      break;
    case cudaDevAttrL2CacheSize:
      *value = p.l2CacheSize;
      break;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      *value = p.maxThreadsPerMultiProcessor;
      break;
    case cudaDevAttrMaxBlocksPerMultiprocessor:
      *value = p.maxBlocksPerMultiProcessor;
      break;
    case cudaDevAttrComputeCapabilityMajor:
      *value = p.major;
      break;
    case cudaDevAttrComputeCapabilityMinor:
      *value = p.minor;
      break;
    case cudaDevAttrClusterLaunch:
      *value = p.major >= 9 ? 1 : 0;
      break;
    case cudaDevAttrCooperativeLaunch:
    case cudaDevAttrCanMapHostMemory:
    case cudaDevAttrUnifiedAddressing:
    case cudaDevAttrManagedMemory:
    case cudaDevAttrConcurrentManagedAccess:
    case cudaDevAttrConcurrentKernels:
    case cudaDevAttrGpuOverlap:
      *value = 1;
      break;
    default:
      *value = 0;
  }
  return cudaSuccess;
}
FLAGSTONE_API cudaError_t cudaGetDeviceCount(int* count) {
  Guard guard;
  const cudaError_t error = Ready();
  *count = error == cudaSuccess ? 1 : 0;
  return error;
}
FLAGSTONE_API cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
FLAGSTONE_API cudaError_t cudaSetDevice(int device) {
  Guard guard;
  const cudaError_t error = Ready();
  if (error != cudaSuccess) return error;
  return device == 0 ? cudaSuccess : Fail(cudaErrorInvalidDevice);
}
FLAGSTONE_API cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) {
  *device = 0;
  return cudaSuccess;
}
FLAGSTONE_API cudaError_t cudaSetDeviceFlags(unsigned) { return cudaSuccess; }
FLAGSTONE_API cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  *flags = 0;
  return cudaSuccess;
}
FLAGSTONE_API cudaError_t cudaSetValidDevices(int*, int) { return cudaSuccess; }
FLAGSTONE_API cudaError_t cudaDeviceReset() { return cudaSuccess; }
FLAGSTONE_API cudaError_t cudaThreadExit() { return cudaSuccess; }
FLAGSTONE_API cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
FLAGSTONE_API cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  *config = cudaFuncCachePreferNone;
  return cudaSuccess;
}
FLAGSTONE_API cudaError_t cudaThreadSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
FLAGSTONE_API cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return cudaSuccess; }
FLAGSTONE_API cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  *config = cudaSharedMemBankSizeFourByte;
  return cudaSuccess;
}
FLAGSTONE_API cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  Guard guard;
  if (limit != cudaLimitStackSize) return cudaSuccess;
  if (value > kMostStackBytes) return Fail(cudaErrorInvalidValue);
  Runtime().stack_bytes = (value + 15) / 16 * 16;
  return cudaSuccess;
}
FLAGSTONE_API cudaError_t cudaThreadSetLimit(cudaLimit limit, size_t value) {
  return cudaDeviceSetLimit(limit, value);
}
FLAGSTONE_API cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  Guard guard;
  const size_t stack = Runtime().stack_bytes != 0 ? Runtime().stack_bytes : kStackBytes;
  *value = limit == cudaLimitStackSize ? stack : 8 << 20;
  return cudaSuccess;
}
FLAGSTONE_API cudaError_t cudaDeviceCanAccessPeer(int* can, int, int) {
  *can = 0;
  return cudaSuccess;
}
FLAGSTONE_API cudaError_t cudaThreadGetLimit(size_t* value, cudaLimit limit) {
  return cudaDeviceGetLimit(value, limit);
}
FLAGSTONE_API cudaError_t cudaThreadGetCacheConfig(cudaFuncCache* config) {
  return cudaDeviceGetCacheConfig(config);
}
FLAGSTONE_API cudaError_t cudaDeviceGetPCIBusId(char* name, int room, int) {
  strncpy(name, "0000:00:00.0", static_cast<size_t>(room));
  return cudaSuccess;
}
FLAGSTONE_API cudaError_t cudaInitDevice(int device, unsigned, unsigned) {
  return cudaSetDevice(device);
}
FLAGSTONE_API cudaError_t cudaDriverGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}
FLAGSTONE_API cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}
FLAGSTONE_API cudaError_t cudaProfilerStart() { return cudaSuccess; }
FLAGSTONE_API cudaError_t cudaProfilerStop() { return cudaSuccess; }
