#include "gpu_model/blocks/tb_scheduler/lrr/lrr_tb_scheduler.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/blocks/contract/tb_scheduler_bench.h"

namespace flagstone {
namespace lrr_tb_scheduler_test {

TEST(LrrTbScheduler, DealsOneTbACycleSmAfterSm) {
  LrrTbScheduler scheduler({3, 2});
  BenchConfig config;
  config.num_sms = 3;
  config.contexts = 2;
  config.run_cycles = [](uint32_t, uint32_t) { return uint64_t{1000}; };
  TbSchedulerBench bench(&scheduler, config);
  const KernelRecord record = bench.RunSequential(6);
  const std::vector<IssueEvent> expected = {{2, 0, 0}, {3, 1, 1}, {4, 2, 2},
                                            {5, 0, 3}, {6, 1, 4}, {7, 2, 5}};
  EXPECT_EQ(record.issues, expected);
  EXPECT_TRUE(record.reads.empty());
  EXPECT_TRUE(record.steals.empty());
}

TEST(LrrTbScheduler, GivesTheNextTbToTheSmThatBecomesFree) {
  LrrTbScheduler scheduler({3, 2});
  BenchConfig config;
  config.num_sms = 3;
  config.run_cycles = [](uint32_t sm, uint32_t) { return sm == 1 ? uint64_t{20} : 500; };
  TbSchedulerBench bench(&scheduler, config);
  const KernelRecord record = bench.RunSequential(8);
  EXPECT_EQ(record.TbsOf(1), (std::vector<uint32_t>{1, 3, 4, 5, 6, 7}));
  EXPECT_EQ(record.issues[3].cycle, record.free_since[1][0] + 1);
}

TEST(LrrTbScheduler, PassesOverAnSmThatHasNotTakenItsOffer) {
  LrrTbScheduler scheduler({2, 2});
  TbSchedulerIn in;
  in.start = true;
  in.queue_count = 4;
  scheduler.Tick(in);
  in.start = false;
  in.tb_ready = {0b01, 0};
  scheduler.Tick(in);
  EXPECT_EQ(scheduler.Outputs().tb_valid[0], 0b01u);
  in.tb_ready = {0b10, 0};  // SM 0 takes nothing now
  scheduler.Tick(in);
  EXPECT_EQ(scheduler.Outputs().tb_valid[0], 0b11u);
  scheduler.Tick(in);  // SM 1 takes its TB; there is no third offer for SM 0
  EXPECT_EQ(scheduler.Outputs().tb_valid[0], 0b01u);
  EXPECT_EQ(scheduler.Outputs().tb_id[0], 0u);
  scheduler.Tick(in);
  EXPECT_EQ(scheduler.Outputs().tb_id[1], 2u);
}

TEST(LrrTbScheduler, EndsAKernelWithoutTbsAtOnce) {
  LrrTbScheduler scheduler({2, 4});
  BenchConfig config;
  config.id_bytes = 4;
  TbSchedulerBench bench(&scheduler, config);
  EXPECT_EQ(bench.RunSequential(0).cycles, 2u);
}

TEST(LrrTbScheduler, IsTheSameWithIdleTicksSkipped) {
  BenchConfig config;
  config.num_sms = 4;
  config.contexts = 2;
  config.run_cycles = [](uint32_t sm, uint32_t tb) { return uint64_t{90} + 31 * sm + tb; };
  LrrTbScheduler every({4, 2});
  TbSchedulerBench every_bench(&every, config);
  LrrTbScheduler some({4, 2});
  TbSchedulerBench some_bench(&some, config);
  some_bench.SetGate(
      [](const TbScheduler& body, const TbSchedulerIn& in) { return body.Idle(in); });
  const KernelRecord gated = some_bench.RunSequential(60);
  EXPECT_TRUE(gated.SameTraffic(every_bench.RunSequential(60)));
  EXPECT_GT(gated.skipped_ticks, gated.cycles / 2);
}

}  // namespace lrr_tb_scheduler_test
}  // namespace flagstone
