// A kernel of two warps a TB, for tests of the parts of an SM.
#ifndef FLAGSTONE_TESTS_UNIT_GPU_MODEL_SM_SM_KERNEL_H_
#define FLAGSTONE_TESTS_UNIT_GPU_MODEL_SM_SM_KERNEL_H_

#include <cstring>
#include <memory>

#include "gpu_model/simt/program.h"
#include "kernels/launch/device_memory.h"
#include "kernels/launch/kernel_launch.h"
#include "kernels/ptx/parser.h"

namespace flagstone {

// Thread i of a TB adds 1 to the word at p + 4 i.
class SmKernel {
 public:
  // The pcs of its instructions.
  static constexpr uint32_t kParameter = 0, kThread = 1, kOffset = 2, kAddress = 3, kLoad = 4,
                            kBarrier = 5, kAdd = 6, kStore = 7, kReturn = 8;

  SmKernel()
      : module_(ptx::Parse(".version 6.0\n.target sm_35\n.address_size 64\n"
                           ".visible .entry k(.param .u64 p) {\n"
                           "  .reg .b32 %r<8>;\n  .reg .b64 %rd<8>;\n"
                           "  ld.param.u64 %rd1, [p];\n"
                           "  mov.u32 %r1, %tid.x;\n"
                           "  mul.wide.u32 %rd2, %r1, 4;\n"
                           "  add.s64 %rd3, %rd1, %rd2;\n"
                           "  ld.global.u32 %r2, [%rd3];\n"
                           "  bar.sync 0;\n"
                           "  add.s32 %r3, %r2, 1;\n"
                           "  st.global.u32 [%rd3], %r3;\n"
                           "  ret;\n}\n",
                           "k.ptx")) {
    address_ = memory_.Allocate("buffer", 4096);
    launch_.kernel = module_->kernels[0].get();
    launch_.module = module_.get();
    launch_.grid = {8, 1, 1};
    launch_.block = {64, 1, 1};
    launch_.parameters.resize(8);
    std::memcpy(launch_.parameters.data(), &address_, 8);
    program_ = std::make_unique<Program>(launch_);
  }

  const Program& program() const { return *program_; }
  DeviceMemory* memory() { return &memory_; }
  uint64_t address() const { return address_; }

 private:
  std::unique_ptr<ptx::Module> module_;
  DeviceMemory memory_;
  uint64_t address_ = 0;
  KernelLaunch launch_;
  std::unique_ptr<Program> program_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_TESTS_UNIT_GPU_MODEL_SM_SM_KERNEL_H_
