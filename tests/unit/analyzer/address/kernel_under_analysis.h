// A kernel given as PTX text, its buffers and arguments, ready for the address analysis.
#ifndef FLAGSTONE_TESTS_UNIT_ANALYZER_ADDRESS_KERNEL_UNDER_ANALYSIS_H_
#define FLAGSTONE_TESTS_UNIT_ANALYZER_ADDRESS_KERNEL_UNDER_ANALYSIS_H_

#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/address/address_analysis.h"
#include "kernels/launch/device_memory.h"
#include "kernels/launch/kernel_launch.h"
#include "kernels/ptx/parser.h"

namespace flagstone {

// Buffers "a" and "b" of `buffer_bytes` each, then integers: k(u64 a, u64 b, u32 n, u32 m).
class KernelUnderAnalysis {
 public:
  static constexpr int kLineOfN = 13;    // where parameter n is loaded
  static constexpr int kFirstLine = 23;  // of the body
  static constexpr const char* kVersion = ".version 7.5\n.target sm_75\n.address_size 64\n";
  static constexpr const char* kHeader =
      ".visible .entry k(.param .u64 a, .param .u64 b, .param .u32 n, .param .u32 m) {\n"
      "  .reg .pred %p<16>;\n  .reg .b16 %rs<16>;\n  .reg .b32 %r<1024>;\n  .reg .b64 %rd<64>;\n"
      "  .reg .f32 %f<16>;\n  .shared .align 4 .b8 tile[1024];\n"
      "  ld.param.u64 %rd1, [a];\n  ld.param.u64 %rd2, [b];\n"
      "  ld.param.u32 %r1, [n];\n  ld.param.u32 %r2, [m];\n"
      "  cvta.to.global.u64 %rd1, %rd1;\n  cvta.to.global.u64 %rd2, %rd2;\n"
      "  mov.u32 %r3, %tid.x;\n  mov.u32 %r4, %ctaid.x;\n  mov.u32 %r5, %ntid.x;\n"
      "  mad.lo.s32 %r6, %r4, %r5, %r3;\n"
      "  mov.u32 %r7, %tid.y;\n  mov.u32 %r8, %ctaid.y;\n";

  // `globals`: variables of the module, without a line break but at its end; they move the lines.
  // `body` finds a in %rd1, b in %rd2, n and m in %r1 and %r2, tid.x in %r3, ctaid.x in %r4,
  // ntid.x in %r5, the linear index in %r6, tid.y in %r7 and ctaid.y in %r8.
  KernelUnderAnalysis(const std::string& body, Dim3 grid, Dim3 block, uint32_t n = 0,
                      uint32_t m = 0, uint64_t buffer_bytes = uint64_t{1} << 16,
                      const std::string& globals = "")
      : module_(ptx::Parse(kVersion + globals + kHeader + body + "\n}\n", "k.ptx")) {
    launch_.module = module_.get();
    launch_.kernel = module_->kernels.at(0).get();
    launch_.grid = grid;
    launch_.block = block;
    launch_.parameters.resize(launch_.kernel->parameter_bytes);
    a_ = memory_.Allocate("a", buffer_bytes);
    b_ = memory_.Allocate("b", buffer_bytes);
    Set(0, a_);
    Set(1, b_);
    Set(2, n);
    Set(3, m);
    for (const auto& global : module_->globals) {
      launch_.symbols[global->name] = memory_.Allocate(global->name, global->SizeInBytes());
    }
  }

  uint64_t a() const { return a_; }
  uint64_t b() const { return b_; }
  const KernelLaunch& launch() const { return launch_; }
  KernelLaunch& launch() { return launch_; }
  DeviceMemory& memory() { return memory_; }
  template <class T>
  void Set(size_t parameter, T value) {
    std::memcpy(launch_.parameters.data() + launch_.kernel->parameters.at(parameter)->offset,
                &value, sizeof(value));
  }
  AddressAnalysis Analyze() const { return AnalyzeAddresses(launch_, memory_); }

 private:
  std::unique_ptr<const ptx::Module> module_;
  DeviceMemory memory_;
  KernelLaunch launch_;
  uint64_t a_ = 0;
  uint64_t b_ = 0;
};

}  // namespace flagstone

#endif  // FLAGSTONE_TESTS_UNIT_ANALYZER_ADDRESS_KERNEL_UNDER_ANALYSIS_H_
