// One kernel launch with all that the hardware needs to know: code, shape and argument bytes.
#ifndef FLAGSTONE_KERNELS_LAUNCH_KERNEL_LAUNCH_H_
#define FLAGSTONE_KERNELS_LAUNCH_KERNEL_LAUNCH_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kernels/launch/texture.h"

namespace flagstone {

namespace ptx {
struct Kernel;
struct Module;
}  // namespace ptx

class Findings;  // kernels/launch/findings.h

struct Dim3 {
  uint32_t x = 1;
  uint32_t y = 1;
  uint32_t z = 1;
  uint64_t Count() const { return uint64_t{x} * y * z; }
};

// TB ids are linear: x fastest, then y, then z.
inline Dim3 TbCoordinates(uint64_t tb, const Dim3& grid) {
  return {static_cast<uint32_t>(tb % grid.x), static_cast<uint32_t>(tb / grid.x % grid.y),
          static_cast<uint32_t>(tb / grid.x / grid.y)};
}

// CUDA's cudaLimitStackSize where nothing sets it.
inline constexpr uint32_t kDefaultStackBytes = 1024;

struct KernelLaunch {
  const ptx::Kernel* kernel = nullptr;  // owned by the Workload's module
  const ptx::Module* module = nullptr;
  Dim3 grid;
  Dim3 block;
  uint32_t dynamic_shared_bytes = 0;
  uint32_t stack_bytes = kDefaultStackBytes;  // of a thread, where the kernel uses a stack
  std::vector<std::byte> parameters;  // the kernel's parameter block, kernel->parameter_bytes long
  std::optional<uint32_t> registers;  // per thread, where the workload gives it
  // Device addresses of the module's .global and .const variables, by name; of .texref ones, their
  // textures' handles.
  std::map<std::string, uint64_t> symbols;

  Dim3 cluster;       // TBs that can reach one another's shared memory
  uint64_t heap = 0;  // device address of what malloc gives out; 0: none (kernels/launch/heap.h)
  uint64_t grid_barrier = 0;  // the same of a cooperative launch's workspace

  std::vector<Texture> textures;  // by the index in their handles
  // By pc: whether its value must be computed (gpu_model/simt/value_slice.h). Empty: all of them.
  std::vector<bool> needed_values;
  // Takes what its execution finds; null: nobody asks.
  Findings* findings = nullptr;

  uint64_t TbCount() const { return grid.Count(); }
  uint32_t ThreadsPerTb() const { return static_cast<uint32_t>(block.Count()); }
  uint32_t WarpsPerTb() const { return (ThreadsPerTb() + 31) / 32; }
  uint32_t LocalBytes() const;  // of a thread: .local variables, then the stack
  uint32_t StackBegin() const;
  uint32_t SharedBytes() const;  // static and dynamic, and what the system reserves
  // The kernel's own: static and dynamic. What the system reserves for a kernel that asks where
  // follows, from the next multiple of 16 on.
  uint32_t OwnSharedBytes() const;
  uint32_t ReservedSharedBegin() const { return (OwnSharedBytes() + 15) / 16 * 16; }
  static constexpr uint32_t kReservedSharedBytes = 1024;  // CUDA's since sm_80
};

}  // namespace flagstone

#endif  // FLAGSTONE_KERNELS_LAUNCH_KERNEL_LAUNCH_H_
