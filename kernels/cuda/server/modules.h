// The device code that a program has registered: parsed PTX, its variables in device memory, its
// kernels by number.
#ifndef FLAGSTONE_KERNELS_CUDA_SERVER_MODULES_H_
#define FLAGSTONE_KERNELS_CUDA_SERVER_MODULES_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "kernels/launch/device_memory.h"
#include "kernels/ptx/kernel.h"

namespace flagstone::cuda {

struct LoadedModule {
  std::string bytes;  // of the fat binary, as it comes
  std::string text;   // its PTX
  std::set<std::string> managed;
  std::unique_ptr<ptx::Module> module;      // null until it is loaded
  std::map<std::string, uint64_t> symbols;  // addresses of variables, handles of bound textures
  std::optional<uint32_t> registers;
};

struct LoadedKernel {
  const LoadedModule* module = nullptr;
  const ptx::Kernel* kernel = nullptr;
  uint32_t registers = 0;  // of a thread
};

struct VariablePlace {
  uint64_t address = 0, bytes = 0;
};

class Modules {
 public:
  // `program`: its file's name, which the PTX's is made of.
  explicit Modules(std::string program) : program_(std::move(program)) {}

  // A piece of a fat binary; the number of its module. The next piece after the last begins
  // another.
  size_t Take(std::string_view piece, bool last);
  void SetManaged(size_t module, std::string variable) { At(module).managed.insert(variable); }
  // Reads the fat binary, parses the PTX and puts its variables into memory. Throws kBadInput.
  void Load(size_t module, DeviceMemory* memory);
  // The number of a kernel. Throws kBadInput for an unknown one, and for one that cannot run.
  size_t FindKernel(size_t module, const std::string& name);
  void Bind(size_t module, const std::string& texture, uint64_t handle);

  // The number of the newest target that a module was compiled for, such as 90 for sm_90a; 0: none.
  uint32_t NewestTarget() const;

  const LoadedKernel& KernelAt(size_t number) const;
  VariablePlace VariableOf(size_t module, const std::string& name) const;  // throws kBadInput
  const std::vector<std::unique_ptr<LoadedModule>>& all() const { return modules_; }

 private:
  LoadedModule& At(size_t module) const;

  std::string program_;
  bool complete_ = true;  // the last fat binary
  std::vector<std::unique_ptr<LoadedModule>> modules_;
  std::vector<LoadedKernel> kernels_;
};

}  // namespace flagstone::cuda

#endif  // FLAGSTONE_KERNELS_CUDA_SERVER_MODULES_H_
