// How long products of tcgen05 take: an SM makes them one after the other, whichever warps ask.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <string>

#include "systemc/simulation.h"
#include "tests/unit/gpu_model/simt/tensor_memory_kernel.h"

namespace flagstone {
namespace tensor_memory_time_test {

// The first `warps` warps of a TB make `count` products of m64n8k16 each, and wait for them.
uint64_t CyclesOf(uint32_t warps, uint32_t count) {
  std::string body = kAllocate + "and.b32 %r7, %r1, 31; setp.eq.u32 %p5, %r7, 0;\n" +
                     fmt::format("setp.ge.u32 %p6, %r2, {}; @%p6 bra WAIT;\n", warps);
  for (uint32_t i = 0; i < count; ++i) {
    body += fmt::format("@%p5 tcgen05.mma.cta_group::1.kind::f16 [%r4], %rd2, %rd3, {}, 1;\n",
                        kProductWord);
  }
  body +=
      "@%p5 tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r6];\n"
      "WAIT:\n" +
      kDeallocate;
  KernelRun run = TensorMemoryRun(body);
  SimulateOptions options;
  options.machine = MachineConfig::Load("tiny", {});
  options.engine = Engine::kModel;
  LaunchRequest request;
  request.launch = &run.launch();
  request.memory = &run.memory();
  return Simulate(options, request).launch.statistics.cycles;
}

// A product is four m16n8k16, each of which takes one of tiny's two schedulers 64 cycles.
TEST(TensorMemoryTime, OfProductsIsTheirWorkWhicheverWarpsAsk) {
  const uint64_t none = CyclesOf(1, 0);
  constexpr uint64_t kOfOne = 4 * 64 / 2;
  for (const auto& [warps, count] : {std::pair{1, 32}, std::pair{2, 16}, std::pair{4, 8}}) {
    const uint64_t cycles = CyclesOf(static_cast<uint32_t>(warps), static_cast<uint32_t>(count));
    EXPECT_GE(cycles, none + 31 * kOfOne) << warps;
    EXPECT_LE(cycles, none + 33 * kOfOne + 100) << warps;
  }
}

}  // namespace tensor_memory_time_test
}  // namespace flagstone
