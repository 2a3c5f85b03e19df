// Clusters and tensor maps as CUDA programs ask for them: two TBs of a cluster, which the launch's
// attribute makes, each copy a box of a tensor by the driver's map, and swap their sums.
#include <cuda.h>
#include <cuda_runtime.h>

#include "check.h"

constexpr int kWidth = 64, kHeight = 8, kBox = 32;
constexpr unsigned kBytes = kBox * kHeight * sizeof(float);

typedef CUresult (*Encode)(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*,
                           const cuuint64_t*, const cuuint32_t*, const cuuint32_t*,
                           CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion,
                           CUtensorMapFloatOOBfill);

__device__ unsigned shared(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }

__global__ void swapSums(const CUtensorMap* map, float* sums, unsigned* shape) {
  __shared__ __attribute__((aligned(128))) float box[kBox * kHeight];
  __shared__ __attribute__((aligned(8))) unsigned long long barrier;
  __shared__ float other;
  unsigned rank, count;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(count));
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(shared(&barrier)) : "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(shared(&barrier)),
                 "r"(kBytes) : "memory");
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], "
        "[%1, {%2, %3}], [%4];" ::"r"(shared(box)), "l"(map), "r"(int(rank) * kBox), "r"(0),
        "r"(shared(&barrier)) : "memory");
    asm volatile(
        "{ .reg .pred p; WAIT: mbarrier.try_wait.parity.shared.b64 p, [%0], 0; @!p bra WAIT; }" ::"r"(
            shared(&barrier)) : "memory");
    float sum = 0;
    for (int i = 0; i < kBox * kHeight; ++i) sum += box[i];
    unsigned place;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(place) : "r"(shared(&other)), "r"(rank ^ 1));
    asm volatile("st.shared::cluster.f32 [%0], %1;" ::"r"(place), "f"(sum) : "memory");
    shape[blockIdx.x] = count;
  }
  asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
  if (threadIdx.x == 0) sums[blockIdx.x] = other;
}

int main() {
  float tensor[kWidth * kHeight], expected[2] = {0, 0}, sums[2];
  for (int i = 0; i < kWidth * kHeight; ++i) {
    tensor[i] = float(i % 7) + float(i % kWidth / kBox);
    expected[i % kWidth / kBox ^ 1] += tensor[i];
  }
  float *device, *result;
  unsigned *shape, counts[2];
  void* room;  // so that bit 21 of the tensor's address is set
  OK(cudaMalloc(&device, sizeof tensor));
  if (((unsigned long long)device >> 21 & 1) == 0) {
    OK(cudaMalloc(&room, (1 << 21) - (unsigned long long)device % (1 << 21)));
    OK(cudaMalloc(&device, sizeof tensor));
  }
  CHECK(((unsigned long long)device >> 21 & 1) == 1);
  OK(cudaMalloc(&result, sizeof sums));
  OK(cudaMalloc(&shape, sizeof counts));
  OK(cudaMemcpy(device, tensor, sizeof tensor, cudaMemcpyHostToDevice));

  unsigned values[3];
  CHECK(cuMemsetD32Async((CUdeviceptr)shape, 7, 2, 0) == CUDA_SUCCESS);
  CHECK(cuMemsetD32Async(0, 7, 2, 0) == CUDA_ERROR_INVALID_VALUE);
  OK(cudaMemcpy(values, shape, sizeof counts, cudaMemcpyDeviceToHost));
  CHECK(values[0] == 7 && values[1] == 7);
  void* found = nullptr;
  cudaDriverEntryPointQueryResult query;
  OK(cudaGetDriverEntryPointByVersion("cuLaunchKernel", &found, 12000, cudaEnableDefault, &query));
  CHECK(query == cudaDriverEntryPointSymbolNotFound && found == nullptr);
  OK(cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &found, cudaEnableDefault, &query));
  CHECK(query == cudaDriverEntryPointSuccess);
  const cuuint64_t extent[] = {kWidth, kHeight}, strides[] = {kWidth * sizeof(float)};
  const cuuint32_t box[] = {kBox, kHeight}, steps[] = {1, 1};
  CUtensorMap map;
  const auto encode = [&](CUtensorMapDataType type, CUtensorMapInterleave interleave) {
    return ((Encode)found)(&map, type, 2, device, extent, strides, box, steps, interleave,
                           CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                           CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  };
  CHECK(encode(CU_TENSOR_MAP_DATA_TYPE_FLOAT32, CU_TENSOR_MAP_INTERLEAVE_16B) != CUDA_SUCCESS);
  CHECK(encode(CU_TENSOR_MAP_DATA_TYPE_FLOAT32, CU_TENSOR_MAP_INTERLEAVE_NONE) == CUDA_SUCCESS);

  // As CUTLASS does with maps of little memory, whatever the address.
  ((unsigned long long*)&map)[1] &= ~(1ull << 21);

  CUtensorMap* device_map;
  OK(cudaMalloc(&device_map, sizeof map));
  OK(cudaMemcpy(device_map, &map, sizeof map, cudaMemcpyHostToDevice));

  cudaLaunchAttribute attributes[2];
  attributes[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attributes[0].val.programmaticStreamSerializationAllowed = 1;
  attributes[1].id = cudaLaunchAttributeClusterDimension;
  attributes[1].val.clusterDim.x = 2;
  attributes[1].val.clusterDim.y = attributes[1].val.clusterDim.z = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(2);
  config.blockDim = dim3(32);
  config.attrs = attributes;
  config.numAttrs = 2;
  int clusters = 0;
  OK(cudaOccupancyMaxActiveClusters(&clusters, (const void*)swapSums, &config));
  CHECK(clusters > 0);
  OK(cudaLaunchKernelEx(&config, swapSums, device_map, result, shape));
  OK(cudaDeviceSynchronize());
  OK(cudaMemcpy(sums, result, sizeof sums, cudaMemcpyDeviceToHost));
  OK(cudaMemcpy(counts, shape, sizeof counts, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 2; ++i) CHECK(sums[i] == expected[i] && counts[i] == 2);

  config.gridDim = dim3(3);  // which clusters of two do not divide
  CHECK(cudaLaunchKernelEx(&config, swapSums, device_map, result, shape) != cudaSuccess);
  printf("tensor_maps: good\n");
}
