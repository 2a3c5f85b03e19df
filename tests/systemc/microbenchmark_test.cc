// Small kernels whose cycles follow from the machine file alone: latencies, conflicts, issue order.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "base/error.h"
#include "ptx/parser.h"
#include "systemc/simulation.h"

namespace flagstone {
namespace {

// One kernel with one pointer argument, run with nothing else on the machine.
class Microbenchmark : public testing::Test {
 protected:
  // `prepare` fills the buffer, whose address it is given.
  LaunchStatistics Run(const std::string& body, uint32_t threads = 32) {
    const std::string text = fmt::format(R"(.version 6.0
.target sm_35
.address_size 64
.visible .entry k(.param .u64 p) {{
  .reg .b32 %r<40>;
  .reg .b64 %rd<10>;
  .reg .f32 %f<10>;
  .reg .pred %p<4>;
  .shared .align 4 .b8 tile[8192];
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, %tid.x;
{}
  ret;
}}
)",
                                         body);
    const auto module = ptx::Parse(text, "k.ptx");
    DeviceMemory memory;
    const uint64_t address = memory.Allocate("buffer", bytes_);
    if (prepare_) prepare_(&memory, address);
    KernelLaunch launch;
    launch.kernel = module->kernels[0].get();
    launch.module = module.get();
    launch.grid = {1, 1, 1};
    launch.block = {threads, 1, 1};
    launch.parameters.resize(8);
    std::memcpy(launch.parameters.data(), &address, 8);
    launch.registers = 16;
    SimulationRequest request;
    request.machine = &machine_;
    request.launch = &launch;
    request.memory = &memory;
    request.engine = Engine::kModel;
    request.cold_l2 = cold_l2_;
    return Simulate(request).statistics;
  }

  // Cycles that each further copy of `line` adds to a run of `count` copies.
  double PerCopy(const std::function<std::string(int)>& line, int from, int to,
                 uint32_t threads = 32) {
    const auto cycles = [&](int count) {
      std::string body;
      for (int i = 0; i < count; ++i) body += "  " + line(i) + "\n";
      return static_cast<double>(Run(body, threads).cycles);
    };
    return (cycles(to) - cycles(from)) / (to - from);
  }
  double PerCopy(const std::string& line, uint32_t threads = 32) {
    return PerCopy([&](int) { return line; }, 20, 60, threads);
  }

  // A chain of pointers through the buffer, each `stride` bytes after the one before.
  void Chain(uint64_t stride) {
    prepare_ = [stride, this](DeviceMemory* memory, uint64_t address) {
      for (uint64_t at = 0; at + stride + 8 <= bytes_; at += stride == 0 ? bytes_ : stride) {
        const uint64_t next = address + at + stride;
        std::memcpy(memory->At(address + at), &next, 8);
      }
    };
  }
  double ChaseLatency() { return PerCopy("ld.global.u64 %rd1, [%rd1];", 1); }

  MachineConfig machine_ = MachineConfig::Load("fermi", {});
  uint64_t bytes_ = 256 * 1024;  // of the buffer: fits the L2
  bool cold_l2_ = false;
  std::function<void(DeviceMemory*, uint64_t)> prepare_;
};

TEST_F(Microbenchmark, PointerChaseInL1TakesTheHitLatency) {
  Chain(0);
  EXPECT_EQ(ChaseLatency(), machine_.sm.l1.hit_latency);
}

// Issue to L1 1, each way through the interconnect, the L2 pipeline, and a flit per 40 bytes.
double L2Latency(const MachineConfig& machine, uint32_t bytes) {
  const uint32_t flits =
      (8 + bytes + machine.interconnect.flit_bytes - 1) / machine.interconnect.flit_bytes;
  return 1 + 2 * machine.interconnect.latency + machine.l2.pipeline_latency + flits - 1;
}

TEST_F(Microbenchmark, PointerChaseInL2TakesTheWayThereAndBack) {
  Chain(1024);
  EXPECT_EQ(ChaseLatency(), L2Latency(machine_, 128));
  machine_ = MachineConfig::Load("volta", {});
  EXPECT_EQ(ChaseLatency(), L2Latency(machine_, 32));
}

TEST_F(Microbenchmark, PointerChaseInDramTakesRowHitOrRowMiss) {
  cold_l2_ = true;
  machine_ = MachineConfig::Load("volta", {"clock.dram=1200", "l2.slices=1", "dram.channels=1"});
  const DramConfig& dram = machine_.dram;
  // To the channel and back: a cycle each in the miss queue and the channel's queues.
  const double common = L2Latency(machine_, 32) + dram.t_cl + 1 + dram.fixed_latency;
  Chain(128);
  const double hit = ChaseLatency();
  EXPECT_NEAR(hit, common, 8);  // one row of 16 lines after the other
  bytes_ = 1 << 20;
  Chain(uint64_t{2048} * 16);  // a new row each time, over the banks
  const double miss = PerCopy([](int) { return "ld.global.u64 %rd1, [%rd1];"; }, 4, 24, 1);
  EXPECT_GE(miss, common + dram.t_rcd);
  EXPECT_LE(miss, common + dram.t_rcd + dram.t_rp + 8);
}

TEST_F(Microbenchmark, DependentInstructionsIssueALatencyApart) {
  EXPECT_EQ(PerCopy("add.s32 %r1, %r1, 1;"), machine_.sm.int_add.latency);
  EXPECT_EQ(PerCopy("mul.lo.s32 %r1, %r1, %r1;"), machine_.sm.int_mul.latency);
  EXPECT_EQ(PerCopy("fma.rn.f32 %f1, %f1, %f1, %f1;"), machine_.sm.f32.latency);
  EXPECT_EQ(PerCopy("div.rn.f32 %f1, %f1, %f1;"), machine_.sm.f32_div.latency);
}

TEST_F(Microbenchmark, IndependentInstructionsIssueAnIntervalApart) {
  const auto line = [](int i) { return fmt::format("add.s32 %r{}, %r1, 1;", 2 + i % 30); };
  EXPECT_EQ(PerCopy(line, 20, 60), 1);
  machine_.sm.int_add.interval = 3;
  EXPECT_EQ(PerCopy(line, 20, 60), 3);
}

TEST_F(Microbenchmark, DualIssueDoublesTheRateOfOneWarp) {
  machine_.sm.issue_width = 2;
  const auto line = [](int i) { return fmt::format("add.s32 %r{}, %r1, 1;", 2 + i % 30); };
  EXPECT_EQ(PerCopy(line, 20, 60), 0.5);
}

TEST_F(Microbenchmark, SchedulersIssueInParallelAndWarpsOfOneShareIt) {
  const auto line = [](int i) { return fmt::format("add.s32 %r{}, %r1, 1;", 2 + i % 30); };
  EXPECT_EQ(PerCopy(line, 20, 60, 64), 1);   // two warps, two schedulers
  EXPECT_EQ(PerCopy(line, 20, 60, 256), 4);  // eight warps
}

TEST_F(Microbenchmark, AStepOfSharedMemoryTakesItsLatencyAndItsConflicts) {
  const auto latency = [&](int stride) {
    return PerCopy(
        [&](int) {
          return fmt::format(
              "mul.lo.u32 %r2, %r1, {}; add.u32 %r2, %r2, %r3; ld.shared.u32 %r3, [%r2];", stride);
        },
        10, 30);
  };
  const double base = machine_.sm.int_mul.latency + machine_.sm.int_add.latency;
  const double arithmetic = machine_.sm.int_add.latency;  // the multiply runs ahead of the load
  EXPECT_LE(latency(4), machine_.sm.shared_latency + base);
  EXPECT_GE(latency(4), machine_.sm.shared_latency + arithmetic);
  EXPECT_EQ(latency(8) - latency(4), 1);
  EXPECT_EQ(latency(64) - latency(4), 15);
  EXPECT_EQ(latency(128) - latency(4), 31);
}

TEST_F(Microbenchmark, ABarrierHoldsTheFastWarpsUntilTheSlowestArrives) {
  // The second warp divides 20 times before the barrier, the first one after it.
  std::string divide;
  for (int i = 0; i < 20; ++i) divide += "  div.s32 %r2, %r2, %r1;\n";
  const std::string guard = "  setp.lt.u32 %p1, %r1, 32;\n";
  const uint64_t apart =
      Run(guard + "  @%p1 bra B;\n" + divide + "B:\n  @!%p1 bra E;\n" + divide + "E:\n", 64).cycles;
  const uint64_t together = Run(guard + "  @%p1 bra B;\n" + divide +
                                    "B:\n  bar.sync 0;\n  @!%p1 bra E;\n" + divide + "E:\n",
                                64)
                                .cycles;
  const uint64_t work = 19 * machine_.sm.int_div.latency;
  EXPECT_LT(apart, 2 * work);
  EXPECT_GT(together, 2 * work);
}

TEST_F(Microbenchmark, AWaitForABarrierThatNeverFillsIsReported) {
  machine_.no_progress_cycles = 5000;
  try {
    // Half of the warps wait at barrier 0, the others at barrier 1.
    Run("  setp.lt.u32 %p1, %r1, 32;\n  @%p1 bra B;\n  bar.sync 0;\n  bra E;\nB:\n"
        "  bar.sync 1;\nE:\n",
        64);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kRunFailed);
    const std::string message = error.what();
    EXPECT_NE(message.find("no progress for 5000 cycles"), std::string::npos) << message;
    EXPECT_NE(message.find("sm0 warp 0 (TB 0, k.ptx:"), std::string::npos) << message;
    EXPECT_NE(message.find("): barrier"), std::string::npos) << message;
  }
}

TEST_F(Microbenchmark, AnOutOfBoundsAccessFailsTheRunWithItsPlace) {
  try {
    Run("  ld.global.u32 %r2, [%rd1+2000000];\n");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kRunFailed);
    EXPECT_NE(std::string(error.what()).find("k.ptx:12"), std::string::npos) << error.what();
  }
}

TEST_F(Microbenchmark, AtomicsAreDoneInL2AndReturnOldValues) {
  machine_ = MachineConfig::Load("tiny", {});
  const LaunchStatistics statistics =
      Run("  atom.global.add.u32 %r2, [%rd1], 1;\n  add.s32 %r3, %r2, 1;\n", 64);
  EXPECT_EQ(statistics.l1.accesses, 2U);
  EXPECT_EQ(statistics.l1.misses, 2U);
  EXPECT_EQ(statistics.l2.accesses, 2U);
}

TEST_F(Microbenchmark, LocalMemoryOfAWarpIsCoalesced) {
  // A store and a load of 4 bytes per thread at the same offset: one line each.
  const std::string text =
      "  .local .align 4 .b8 depot[64];\n  mov.u64 %rd2, depot;\n  st.local.u32 [%rd2+8], %r1;\n"
      "  ld.local.u32 %r2, [%rd2+8];\n";
  const LaunchStatistics statistics = Run(text);
  EXPECT_EQ(statistics.l1.accesses, 2U);
}

}  // namespace
}  // namespace flagstone
