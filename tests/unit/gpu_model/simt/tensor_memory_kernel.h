// A kernel of four warps with tensor memory: what tests of tcgen05 run.
#ifndef FLAGSTONE_TESTS_UNIT_GPU_MODEL_SIMT_TENSOR_MEMORY_KERNEL_H_
#define FLAGSTONE_TESTS_UNIT_GPU_MODEL_SIMT_TENSOR_MEMORY_KERNEL_H_

#include <string>
#include <vector>

#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone {

// m64n8k16 of f16 with sums in f32; both matrices by rows, without swizzling, at the beginning of
// 4096 bytes: 128 bytes from one half of a row to the other, 256 from eight rows to the next.
inline constexpr char kProductWord[] = "0x4020010";
inline constexpr char kMatrixWord[] = "0x0000401000080000";

inline const std::string kAllocate =
    "@%p4 bra ALLOCATED;\n"
    "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot], 64;\n"
    "ALLOCATED: bar.sync 0;\nld.shared.u32 %r4, [slot];\nmad.lo.u32 %r5, %r2, 2097152, %r4;\n";
inline const std::string kDeallocate =
    "bar.sync 0;\n@%p4 bra END;\n"
    "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r4, 64;\n";
inline const std::string kCommitted =
    "@%p1 tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r6];\n";
inline const std::string kAwaited =
    "TRY: mbarrier.try_wait.parity.shared.b64 %p3, [bar], 0;\n@!%p3 bra TRY;\n";

// Thread 0's product of the first columns.
inline std::string TensorMemoryProduct(const std::string& d = "[%r4]",
                                       const std::string& a = "%rd2",
                                       const std::string& word = kProductWord) {
  return "@%p1 tcgen05.mma.cta_group::1.kind::f16 " + d + ", " + a + ", %rd3, " + word + ", 1;\n";
}

// %rd1 is the buffer "out", %r1 the thread, %r2 its warp, %p1 holds in thread 0 and %p4 in all
// warps but the first one; %r6 is an mbarrier of one. kAllocate leaves the address in %r4, with the
// warp's own lanes in %r5. The body begins in line 20, and behind kAllocate in line 25.
inline KernelRun TensorMemoryRun(const std::string& body, uint32_t threads = 128,
                                 uint32_t tbs = 1) {
  KernelRun run = KernelRun::FromText(
      KernelText(".param .u64 out",
                 ".shared .align 1024 .b8 room[4096]; .shared .b64 bar; .shared .b32 slot;\n"
                 "ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x;\nshr.u32 %r2, %r1, 5;\n"
                 "mov.b64 %rd2, " +
                     std::string(kMatrixWord) +
                     "; mov.b64 %rd3, %rd2; mov.u32 %r3, room;\nmov.u32 %r6, bar;\n"
                     "setp.eq.u32 %p1, %r1, 0; setp.ne.u32 %p4, %r2, 0;\n"
                     "@%p1 mbarrier.init.shared.b64 [bar], 1;\n" +
                     body + "END: ret;"),
      {tbs, 1, 1}, {threads, 1, 1});
  run.Buffer("out", std::vector<uint32_t>(1024));
  return run;
}

}  // namespace flagstone

#endif  // FLAGSTONE_TESTS_UNIT_GPU_MODEL_SIMT_TENSOR_MEMORY_KERNEL_H_
