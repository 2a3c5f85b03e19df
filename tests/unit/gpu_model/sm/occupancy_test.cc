#include "gpu_model/sm/occupancy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "kernels/launch/workload.h"
#include "kernels/ptx/parser.h"
#include "tests/unit/base/error_message.h"

namespace flagstone {
namespace occupancy_test {

struct Expected {
  const char* workload;
  const char* entry;
  const char* machine;
  uint32_t tbs;
  const char* limit;
};

Occupancy OccupancyOf(const Expected& expected) {
  const Workload workload = Workload::Load(FindWorkload(expected.workload), "paper");
  const BoundWorkload bound = Bind(workload);
  for (const KernelLaunch& launch : bound.launches) {
    if (launch.kernel->name == expected.entry) {
      return ComputeOccupancy(MachineConfig::Load(expected.machine, {}), launch);
    }
  }
  ADD_FAILURE() << "no entry " << expected.entry;
  return {};
}

TEST(Occupancy, MeetsThePapersTbsPerSm) {
  // PAVER, sections 4 and 6: on Fermi STO and HS 3; SYRK, SYR2K and BP 6 (256 threads: 1,536 /
  // 256); MGS 8; SPMV 5.
  const Expected cases[] = {{"sha1", "sha1", "fermi", 3, "registers"},
                            {"md5", "md5", "fermi", 3, "registers"},
                            {"hotspot", "hotspot", "fermi", 3, "registers"},
                            {"syrk", "syrk", "fermi", 6, "threads"},
                            {"syr2k", "syr2k", "fermi", 6, "threads"},
                            {"backprop", "backprop_forward", "fermi", 6, "threads"},
                            {"mergesort", "merge_intervals", "fermi", 8, "TB slots"},
                            {"spmv", "spmv", "fermi", 5, "registers"},
                            {"matmul", "matmul", "fermi", 6, "threads"},
                            {"vecadd", "vecadd", "fermi", 6, "threads"},
                            {"matmul", "matmul", "volta", 8, "threads"}};
  for (const Expected& expected : cases) {
    const Occupancy occupancy = OccupancyOf(expected);
    EXPECT_EQ(occupancy.tbs_per_sm, expected.tbs) << expected.workload;
    EXPECT_EQ(occupancy.limit, expected.limit) << expected.workload;
  }
}

class OccupancyLimits : public testing::Test {
 protected:
  OccupancyLimits() {
    kernel_.name = std::string("k");
    launch_.kernel = &kernel_;
    launch_.block = {32, 1, 1};
    launch_.registers = 1;
    machine_.name = std::string("m");
    machine_.sm.max_tbs = 8;
    machine_.sm.max_warps = 48;
    machine_.sm.max_threads = 1536;
    machine_.sm.registers = 32768;
    machine_.sm.register_granularity = 64;
    machine_.sm.shared_kib = 48;
  }
  ptx::Kernel kernel_;
  KernelLaunch launch_;
  MachineConfig machine_;
};

TEST_F(OccupancyLimits, TbSlots) {
  EXPECT_EQ(ComputeOccupancy(machine_, launch_).tbs_per_sm, 8U);
  EXPECT_EQ(ComputeOccupancy(machine_, launch_).limit, "TB slots");
}

TEST_F(OccupancyLimits, Threads) {
  launch_.block = {512, 1, 1};
  machine_.sm.max_warps = 64;
  EXPECT_EQ(ComputeOccupancy(machine_, launch_).tbs_per_sm, 3U);
  EXPECT_EQ(ComputeOccupancy(machine_, launch_).limit, "threads");
  launch_.block = {513, 1, 1};  // 17 warps: the odd thread costs a place
  EXPECT_EQ(ComputeOccupancy(machine_, launch_).tbs_per_sm, 2U);
}

TEST_F(OccupancyLimits, SharedMemoryStaticAndDynamic) {
  kernel_.shared_bytes = 10 * 1024;
  launch_.dynamic_shared_bytes = 6 * 1024;
  EXPECT_EQ(ComputeOccupancy(machine_, launch_).tbs_per_sm, 3U);
  EXPECT_EQ(ComputeOccupancy(machine_, launch_).limit, "shared memory");
}

TEST_F(OccupancyLimits, WarpsOfPartlyFilledTbs) {
  launch_.block = {33, 1, 1};  // two warps
  machine_.sm.max_warps = 6;
  EXPECT_EQ(ComputeOccupancy(machine_, launch_).tbs_per_sm, 3U);
  EXPECT_EQ(ComputeOccupancy(machine_, launch_).limit, "warps");
}

TEST_F(OccupancyLimits, RegistersAreRoundedUpPerWarp) {
  launch_.registers = 33;  // 1,056 a warp, rounded to 1,088: 30 warps and not 31
  machine_.sm.max_tbs = 64;
  EXPECT_EQ(ComputeOccupancy(machine_, launch_).tbs_per_sm, 30U);
}

TEST_F(OccupancyLimits, ATbThatDoesNotFitNamesTheResource) {
  kernel_.shared_bytes = 50'000;
  EXPECT_EQ(BadInputMessage([&] { ComputeOccupancy(machine_, launch_); }),
            "kernel 'k': one TB needs 50000 bytes of shared memory, but an SM of machine 'm' has "
            "49152");
  kernel_.shared_bytes = 0;
  launch_.block = {1024, 2, 1};
  EXPECT_EQ(BadInputMessage([&] { ComputeOccupancy(machine_, launch_); }),
            "kernel 'k': one TB needs 2048 threads, but an SM of machine 'm' has 1536");
  launch_.block = {1024, 1, 1};
  launch_.registers = 63;  // 2,016 a warp, rounded to 2,048
  EXPECT_EQ(BadInputMessage([&] { ComputeOccupancy(machine_, launch_); }),
            "kernel 'k': one TB needs 65536 registers, but an SM of machine 'm' has 32768");
}

TEST(Occupancy, AnEstimateIsNoMoreThanAThreadCanHave) {
  // 400 values that live at once.
  std::string body, sums;
  for (int i = 1; i <= 400; ++i) {
    body += "mad.lo.s32 %r" + std::to_string(i) + ", %r0, " + std::to_string(i) + ", %r0;\n";
    sums += "add.s32 %r0, %r0, %r" + std::to_string(i) + ";\n";
  }
  const std::string start = ".version 6.0 .target sm_80 .address_size 64 .visible .entry k()";
  const std::string code = "{ .reg .b32 %r<401>; mov.u32 %r0, %tid.x;\n" + body + sums + "ret; }";
  for (const auto& [limit, registers] : {std::pair("", 255U), std::pair(" .maxnreg 64 ", 64U)}) {
    const auto module = ptx::Parse(start + limit + code, "k.ptx");
    ASSERT_GT(EstimateRegisters(*module->kernels[0]), 400U);
    KernelLaunch launch;
    launch.kernel = module->kernels[0].get();
    launch.grid = {1, 1, 1};
    launch.block = {128, 1, 1};
    EXPECT_EQ(ComputeOccupancy(MachineConfig::Load("volta", {}), launch).registers_per_thread,
              registers);
  }
}

TEST(Occupancy, ADeclaredTbFitsWhateverTheEstimate) {
  std::string body, sums;
  for (int i = 1; i <= 200; ++i) {
    body += "mad.lo.s32 %r" + std::to_string(i) + ", %r0, " + std::to_string(i) + ", %r0;\n";
    sums += "add.s32 %r0, %r0, %r" + std::to_string(i) + ";\n";
  }
  const std::string start = ".version 6.0 .target sm_80 .address_size 64 .visible .entry k()";
  const std::string code = "{ .reg .b32 %r<201>; mov.u32 %r0, %tid.x;\n" + body + sums + "ret; }";
  const MachineConfig fermi = MachineConfig::Load("fermi", {});
  const auto occupancy_of = [&](const char* declared, uint32_t threads) {
    const auto module = ptx::Parse(start + declared + code, "k.ptx");
    KernelLaunch launch;
    launch.kernel = module->kernels[0].get();
    launch.grid = {1, 1, 1};
    launch.block = {threads, 1, 1};
    return ComputeOccupancy(fermi, launch);
  };
  EXPECT_THAT(BadInputMessage([&] { occupancy_of("", 256); }), testing::HasSubstr("registers"));
  for (const char* declared : {" .maxntid 256, 1, 1 ", " .reqntid 256 "}) {
    EXPECT_EQ(occupancy_of(declared, 256).registers_per_thread, 128U) << declared;
    EXPECT_EQ(occupancy_of(declared, 256).tbs_per_sm, 1U) << declared;
  }
  EXPECT_GT(occupancy_of(" .maxntid 256 ", 64).registers_per_thread, 200U);
}

}  // namespace occupancy_test
}  // namespace flagstone
