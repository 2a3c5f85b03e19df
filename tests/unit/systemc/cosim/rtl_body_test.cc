#include "systemc/cosim/rtl_body.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/error.h"
#include "systemc/cosim/tb_scheduler_factory.h"
#include "tests/blocks/contract/tb_scheduler_bench.h"
#include "tests/unit/systemc/cosim/fst_file.h"

namespace flagstone {
namespace rtl_body_test {

namespace fs = std::filesystem;

// A PAVER scheduler for two SMs in a small scene: SM 1 ends first and steals.
class RtlBodyTest : public testing::Test {
 protected:
  RtlBodyTest() : folder_(fs::temp_directory_path() / "flagstone_rtl_body_test") {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    options_.rtl.cycle = &cycle_;
  }
  ~RtlBodyTest() override { fs::remove_all(folder_); }

  KernelRecord Run(bool gated) {
    const auto scheduler =
        MakeTbScheduler(*FindTbScheduler("paver"), Engine::kRtl, {2, 2}, options_);
    BenchConfig config;
    config.run_cycles = [](uint32_t sm, uint32_t) -> uint64_t { return sm == 0 ? 300 : 40; };
    TbSchedulerBench bench(scheduler.get(), config);
    bench.SetDisturbance([this](uint64_t cycle, TbSchedulerIn*) { cycle_ = cycle; });
    if (gated) {
      bench.SetGate([](const TbScheduler& body, const TbSchedulerIn& in) { return body.Idle(in); });
    }
    return bench.RunGroups({{0, 1, 2, 3, 4, 5}, {10}});
  }

  fs::path folder_;
  uint64_t cycle_ = 0;
  BodyOptions options_;
};

TEST_F(RtlBodyTest, WritesTheWholeWindowAlsoWhereItIsIdle) {
  const fs::path file = folder_ / "window.fst";
  options_.rtl.wave = {file.string(), 50, 120};
  EXPECT_TRUE(Run(/*gated=*/true).finished);
  const FstFile wave(file);
  EXPECT_EQ(wave.FirstCycle(), 50u);
  EXPECT_EQ(wave.LastCycle(), 120u);
  for (uint64_t cycle = 50; cycle <= 120; ++cycle) {
    EXPECT_EQ(wave.Value("gpu.tb_scheduler.clk_i", cycle), "0");
  }
}

TEST_F(RtlBodyTest, ShowsTheBlockUnderItsPlaceInTheMachine) {
  const fs::path file = folder_ / "names.fst";
  options_.rtl.wave = {file.string(), 0, 10};
  Run(/*gated=*/false);
  const FstFile wave(file);
  EXPECT_EQ(wave.scopes().count("gpu.tb_scheduler"), 1u);
  EXPECT_EQ(wave.scopes().count("gpu.tb_scheduler.paver_tb_scheduler"), 1u);
  EXPECT_TRUE(wave.HasSignal("gpu.tb_scheduler.tb_valid_o"));
}

TEST_F(RtlBodyTest, ShowsACyclesInputsBesideItsOutputs) {
  const fs::path file = folder_ / "values.fst";
  options_.rtl.wave = {file.string(), 0, ~uint64_t{0}};
  const KernelRecord record = Run(/*gated=*/false);
  const FstFile wave(file);
  EXPECT_EQ(wave.Value("gpu.tb_scheduler.start_i", 0), "1");
  EXPECT_EQ(wave.Value("gpu.tb_scheduler.start_i", 1), "0");
  EXPECT_EQ(wave.Value("gpu.tb_scheduler.busy_o", 0), "0");
  EXPECT_EQ(wave.Value("gpu.tb_scheduler.busy_o", 1), "1");
  ASSERT_FALSE(record.steals.empty());
  EXPECT_EQ(wave.Value("gpu.tb_scheduler.steal_valid_o", record.steals[0].cycle), "1");
  EXPECT_EQ(wave.Value("gpu.tb_scheduler.steal_valid_o", record.steals[0].cycle - 1), "0");
  for (const IssueEvent& issue : record.issues) {
    const size_t bit = 1 - issue.sm;  // the highest bit is printed first
    EXPECT_EQ(wave.Value("gpu.tb_scheduler.tb_valid_o", issue.cycle).at(bit), '1');
    EXPECT_EQ(wave.Value("gpu.tb_scheduler.tb_ready_i", issue.cycle).at(bit), '1');
  }
}

TEST_F(RtlBodyTest, BehavesTheSameWithAWave) {
  const KernelRecord plain = Run(/*gated=*/true);
  options_.rtl.wave = {(folder_ / "same.fst").string(), 30, 200};
  EXPECT_TRUE(Run(/*gated=*/true).SameTraffic(plain));
}

TEST_F(RtlBodyTest, LeavesNoFileForAWindowThatNeverComes) {
  options_.rtl.wave = {(folder_ / "never.fst").string(), 1000000, 1000010};
  Run(/*gated=*/true);
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(RtlBodyTest, SaysWhenTheWaveCannotBeWritten) {
  options_.rtl.wave = {(folder_ / "no_such_folder" / "w.fst").string(), 0, 10};
  try {
    Run(/*gated=*/false);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInternal);
    EXPECT_THAT(error.what(), testing::HasSubstr("no_such_folder/w.fst"));
  }
}

TEST_F(RtlBodyTest, ComesOutOfResetTheSameFromAnyState) {
  const KernelRecord zeros = Run(/*gated=*/false);
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    options_.rtl.reset_seed = seed;
    EXPECT_TRUE(Run(/*gated=*/false).SameTraffic(zeros)) << "seed " << seed;
  }
}

TEST_F(RtlBodyTest, FailsTheRunWhenAnAssertionFails) {
  // An interface without ports, with an assertion that always fails after three ticks.
  static int ticks;
  ticks = 0;
  BlockAbi abi = {};
  abi.create = [](const char*, uint64_t) -> void* { return new int; };
  abi.destroy = [](void* body) { delete static_cast<int*>(body); };
  abi.ports = [](void*, uint32_t* count) -> const BlockPort* {
    *count = 0;
    return nullptr;
  };
  abi.edge = [](void*) { return ++ticks < 3; };
  struct None {};
  RtlBody<None, None> body({.events = EveryTickCounts<None, None>()}, abi, {});
  body.Tick({});
  body.Tick({});
  try {
    body.Tick({});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kRunFailed);
    EXPECT_STREQ(error.what(), "gpu.tb_scheduler: an RTL assertion failed in cycle 2");
  }
}

}  // namespace rtl_body_test
}  // namespace flagstone
