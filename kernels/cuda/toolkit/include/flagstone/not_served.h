// Types and functions of the runtime that programs name and Flagstone does not serve: they compile,
// and a call says its name once and gives cudaErrorNotSupported.
#ifndef FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_FLAGSTONE_NOT_SERVED_H_
#define FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_FLAGSTONE_NOT_SERVED_H_

typedef struct cudaMipmappedArray* cudaMipmappedArray_t;
typedef struct cudaGraphicsResource* cudaGraphicsResource_t;
typedef struct cudaIpcMemHandle_st {
  char reserved[64];
} cudaIpcMemHandle_t;
typedef struct cudaIpcEventHandle_st {
  char reserved[64];
} cudaIpcEventHandle_t;
#define cudaIpcMemLazyEnablePeerAccess 0x01

#ifdef __cplusplus
extern "C" {
#endif

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags);
cudaError_t cudaDeviceDisablePeerAccess(int peer);
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* pointer);
cudaError_t cudaIpcOpenMemHandle(void** pointer, cudaIpcMemHandle_t handle, unsigned int flags);
cudaError_t cudaIpcCloseMemHandle(void* pointer);
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t* handle, cudaEvent_t event);
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t* event, cudaIpcEventHandle_t handle);

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t made, cudaGraphNode_t node,
                                             const struct cudaKernelNodeParams* parameters);

#ifdef __cplusplus
}
#endif

#endif  // FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_FLAGSTONE_NOT_SERVED_H_
