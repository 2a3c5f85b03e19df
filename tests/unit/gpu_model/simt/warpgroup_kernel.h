// A kernel of one warpgroup with small matrices in shared memory: what tests of wgmma run.
#ifndef FLAGSTONE_TESTS_UNIT_GPU_MODEL_SIMT_WARPGROUP_KERNEL_H_
#define FLAGSTONE_TESTS_UNIT_GPU_MODEL_SIMT_WARPGROUP_KERNEL_H_

#include <string>
#include <vector>

#include "kernels/launch/findings.h"
#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone {

// A and B of m64n8k16 by rows, without swizzling, at the beginning of 4096 bytes: 128 bytes from
// one half of a row to the other, 256 from eight rows to the next.
inline constexpr char kDescriptor[] = "0x1000080000";
inline constexpr char kFence[] = "wgmma.fence.sync.aligned;\n";
inline constexpr char kCommit[] = "wgmma.commit_group.sync.aligned;\n";
inline std::string WaitGroup(int pending) {
  return "wgmma.wait_group.sync.aligned " + std::to_string(pending) + ";\n";
}

// On the sums %f{first} on. %rd2 and %rd3 are the descriptors.
inline std::string WarpgroupProduct(int first = 1, const std::string& a = "%rd2",
                                    const std::string& scale = "1") {
  std::string sums;
  for (int i = 0; i < 4; ++i) sums += (i == 0 ? "%f" : ", %f") + std::to_string(first + i);
  const std::string transposes = a.starts_with('{') ? "0" : "0, 0";
  return "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {" + sums + "}, " + a + ", %rd3, " +
         scale + ", 1, 1, " + transposes + ";\n";
}

// %rd1 is the buffer "out", %r1 the thread, %r2 its warp; the body begins in line 22.
inline KernelRun WarpgroupRun(const std::string& body, uint32_t threads = 128) {
  KernelRun run = KernelRun::FromText(
      KernelText(".param .u64 out",
                 ".shared .align 1024 .b8 room[4096];\n"
                 "ld.param.u64 %rd1, [out];\nmov.u32 %r1, %tid.x;\n"
                 "shr.u32 %r2, %r1, 5;\nmov.b64 %rd2, " +
                     std::string(kDescriptor) + ";\nmov.b64 %rd3, %rd2;\nmov.u32 %r3, room;\n" +
                     body + "END: ret;"),
      {1, 1, 1}, {threads, 1, 1});
  run.Buffer("out", std::vector<uint32_t>(1024));
  return run;
}

}  // namespace flagstone

#endif  // FLAGSTONE_TESTS_UNIT_GPU_MODEL_SIMT_WARPGROUP_KERNEL_H_
