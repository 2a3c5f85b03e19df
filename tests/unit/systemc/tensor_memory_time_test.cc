// How long products of tcgen05 take: an SM makes them one after the other, whichever warps ask.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <string>

#include "systemc/simulation.h"
#include "tests/unit/gpu_model/simt/tensor_memory_kernel.h"

namespace flagstone {
namespace tensor_memory_time_test {

uint64_t CyclesOf(KernelRun* run) {
  SimulateOptions options;
  options.machine = MachineConfig::Load("tiny", {});
  options.engine = Engine::kModel;
  LaunchRequest request;
  request.launch = &run->launch();
  request.memory = &run->memory();
  return Simulate(options, request).launch.statistics.cycles;
}

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
  return CyclesOf(&run);
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

// A text that ends with the number of columns, 64.
std::string WithColumns(std::string text, uint32_t columns) {
  const size_t at = text.rfind("64;");
  return text.replace(at, 2, fmt::format("{}", columns));
}

// Eight TBs on tiny's two SMs keep columns for as long as twenty roots take, one after the other.
uint64_t CyclesOfTbsWith(uint32_t columns) {
  constexpr uint32_t kTbs = 8;
  std::string body = "mov.f32 %f1, 0f42000000;\n";
  for (int i = 0; i < 20; ++i) body += "sqrt.approx.f32 %f1, %f1;\n";
  const size_t behind = kAllocate.find("ALLOCATED:");
  KernelRun run = TensorMemoryRun(
      WithColumns(kAllocate.substr(0, behind), columns) + kAllocate.substr(behind) +
          "tcgen05.st.sync.aligned.32x32b.x1.b32 [%r5], {%r1};\ntcgen05.wait::st.sync.aligned;\n" +
          body +
          "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r10}, [%r5];\ntcgen05.wait::ld.sync.aligned;\n"
          "mov.u32 %r11, %ctaid.x; mad.lo.u32 %r11, %r11, 128, %r1;\n"
          "mul.wide.u32 %rd4, %r11, 4; add.s64 %rd4, %rd4, %rd1; st.global.u32 [%rd4], %r10;\n" +
          WithColumns(kDeallocate, columns),
      128, kTbs);
  const uint64_t cycles = CyclesOf(&run);
  const auto out = run.Contents<uint32_t>("out");
  for (uint32_t i = 0; i < kTbs * 128; ++i) EXPECT_EQ(out[i], i % 128) << columns;
  return cycles;
}

TEST(TensorMemoryTime, OfTbsThatShareAnSmIsLongerWhereTheyWaitForItsColumns) {
  const uint64_t all = CyclesOfTbsWith(64);
  constexpr uint64_t kOfTb = 20 * 100;  // sm.sfu.latency
  EXPECT_GE(all, kOfTb);
  EXPECT_LT(all, 2 * kOfTb);
  EXPECT_EQ(CyclesOfTbsWith(128), all);
  EXPECT_GE(CyclesOfTbsWith(256), 2 * kOfTb);
  EXPECT_GE(CyclesOfTbsWith(512), 4 * kOfTb);
}

}  // namespace tensor_memory_time_test
}  // namespace flagstone
