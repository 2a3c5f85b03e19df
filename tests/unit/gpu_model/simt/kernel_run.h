// PTX text, buffers and arguments -> a functional run: what most tests of the executor need.
#ifndef FLAGSTONE_TESTS_UNIT_GPU_MODEL_SIMT_KERNEL_RUN_H_
#define FLAGSTONE_TESTS_UNIT_GPU_MODEL_SIMT_KERNEL_RUN_H_

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "base/error.h"
#include "gpu_model/simt/executor.h"
#include "gpu_model/simt/program.h"
#include "kernels/launch/device_memory.h"
#include "kernels/launch/extras.h"
#include "kernels/launch/heap.h"
#include "kernels/launch/kernel_launch.h"
#include "kernels/launch/workload.h"
#include "kernels/ptx/parser.h"

namespace flagstone {

class KernelRun {
 public:
  // Takes the module's only kernel; its .global and .const variables go to device memory.
  explicit KernelRun(std::unique_ptr<ptx::Module> module, Dim3 grid = {1, 1, 1},
                     Dim3 block = {32, 1, 1})
      : module_(std::move(module)), memory_(module_->address_size) {
    launch_.module = module_.get();
    launch_.kernel = module_->kernels.at(0).get();
    launch_.grid = grid;
    launch_.block = block;
    launch_.parameters.resize(launch_.kernel->parameter_bytes);
    for (const auto& variable : module_->globals) {
      if (ptx::IsOpaque(variable->type)) continue;
      const bool writable = variable->space != ptx::Space::kConst;
      launch_.symbols[variable->name] =
          memory_.Allocate(variable->name, variable->SizeInBytes(), writable);
    }
    InitializeVariables(*module_, launch_.symbols, &memory_);
  }
  static KernelRun FromText(const std::string& text, Dim3 grid = {1, 1, 1},
                            Dim3 block = {32, 1, 1}) {
    return KernelRun(ptx::Parse(text, "test.ptx"), grid, block);
  }

  // The next argument: a buffer with these contents, or a scalar.
  template <class T>
  KernelRun& Buffer(const std::string& name, const std::vector<T>& contents, bool writable = true) {
    const uint64_t address = memory_.Allocate(name, contents.size() * sizeof(T), writable);
    if (!contents.empty()) {
      std::memcpy(memory_.At(address), contents.data(), contents.size() * sizeof(T));
    }
    return module_->address_size == 64 ? Scalar(address) : Scalar(static_cast<uint32_t>(address));
  }
  template <class T>
  KernelRun& Scalar(T value) {
    static_assert(std::is_trivially_copyable_v<T>);
    const ptx::Variable& parameter = *launch_.kernel->parameters.at(arguments_++);
    std::memcpy(launch_.parameters.data() + parameter.offset, &value, sizeof(value));
    return *this;
  }
  // A texture over a buffer of its own, for the .texref variable of its name.
  template <class T>
  KernelRun& WithTexture(Texture texture, const std::vector<T>& texels) {
    texture.base = memory_.Allocate(texture.name, texels.size() * sizeof(T));
    std::memcpy(memory_.At(texture.base), texels.data(), texels.size() * sizeof(T));
    launch_.symbols[texture.name] = TextureHandle(launch_.textures.size());
    launch_.textures.push_back(texture);
    return *this;
  }
  KernelRun& DynamicShared(uint32_t bytes) {
    launch_.dynamic_shared_bytes = bytes;
    return *this;
  }

  KernelRun& Cluster(Dim3 shape) {
    launch_.cluster = shape;
    return *this;
  }
  // The heap, and where a cooperative launch's TBs meet, if the kernel asks for them.
  KernelRun& WithExtras(uint64_t heap_bytes = kDefaultHeapBytes) {
    DeviceExtras extras;
    AddExtras(*launch_.kernel, heap_bytes, &memory_, &extras);
    launch_.heap = extras.heap;
    launch_.grid_barrier = extras.grid_barrier;
    return *this;
  }

  KernelRun& Into(Findings* findings) {
    launch_.findings = findings;
    return *this;
  }

  FunctionalCounts Run(StepObserver observer = nullptr, void* context = nullptr,
                       const FunctionalControl& control = {}) {
    return RunFunctionally(launch_, &memory_, observer, context, control);
  }

  template <class T>
  std::vector<T> Contents(const std::string& name) const {
    const DeviceMemory::Region& region = memory_.Named(name);
    std::vector<T> contents(region.size / sizeof(T));
    if (!contents.empty()) {
      std::memcpy(contents.data(), memory_.At(region.address), contents.size() * sizeof(T));
    }
    return contents;
  }

  const KernelLaunch& launch() const { return launch_; }
  DeviceMemory& memory() { return memory_; }

 private:
  std::unique_ptr<ptx::Module> module_;
  KernelLaunch launch_;
  DeviceMemory memory_;
  size_t arguments_ = 0;
};

// A kernel "k" with the given parameters and body. Registers: %p, %rs, %r, %rd, %f, %fd (40 each).
inline std::string KernelText(const std::string& parameters, const std::string& body,
                              const std::string& module_scope = "") {
  return ".version 7.0\n.target sm_70\n.address_size 64\n" + module_scope + "\n.visible .entry k(" +
         parameters + ")\n{\n" +
         ".reg .pred %p<40>; .reg .b8 %b<40>;\n.reg .b16 %rs<40>;\n.reg .b32 %r<40>;\n.reg .b64 "
         "%rd<40>;\n"
         ".reg .f32 %f<40>;\n.reg .f64 %fd<40>;\n" +
         body + "\n}\n";
}

// The message of the error of this kind that `action` throws; a test failure if there is none.
template <class Action>
std::string MessageOf(ErrorKind kind, Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << "not one line";
    return error.what();
  }
  ADD_FAILURE() << "no error was thrown";
  return "";
}

}  // namespace flagstone

#endif  // FLAGSTONE_TESTS_UNIT_GPU_MODEL_SIMT_KERNEL_RUN_H_
