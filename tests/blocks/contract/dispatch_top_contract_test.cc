// gpu_dispatch_top on each body, around each of its schedulers.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <tuple>

#include "tests/blocks/contract/dispatch_top_bench.h"
#include "tests/blocks/contract/engines.h"

namespace flagstone {
namespace dispatch_top_contract_test {

constexpr uint32_t kOkay = 0, kSlaveError = 2;
constexpr uint32_t kDoneFlag = 0x100, kFailedFlag = 0x200, kRefusedFlag = 0x400;

RtlParameters ParametersOf(const DispatchTopSize& size) {
  return {{"Scheduler", static_cast<uint32_t>(size.scheduler)},
          {"NumSm", size.num_sms},
          {"IdWidth", size.id_bits},
          {"Contexts", size.contexts},
          {"Descriptors", size.descriptors},
          {"Reads", size.reads},
          {"Resources", size.sm.counted ? 1u : 0u},
          {"SmWarps", size.sm.warps},
          {"SmRegisters", size.sm.registers},
          {"SmShared", size.sm.shared}};
}

class DispatchTopTest : public testing::TestWithParam<std::tuple<Engine, uint32_t>> {
 protected:
  void Make(DispatchBenchConfig config = {}, uint32_t num_sms = 4) {
    size_ = config.size;
    size_.scheduler = static_cast<DispatchScheduler>(std::get<1>(GetParam()));
    size_.num_sms = num_sms;
    size_.contexts = 4;
    config.size = size_;
    BodyOptions options;
    options.rtl.path = "dispatch";
    options.rtl.reset_seed = 7;
    options.lockstep = &report_;
    block_ = MakeBody(DispatchTopType(ParametersOf(size_)), std::get<0>(GetParam()), options);
    bench_ = std::make_unique<DispatchTopBench>(block_.get(), config);
  }
  // 12 TBs of a grid of 3 x 2 x 2, in three groups.
  static DispatchLaunch TwelveTbs() {
    DispatchLaunch launch;
    launch.grid_x = 3;
    launch.grid_y = launch.grid_z = 2;
    launch.groups = {{11, 3, 4, 5, 0}, {1, 2}, {10, 9, 8, 7, 6}};
    return launch;
  }
  uint32_t Status() { return bench_->ReadRegister(kStatus); }
  void TearDown() override {
    if (std::get<0>(GetParam()) == Engine::kLockstep && !IsSkipped()) {
      EXPECT_GT(report_.compared_cycles, 0u);
    }
  }

  LockstepReport report_;
  DispatchTopSize size_;
  std::unique_ptr<DispatchTop> block_;
  std::unique_ptr<DispatchTopBench> bench_;
};

TEST_P(DispatchTopTest, RunsEachTbOnceWithItsBlockIndexAndTag) {
  for (const uint32_t sms : {4u, 28u}) {
    Make({.stall_percent = 20}, sms);
    SplitMix64 random(sms);
    for (uint32_t tag = 0; tag < 20; ++tag) {
      bench_->taken().clear();
      const DispatchLaunch launch = RandomLaunch(size_, false, &random);
      ASSERT_EQ(bench_->Launch(launch), kOkay);
      ASSERT_TRUE(bench_->RunToEnd());
      ExpectEachTbOnce(launch, tag % 16, bench_->taken());
      EXPECT_EQ(bench_->out().launch_entry, launch.entry);
      EXPECT_EQ(bench_->out().launch_parameters, launch.parameters);
      EXPECT_EQ(bench_->ReadRegister(kTbsIssued), bench_->taken().size());
      EXPECT_EQ(Status() & (kDoneFlag | kFailedFlag), kDoneFlag);
      bench_->WriteRegister(kStatus, kDoneFlag);
      EXPECT_EQ(Status() & kDoneFlag, 0u);
    }
  }
}

TEST_P(DispatchTopTest, SaysWhatItIs) {
  Make({}, 28);
  EXPECT_EQ(bench_->ReadRegister(kIdentity), 0x46540000u | std::get<1>(GetParam()) << 8 | 27u);
}

TEST_P(DispatchTopTest, BeginsASecondLaunchInTheCycleInWhichTheFirstEnds) {
  Make();
  ASSERT_EQ(bench_->Launch(TwelveTbs()), kOkay);
  ASSERT_EQ(bench_->Launch(TwelveTbs()), kOkay);
  const uint64_t described = bench_->now();
  ASSERT_TRUE(bench_->RunToEnd());
  ASSERT_EQ(bench_->taken().size(), 24u);
  std::vector<TakenTb> second(bench_->taken().begin() + 12, bench_->taken().end());
  ExpectEachTbOnce(TwelveTbs(), 1, second);
  EXPECT_GT(second[0].cycle, described) << "the first launch ended before the second was written";
  // The queue's descriptor and id come from memory.
  EXPECT_LT(second[0].cycle - bench_->taken()[11].cycle, size_.HasQueue() ? 250u : 75u);
}

TEST_P(DispatchTopTest, KeepsADescriptionWhileItWaits) {
  Make();
  ASSERT_EQ(bench_->Launch(TwelveTbs()), kOkay);
  ASSERT_EQ(bench_->Launch(TwelveTbs()), kOkay);
  ASSERT_EQ(Status() & 3u, 3u);
  EXPECT_EQ(bench_->WriteRegister(kGridX, 77), kSlaveError);
  EXPECT_EQ(bench_->Reason(), DispatchReason::kLaunchWaits);
  EXPECT_EQ(bench_->ReadRegister(kGridX), 3u);
  EXPECT_EQ(bench_->WriteRegister(kControl, 1), kSlaveError);
  EXPECT_EQ(bench_->WriteRegister(kInterrupts, 1), kOkay);
  EXPECT_EQ(Status() & kRefusedFlag, kRefusedFlag);
  ASSERT_TRUE(bench_->RunToEnd());
  EXPECT_EQ(bench_->taken().size(), 24u);
  EXPECT_EQ(bench_->WriteRegister(kGridX, 77), kOkay);
}

TEST_P(DispatchTopTest, RefusesAccessesThatMeanNothing) {
  Make();
  const auto refused = [&](uint32_t response, DispatchReason reason) {
    EXPECT_EQ(response, kSlaveError);
    EXPECT_EQ(bench_->Reason(), reason);
    EXPECT_EQ(Status() & kRefusedFlag, kRefusedFlag);
    bench_->WriteRegister(kStatus, kRefusedFlag);
  };
  uint32_t response = 0;
  refused(bench_->Write(4 * kDispatchRegisters, 1), DispatchReason::kNoSuchRegister);
  refused(bench_->Write(0x804, 1), DispatchReason::kNoSuchRegister);
  refused(bench_->Write(4 * kGridX + 1, 1), DispatchReason::kNoSuchRegister);
  refused(bench_->WriteRegister(kIdentity, 1), DispatchReason::kNoSuchRegister);
  refused(bench_->WriteRegister(kGridX, 0x20000), DispatchReason::kValueDoesNotFit);
  refused(bench_->Write(4 * kGridX, 3, 7), DispatchReason::kValueDoesNotFit);
  for (const uint32_t offset : {4u * kDispatchRegisters, 0xffcu, 4u * kGridY + 2, 4u * kControl}) {
    EXPECT_EQ(bench_->Read(offset, &response), 0u);
    refused(response, DispatchReason::kNoSuchRegister);
  }
  // What only others have is not there.
  const uint32_t queue = bench_->WriteRegister(kQueueCount, 1);
  if (size_.HasQueue()) {
    EXPECT_EQ(queue, kOkay);
  } else {
    refused(queue, DispatchReason::kNoSuchRegister);
  }
  EXPECT_EQ(bench_->ReadRegister(kGridX), 0u);
}

TEST_P(DispatchTopTest, FailsLaunchesThatCannotRun) {
  Make();
  uint32_t tag = 0;
  const auto fails = [&](const DispatchLaunch& launch, DispatchReason reason) {
    ASSERT_EQ(bench_->Launch(launch), kOkay);
    ASSERT_TRUE(bench_->RunToEnd());
    EXPECT_EQ(bench_->Reason(), reason);
    EXPECT_EQ(Status() & (kDoneFlag | kFailedFlag), kFailedFlag);
    EXPECT_EQ(Status() >> 24 & 15, tag++) << "which launch it was";
    bench_->WriteRegister(kStatus, kFailedFlag);
  };
  DispatchLaunch launch = TwelveTbs();
  for (uint32_t DispatchLaunch::*grid :
       {&DispatchLaunch::grid_x, &DispatchLaunch::grid_y, &DispatchLaunch::grid_z}) {
    DispatchLaunch wrong = launch;
    wrong.*grid = 0;
    fails(wrong, DispatchReason::kNoTbs);
    wrong.*grid = 0x10000;
    fails(wrong, DispatchReason::kTooManyTbs);
  }
  DispatchLaunch large = launch;
  large.grid_x = 65537;
  large.grid_y = large.grid_z = 1;
  fails(large, DispatchReason::kTooManyTbs);
  DispatchLaunch wide = launch;
  wide.warps = size_.sm.warps + 1;
  fails(wide, DispatchReason::kDoesNotFit);
  wide = launch;
  wide.registers = size_.sm.registers + 1;
  fails(wide, DispatchReason::kDoesNotFit);
  wide = launch;
  wide.shared = size_.sm.shared + 1;
  fails(wide, DispatchReason::kDoesNotFit);
  if (size_.HasQueue()) {
    DispatchLaunch empty = launch;
    empty.groups.clear();
    fails(empty, DispatchReason::kNoGroups);
    bench_->Describe(launch);
    bench_->WriteRegister(kQueueBaseLo, 8);
    bench_->WriteRegister(kControl, 1);
    ASSERT_TRUE(bench_->RunToEnd());
    EXPECT_EQ(bench_->Reason(), DispatchReason::kUnalignedBase);
    bench_->WriteRegister(kStatus, kFailedFlag);
    ++tag;
  }
  EXPECT_TRUE(bench_->taken().empty());
  ASSERT_EQ(bench_->Launch(launch), kOkay);
  ASSERT_TRUE(bench_->RunToEnd());
  ExpectEachTbOnce(launch, tag % 16, bench_->taken());
}

TEST_P(DispatchTopTest, GivesAnSmAsManyTbsAsItHasRoomFor) {
  Make({.run_cycles = [](uint32_t, uint32_t) { return 2000; }});
  const auto most = [&](uint32_t warps, uint32_t registers, uint32_t shared, uint32_t limit) {
    DispatchLaunch launch;
    launch.grid_x = 40;
    launch.groups.resize(8);
    for (uint32_t id = 0; id < 40; ++id) launch.groups[id / 5].push_back(id);
    launch.warps = warps;
    launch.registers = registers;
    launch.shared = shared;
    launch.tb_limit = limit;
    DispatchBenchConfig config = {.run_cycles = [](uint32_t, uint32_t) { return 2000; }};
    Make(config);
    EXPECT_EQ(bench_->Launch(launch), kOkay);
    EXPECT_TRUE(bench_->RunToEnd());
    return bench_->most_running();
  };
  EXPECT_EQ(most(1, 1, 1, 0), 4u) << "contexts";
  EXPECT_EQ(most(16, 1, 1, 0), 3u) << "48 warps";
  EXPECT_EQ(most(1, 16384, 1, 0), 2u) << "32768 registers";
  EXPECT_EQ(most(1, 1, 49152, 0), 1u) << "49152 of shared memory";
  EXPECT_EQ(most(1, 1, 24577, 0), 1u);
  EXPECT_EQ(most(1, 1, 1, 2), 2u) << "the launch's limit";
}

TEST_P(DispatchTopTest, EndsALaunchWhoseReadFailsAndRunsTheNext) {
  Make({.stall_percent = 10});
  if (!size_.HasQueue()) GTEST_SKIP() << "it reads nothing";
  for (uint32_t at = 0; at < 80; at += 8) {
    bench_->taken().clear();
    bench_->Describe(TwelveTbs());
    bench_->FailReadsOf(bench_->QueueBase() + at);
    ASSERT_EQ(bench_->WriteRegister(kControl, 1), kOkay);
    ASSERT_TRUE(bench_->RunToEnd());
    if ((Status() & kFailedFlag) != 0) {
      EXPECT_EQ(bench_->Reason(), DispatchReason::kReadError);
    } else {
      EXPECT_GE(at, 72u) << "no queue is so long";
    }
    bench_->WriteRegister(kStatus, kFailedFlag | kDoneFlag);
    bench_->FailReadsOf(0);
    for (int wait = 0; wait < 100; ++wait) bench_->Step();  // TBs that ran have completed
    EXPECT_TRUE(bench_->out().quiescent);
    bench_->taken().clear();
    ASSERT_EQ(bench_->Launch(TwelveTbs()), kOkay);
    ASSERT_TRUE(bench_->RunToEnd());
    ExpectEachTbOnce(TwelveTbs(), (at / 8 * 2 + 1) % 16, bench_->taken());
    bench_->WriteRegister(kStatus, kDoneFlag);
  }
}

TEST_P(DispatchTopTest, EndsALaunchWithAnIdBeyondItsGrid) {
  Make();
  if (!size_.HasQueue()) GTEST_SKIP() << "it makes the ids itself";
  DispatchLaunch launch = TwelveTbs();
  launch.groups[1] = {12};
  ASSERT_EQ(bench_->Launch(launch), kOkay);
  ASSERT_TRUE(bench_->RunToEnd());
  EXPECT_EQ(bench_->Reason(), DispatchReason::kIdBeyondGrid);
  for (const TakenTb& tb : bench_->taken()) EXPECT_LT(tb.index.id, 12u);
}

TEST_P(DispatchTopTest, StopsALaunchOnceItsTbsHaveCompleted) {
  Make({.run_cycles = [](uint32_t, uint32_t) { return 3000; }}, 2);
  ASSERT_EQ(bench_->Launch(TwelveTbs()), kOkay);
  ASSERT_TRUE(bench_->StepUntilTaken(3));
  ASSERT_EQ(bench_->WriteRegister(kControl, 2), kOkay);
  for (int wait = 0; wait < 100; ++wait) bench_->Step();
  const size_t taken = bench_->taken().size();
  EXPECT_LT(taken, 6u);
  EXPECT_EQ(Status() & 1u, 1u) << "TBs still run";
  ASSERT_TRUE(bench_->RunToEnd());
  EXPECT_EQ(bench_->taken().size(), taken);
  EXPECT_GE(bench_->now(), bench_->last_done());
  EXPECT_EQ(bench_->Reason(), DispatchReason::kStopped);
}

TEST_P(DispatchTopTest, TellsStrayCompletions) {
  Make();
  uint32_t context = 0, tag = 0;
  bool stray = false;
  bench_->SetDisturbance([&](DispatchTopIn* in) {
    if (!stray) return;
    stray = false;
    SetBit(&in->done_valid, 1);
    in->done_context[1] = static_cast<uint8_t>(context);
    in->done_tag[1] = static_cast<uint8_t>(tag);
  });
  const auto tells = [&] {
    stray = true;
    bench_->Step();
    EXPECT_EQ(bench_->Reason(), DispatchReason::kStrayCompletion);
    EXPECT_EQ(Status() & kRefusedFlag, kRefusedFlag);
    bench_->WriteRegister(kStatus, kRefusedFlag);
    EXPECT_EQ(Status() & kRefusedFlag, 0u);
  };
  tells();
  DispatchLaunch launch = TwelveTbs();
  ASSERT_EQ(bench_->Launch(launch), kOkay);
  do {
    ASSERT_TRUE(bench_->StepUntilTaken(bench_->taken().size() + 1));
  } while (bench_->taken().back().sm != 1);
  tag = 1;  // of a launch to come
  context = bench_->taken().back().context;
  tells();
  ASSERT_TRUE(bench_->RunToEnd());
  ExpectEachTbOnce(launch, 0, bench_->taken());
}

TEST_P(DispatchTopTest, RaisesAnInterruptForWhatIsAskedFor) {
  Make();
  bench_->WriteRegister(kInterrupts, 1);
  ASSERT_EQ(bench_->Launch(TwelveTbs()), kOkay);
  EXPECT_FALSE(bench_->out().irq);
  ASSERT_TRUE(bench_->RunToEnd());
  EXPECT_TRUE(bench_->out().irq);
  bench_->WriteRegister(kStatus, kDoneFlag);
  EXPECT_FALSE(bench_->out().irq);
  bench_->Write(0xffc, 0);
  EXPECT_FALSE(bench_->out().irq);
  bench_->WriteRegister(kInterrupts, 4);
  EXPECT_TRUE(bench_->out().irq);
}

TEST_P(DispatchTopTest, TakesAnswersInAnyOrder) {
  if (std::get<1>(GetParam()) < 2) GTEST_SKIP() << "it reads nothing";
  for (const bool in_order : {true, false}) {
    Make({.seed = 3, .memory_latency = 60, .in_order = in_order}, 8);
    SplitMix64 random(5);
    DispatchLaunch launch = RandomLaunch(size_, false, &random);
    launch.grid_x = 100;
    launch.grid_y = launch.grid_z = 1;
    launch.steal_rule = 0;
    launch.groups.assign(10, {});
    for (uint32_t id = 0; id < 100; ++id) launch.groups[id % 10].push_back(id);
    ASSERT_EQ(bench_->Launch(launch), kOkay);
    ASSERT_TRUE(bench_->RunToEnd());
    ExpectEachTbOnce(launch, 0, bench_->taken());
    uint64_t turns = 0;  // reads that were under way with another one
    for (size_t i = 1; i < bench_->reads().size(); ++i) {
      if (bench_->reads()[i].cycle - bench_->reads()[i - 1].cycle < 60) ++turns;
    }
    EXPECT_GT(turns, 0u);
  }
}

TEST_P(DispatchTopTest, LivesWithRandomLaunchesRightAndWrong) {
  for (const uint32_t id_bits : {16u, 32u}) {
    DispatchBenchConfig config;
    config.size.id_bits = id_bits;
    for (uint64_t seed = 1; seed <= 40; ++seed) {
      Make(config);
      RunRandomLaunches(size_, seed, seed % 4 == 0 ? 3000 : 600, seed % 2 == 0, block_.get());
    }
  }
}

TEST_P(DispatchTopTest, FindsTheFirstTbAfterTheLastOfAllIds) {
  Make();
  if (!size_.HasQueue()) GTEST_SKIP() << "it never does so";
  DispatchLaunch launch;
  launch.grid_x = 256;
  launch.grid_y = 256;
  launch.groups = {{0xfffe, 0xffff, 0, 1}};
  ASSERT_EQ(bench_->Launch(launch), kOkay);
  ASSERT_TRUE(bench_->RunToEnd());
  ASSERT_EQ(bench_->taken().size(), 4u);
  for (const TakenTb& tb : bench_->taken()) {
    EXPECT_EQ(tb.index.x, tb.index.id % 256);
    EXPECT_EQ(tb.index.y, tb.index.id / 256);
    EXPECT_EQ(tb.index.z, 0u);
  }
}

TEST_P(DispatchTopTest, CountsCyclesInWhichAnSmLetsItsTbWait) {
  Make();
  bench_->SetDisturbance([&](DispatchTopIn* in) {
    if (bench_->now() % 4 != 0) in->tb_ready = {};
  });
  ASSERT_EQ(bench_->Launch(TwelveTbs()), kOkay);
  ASSERT_TRUE(bench_->RunToEnd());
  EXPECT_GT(bench_->ReadRegister(kWaits), 0u);
  EXPECT_LE(bench_->ReadRegister(kWaits), 3u * 12u);
}

std::string Name(const testing::TestParamInfo<std::tuple<Engine, uint32_t>>& info) {
  const std::string engine = EngineName({std::get<0>(info.param), info.index});
  const auto scheduler = static_cast<DispatchScheduler>(std::get<1>(info.param));
  return engine + "_" + std::string(DescriptorOf(scheduler).name);
}

INSTANTIATE_TEST_SUITE_P(Engines, DispatchTopTest,
                         testing::Combine(testing::Values(Engine::kModel, Engine::kRtl,
                                                          Engine::kLockstep),
                                          testing::Range(0u, kDispatchSchedulers)),
                         Name);

}  // namespace dispatch_top_contract_test
}  // namespace flagstone
