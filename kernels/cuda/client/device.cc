// Facts about the device, which are those of the simulated machine.
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
  p->major = 7;
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

}  // namespace
}  // namespace flagstone::cuda

using namespace flagstone::cuda;

FLAGSTONE_API cudaError_t cudaGetDeviceProperties(cudaDeviceProp* p, int device) {
  Guard guard;
  return Properties(p, device);
}
FLAGSTONE_API cudaError_t cudaGetDeviceProperties_v2(cudaDeviceProp* p, int device) {
  return cudaGetDeviceProperties(p, device);
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
