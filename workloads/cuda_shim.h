// What CUDA C++ needs beyond the language, so that plain clang compiles the workloads' kernels to
// PTX on a machine without NVIDIA's toolkit. `workloads/compile` includes it before each kernel.
#ifndef FLAGSTONE_WORKLOADS_CUDA_SHIM_H_
#define FLAGSTONE_WORKLOADS_CUDA_SHIM_H_

#define __constant__ __attribute__((constant))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __host__ __attribute__((host))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __shared__ __attribute__((shared))

// threadIdx.x and its like are properties whose getters read PTX special registers; the objects
// themselves are never defined.
#define FLAGSTONE_SPECIAL_REGISTER(name, component)               \
  __declspec(property(get = Get_##component)) unsigned component; \
  __device__ static unsigned Get_##component() {                  \
    return __nvvm_read_ptx_sreg_##name##_##component();           \
  }
#define FLAGSTONE_SPECIAL_REGISTERS(variable, name) \
  struct variable##Registers {                      \
    FLAGSTONE_SPECIAL_REGISTER(name, x)             \
    FLAGSTONE_SPECIAL_REGISTER(name, y)             \
    FLAGSTONE_SPECIAL_REGISTER(name, z)             \
  };                                                \
  extern const __device__ variable##Registers variable;
FLAGSTONE_SPECIAL_REGISTERS(threadIdx, tid)
FLAGSTONE_SPECIAL_REGISTERS(blockIdx, ctaid)
FLAGSTONE_SPECIAL_REGISTERS(blockDim, ntid)
FLAGSTONE_SPECIAL_REGISTERS(gridDim, nctaid)
#undef FLAGSTONE_SPECIAL_REGISTERS
#undef FLAGSTONE_SPECIAL_REGISTER

#endif  // FLAGSTONE_WORKLOADS_CUDA_SHIM_H_
