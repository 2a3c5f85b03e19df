#include "gpu_model/sm/sm.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "gpu_model/stats/statistics.h"
#include "tests/unit/gpu_model/sm/sm_core_bench.h"

namespace flagstone {
namespace sm_test {

class SmTest : public SmCoreTest {
 protected:
  struct Outcome {
    std::vector<std::pair<uint64_t, LineNumber>> packets;  // with their cycles
    std::vector<uint64_t> counts;                          // all statistics
    bool operator==(const Outcome&) const = default;
  };

  static std::vector<uint64_t> Counts(const Sm& sm, uint64_t cycles) {
    LaunchStatistics all;
    all.sm = sm.Statistics(cycles);
    all.l1 = sm.L1(cycles);
    all.warp_instructions = sm.warp_instructions();
    std::vector<uint64_t> counts;
    for (const StatisticsField& field : StatisticsTable()) {
      for (const uint64_t value : field.Get(all)) counts.push_back(value);
    }
    return counts;
  }

  // 100 cycles, with a TB in cycle 20 if there is one; cycles in which it sleeps are left out.
  Outcome Run(bool at_once, bool with_tb) {
    TbLink link;
    RecordingPort port;
    SmSetup setup = setup_;
    setup.link = &link;
    setup.cores_at_once = at_once;
    Sm sm(setup, 0);
    sm.Connect(&port);
    EXPECT_TRUE(TestBit(link.ready, 0));
    uint64_t next = 0;
    for (uint64_t now = 0; now < 100; ++now) {
      if (with_tb && now == 20) {
        SetBit(&link.valid, 0);
        next = now;
      }
      if (now < next) continue;
      port.now = now;
      sm.Sample(now);
      sm.Commit(now);
      ClearBit(&link.valid, 0);
      next = sm.NextWork(now);
    }
    EXPECT_EQ(sm.Drained(), !with_tb) << "its loads are not answered";
    Outcome outcome;
    for (const auto& [cycle, packet] : port.packets) {
      outcome.packets.emplace_back(cycle, packet.line);
    }
    outcome.counts = Counts(sm, 100);
    return outcome;
  }
};

TEST_F(SmTest, WithoutATbItCountsWhatAnIdleCoreCounts) {
  const Outcome idle = Run(/*at_once=*/true, /*with_tb=*/false);
  EXPECT_EQ(Run(/*at_once=*/false, /*with_tb=*/false), idle);
  EXPECT_TRUE(idle.packets.empty());
}

TEST_F(SmTest, MadeByItsFirstTbItDoesWhatOneDoesThatWasThereBefore) {
  const Outcome before = Run(/*at_once=*/true, /*with_tb=*/true);
  EXPECT_EQ(before.packets.size(), 2U);
  EXPECT_EQ(Run(/*at_once=*/false, /*with_tb=*/true), before);
}

}  // namespace sm_test
}  // namespace flagstone
