// A tensor map of two dimensions, made by the driver.
#ifndef FLAGSTONE_TESTS_SYSTEM_REAL_KERNELS_PROGRAMS_TENSOR_MAP_H_
#define FLAGSTONE_TESTS_SYSTEM_REAL_KERNELS_PROGRAMS_TENSOR_MAP_H_

#include <cuda.h>

#include "check.h"

namespace real_kernels {

// `inner` elements a row, `outer` rows of `stride` bytes; a copy takes a box of both.
inline CUtensorMap TensorMap2d(CUtensorMapDataType type, const void* base, uint64_t inner,
                               uint64_t outer, uint64_t stride, uint32_t box_inner,
                               uint32_t box_outer, uint32_t swizzle_bytes) {
  void* encode = nullptr;
  cudaDriverEntryPointQueryResult result;
  Check(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &encode, 12000,
                                         cudaEnableDefault, &result),
        "cuTensorMapEncodeTiled");
  const CUtensorMapSwizzle swizzle = swizzle_bytes == 128  ? CU_TENSOR_MAP_SWIZZLE_128B
                                     : swizzle_bytes == 64 ? CU_TENSOR_MAP_SWIZZLE_64B
                                     : swizzle_bytes == 32 ? CU_TENSOR_MAP_SWIZZLE_32B
                                                           : CU_TENSOR_MAP_SWIZZLE_NONE;
  const cuuint64_t shape[] = {inner, outer};
  const cuuint64_t strides[] = {stride};
  const cuuint32_t box[] = {box_inner, box_outer};
  const cuuint32_t steps[] = {1, 1};
  CUtensorMap map;
  const CUresult error = reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(encode)(
      &map, type, 2, const_cast<void*>(base), shape, strides, box, steps,
      CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
      CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (error != CUDA_SUCCESS) {
    std::printf("cuTensorMapEncodeTiled: %d\n", error);
    std::exit(1);
  }
  return map;
}

// A launch of clusters of `cluster` thread blocks along x.
template <class... Parameters, class... Arguments>
void Launch(void (*kernel)(Parameters...), dim3 grid, dim3 block, size_t shared, unsigned cluster,
            const Arguments&... arguments) {
  Check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(shared)),
        "shared memory");
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = cluster;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = grid;
  config.blockDim = block;
  config.dynamicSmemBytes = shared;
  config.attrs = &attribute;
  config.numAttrs = 1;
  Check(cudaLaunchKernelEx(&config, kernel, Parameters(arguments)...), "launch");
}

}  // namespace real_kernels

#endif  // FLAGSTONE_TESTS_SYSTEM_REAL_KERNELS_PROGRAMS_TENSOR_MAP_H_
