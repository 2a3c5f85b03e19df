// Launches of which iterations of a loop are left out.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "app/flow/run/run.h"
#include "app/flow/run/run_options.h"
#include "app/flow/sample/sampled_launch.h"
#include "base/paths.h"
#include "tests/unit/base/temporary_folder.h"

namespace flagstone {
namespace sampled_loop_test {

// Each thread adds up 4,000 rows of its column.
std::string Kernel(const std::string& trips) {
  return R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry columns(.param .u64 a, .param .u64 out) {
  .reg .pred %p<2>;
  .reg .b32 %r<9>;
  .reg .f32 %f<3>;
  .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [a];
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %tid.x;
  mad.lo.u32 %r3, %r1, 64, %r2;
  mul.wide.u32 %rd3, %r3, 4;
  add.u64 %rd1, %rd1, %rd3;
  add.u64 %rd2, %rd2, %rd3;
  mov.f32 %f1, 0f00000000;
  mov.u32 %r4, 0;
  mov.u32 %r5, 4000;
)" + trips +
         R"(
AGAIN:
  ld.global.f32 %f2, [%rd1];
  add.f32 %f1, %f1, %f2;
  mul.f32 %f2, %f2, %f2;
  fma.rn.f32 %f1, %f2, %f2, %f1;
  bar.sync 0;
  add.u64 %rd1, %rd1, 2048;
  add.u32 %r4, %r4, 1;
  setp.lt.u32 %p1, %r4, %r5;
  @%p1 bra AGAIN;
  st.global.f32 [%rd2], %f1;
  ret;
}
)";
}

class SampledLoop : public testing::Test {
 protected:
  // TBs of two warps, of which 4 are a wave of the small machine.
  RunOptions Options(const std::string& trips = "", uint32_t tbs = 8) {
    folder_.Write("columns.ptx", Kernel(trips));
    folder_.Write("workload.toml", fmt::format(R"(name = "columns"
description = "sums of columns"
[buffer.a]
type = "f32"
count = 2097152
fill = "uniform"
seed = 1
min = 0.0
max = 1.0
[buffer.out]
type = "f32"
count = {}
fill = "zero"
[[launch]]
ptx = "columns.ptx"
entry = "columns"
grid = [{}, 1, 1]
block = [64, 1, 1]
args = ["a", "out"]
)",
                                               64 * tbs, tbs));
    RunOptions options;
    options.workload = (folder_.path() / "workload.toml").string();
    options.machine = MachineConfig::Load("tiny", {});
    options.engine = Engine::kModel;
    options.skip_checks = true;
    return options;
  }
  // A GEMM of 4 TBs, 128 iterations, with checks.
  RunOptions GemmOptions(uint32_t l2_kib) {
    RunOptions options = Options();
    std::filesystem::copy(DataFolder() / "workloads" / "gemm_tiled" / "kernel.ptx",
                          folder_.path() / "gemm.ptx");
    folder_.Write("workload.toml", R"(name = "gemm_of_long_rows"
description = "256 x 256 elements, inner extent 1,024"
[buffer.a]
type = "f32"
count = 262144
fill = "uniform"
seed = 1
min = -1.0
max = 1.0
[buffer.b]
type = "f32"
count = 262144
fill = "uniform"
seed = 2
min = -1.0
max = 1.0
[buffer.c]
type = "f32"
count = 65536
fill = "zero"
[[launch]]
ptx = "gemm.ptx"
entry = "gemm_tiled"
grid = [2, 2, 1]
block = [256, 1, 1]
args = ["a", "b", "c", { s32 = 256 }, { s32 = 1024 }]
[check.c]
reference = "gemm_tiled"
rtol = 1e-5
atol = 1e-3
)");
    options.machine = MachineConfig::Load("tiny", {fmt::format("l2.size_kib={}", l2_kib)});
    options.skip_checks = false;
    return options;
  }
  static RunRecord Sampled(RunOptions options, double percent = 10) {
    options.sample_percent = percent;
    return RunWorkload(options);
  }

  TemporaryFolder folder_;
};

void ExpectWithin(uint64_t estimate, uint64_t whole, double share) {
  EXPECT_NEAR(static_cast<double>(estimate), static_cast<double>(whole),
              share * static_cast<double>(whole));
}

TEST_F(SampledLoop, SomeIterationsTellTheCyclesAndTheTrafficOfAll) {
  const RunRecord whole = RunWorkload(Options());
  const RunRecord sampled = Sampled(Options());
  const SampleRecord& sample = *sampled.launches.front().sample;
  ASSERT_EQ(sample.whole, "");
  EXPECT_EQ(sample.loop, "columns.ptx:30");
  EXPECT_EQ(sample.all_iterations, 16U * 3999) << "that lead back to the loop's header";
  EXPECT_LT(sample.iterations, sample.all_iterations / 2);
  ExpectWithin(sampled.totals.cycles, whole.totals.cycles, 0.05);
  ExpectWithin(sampled.totals.l2.accesses, whole.totals.l2.accesses, 0.01);
  ExpectWithin(sampled.totals.warp_instructions, whole.totals.warp_instructions, 0.001);
  EXPECT_EQ(sampled.totals.dram.reads, whole.totals.dram.reads) << "counted, not estimated";
}

TEST_F(SampledLoop, OfManyWavesTbsAreLeftOutAndInTheOthersIterations) {
  const RunOptions options = Options("", /*tbs=*/96);
  const RunRecord whole = RunWorkload(options);
  const RunRecord sampled = Sampled(options);
  const SampleRecord& sample = *sampled.launches.front().sample;
  ASSERT_EQ(sample.whole, "");
  EXPECT_EQ(sample.loop, "columns.ptx:30");
  EXPECT_LT(sample.tbs, 48U);
  EXPECT_EQ(sample.all_iterations, 2U * 96 * 3999) << "of the whole launch";
  EXPECT_LT(sample.iterations, sample.all_iterations / 4);
  ExpectWithin(sampled.totals.cycles, whole.totals.cycles, 0.05);
  ExpectWithin(sampled.totals.l2.accesses, whole.totals.l2.accesses, 0.02);
  ExpectWithin(sampled.totals.warp_instructions, whole.totals.warp_instructions, 0.001);
}

TEST_F(SampledLoop, WithChecksTheResultsAreThoseOfAllIterations) {
  const RunOptions options = GemmOptions(/*l2_kib=*/1024);
  const RunRecord record = Sampled(options);
  EXPECT_EQ(record.launches.front().sample->whole, "");
  ASSERT_FALSE(record.checks.empty());
  EXPECT_TRUE(record.ChecksPassed());
  ExpectWithin(record.totals.cycles, RunWorkload(options).totals.cycles, 0.02);
}

TEST_F(SampledLoop, TheRtlSchedulesTheSameTbsInTheSameCycles) {
  RunOptions options = Options();
  const uint64_t model = Sampled(options).totals.cycles;
  options.engine = Engine::kRtl;
  EXPECT_EQ(Sampled(options).totals.cycles, model);
}

TEST_F(SampledLoop, IterationsThatReadMoreFromDramThanOthersAreSimulatedAsIfNothingHadBeenTried) {
  const RunOptions options = GemmOptions(/*l2_kib=*/16);
  const RunRecord record = Sampled(options);
  EXPECT_THAT(record.launches.front().sample->whole,
              testing::HasSubstr("sectors from DRAM than others"));
  EXPECT_TRUE(record.ChecksPassed());
  EXPECT_EQ(record.totals.cycles, RunWorkload(options).totals.cycles);
}

class UnequalLoops : public SampledLoop, public testing::WithParamInterface<const char*> {};

TEST_P(UnequalLoops, AreSimulatedWhole) {
  std::string kernel = Kernel(GetParam());
  const std::string barrier = "  bar.sync 0;\n";  // would never be complete
  kernel.erase(kernel.find(barrier), barrier.size());
  const RunOptions options = Options();
  folder_.Write("columns.ptx", kernel);
  EXPECT_THAT(Sampled(options).launches.front().sample->whole,
              testing::HasSubstr("no loop that the warps of a TB go round together"));
}
INSTANTIATE_TEST_SUITE_P(OfLanesAndOfWarps, UnequalLoops,
                         testing::Values("  add.u32 %r5, %r5, %r2;\n",
                                         "  shr.u32 %r6, %r2, 5;\n  add.u32 %r5, %r5, %r6;\n"));

}  // namespace sampled_loop_test
}  // namespace flagstone
