// What programs of the runtime API use of the driver API's header: its version and error codes.
#ifndef FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_CUDA_H_
#define FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_CUDA_H_

#include "cuda_runtime_api.h"

typedef enum cudaError_enum {
  CUDA_SUCCESS = 0,
  CUDA_ERROR_INVALID_VALUE = 1,
  CUDA_ERROR_OUT_OF_MEMORY = 2,
  CUDA_ERROR_NOT_INITIALIZED = 3,
  CUDA_ERROR_NO_DEVICE = 100,
  CUDA_ERROR_INVALID_DEVICE = 101,
  CUDA_ERROR_NOT_SUPPORTED = 801,
  CUDA_ERROR_UNKNOWN = 999
} CUresult;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st* CUcontext;
typedef struct CUmod_st* CUmodule;
typedef struct CUfunc_st* CUfunction;
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;

#endif  // FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_CUDA_H_
