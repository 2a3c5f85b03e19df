// Pools of memory: allocations come and go at once, and all pools are the device's memory.
#include "kernels/cuda/client/runtime.h"

struct CUmemPoolHandle_st {
  unsigned long long threshold;
  int reuse[3];
};

using namespace flagstone::cuda;

namespace {

CUmemPoolHandle_st pool_of_device = {0, {1, 1, 1}};
cudaMemPool_t current = &pool_of_device;

unsigned long long Used() {
  unsigned long long used = 0;
  for (size_t i = 0; i < Runtime().pieces.size(); ++i) used += Runtime().pieces[i].bytes;
  return used;
}

}  // namespace

FLAGSTONE_API cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  Guard guard;
  const cudaError_t error = Ready();
  if (error != cudaSuccess) return error;
  if (pool == nullptr) return Fail(cudaErrorInvalidValue);
  if (device != 0) return Fail(cudaErrorInvalidDevice);
  *pool = &pool_of_device;
  return cudaSuccess;
}
FLAGSTONE_API cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  const cudaError_t error = cudaDeviceGetDefaultMemPool(pool, device);
  if (error == cudaSuccess) *pool = current;
  return error;
}
FLAGSTONE_API cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  Guard guard;
  if (device != 0 || pool == nullptr) return Fail(cudaErrorInvalidValue);
  current = pool;
  return cudaSuccess;
}
FLAGSTONE_API cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps*) {
  Guard guard;
  const cudaError_t error = Ready();
  if (error != cudaSuccess) return error;
  *pool = static_cast<cudaMemPool_t>(malloc(sizeof **pool));
  if (*pool == nullptr) return Fail(cudaErrorMemoryAllocation);
  **pool = {0, {1, 1, 1}};
  return cudaSuccess;
}
FLAGSTONE_API cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  Guard guard;
  if (pool == nullptr || pool == &pool_of_device) return Fail(cudaErrorInvalidValue);
  if (current == pool) current = &pool_of_device;
  free(pool);
  return cudaSuccess;
}
FLAGSTONE_API cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute,
                                                  void* value) {
  Guard guard;
  if (pool == nullptr || value == nullptr) return Fail(cudaErrorInvalidValue);
  if (attribute == cudaMemPoolAttrReleaseThreshold) {
    memcpy(&pool->threshold, value, sizeof pool->threshold);
  } else if (attribute < cudaMemPoolAttrReleaseThreshold) {
    memcpy(&pool->reuse[attribute - 1], value, sizeof pool->reuse[0]);
  }
  return cudaSuccess;  // the rest resets high marks
}
FLAGSTONE_API cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute,
                                                  void* value) {
  Guard guard;
  if (pool == nullptr || value == nullptr) return Fail(cudaErrorInvalidValue);
  const unsigned long long used = Used();
  if (attribute == cudaMemPoolAttrReleaseThreshold) {
    memcpy(value, &pool->threshold, sizeof pool->threshold);
  } else if (attribute < cudaMemPoolAttrReleaseThreshold) {
    memcpy(value, &pool->reuse[attribute - 1], sizeof pool->reuse[0]);
  } else {
    memcpy(value, &used, sizeof used);
  }
  return cudaSuccess;
}
FLAGSTONE_API cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t) { return cudaSuccess; }
FLAGSTONE_API cudaError_t cudaMemPoolSetAccess(cudaMemPool_t, const void*, size_t) {
  return cudaSuccess;
}
FLAGSTONE_API cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t size, cudaMemPool_t pool,
                                                  cudaStream_t stream) {
  if (pool == nullptr) return Fail(cudaErrorInvalidValue);
  return cudaMallocAsync(pointer, size, stream);
}
