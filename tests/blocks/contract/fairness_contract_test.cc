// Nobody is passed over for good, on each body of the TB schedulers: SMs that wait for a TB, SMs
// that wait for a steal; and a kernel's turns begin where those of any kernel do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "tests/blocks/contract/engines.h"
#include "tests/blocks/contract/tb_scheduler_bench.h"

namespace flagstone {
namespace fairness_contract_test {

constexpr uint64_t kNever = ~uint64_t{0};

class FairnessContract : public ContractTest {};

INSTANTIATE_TEST_SUITE_P(Bodies, FairnessContract,
                         testing::Values(Engine::kModel, Engine::kRtl, Engine::kLockstep),
                         EngineName);

// Between two offers to an SM, each other that could have had one all the time has had one.
TEST_P(FairnessContract, NoSmHasTwoOffersWhileAnotherWaits) {
  for (const uint32_t sms : {3u, 9u, 20u}) {
    const auto scheduler = Make(FindTbScheduler("lrr"), {sms, 2});
    BenchConfig config;
    config.num_sms = sms;
    // Those of low numbers come back so fast that they could keep the others out.
    config.run_cycles = [](uint32_t sm, uint32_t tb) {
      return 1 + (sm < 3 ? 0 : SplitMix64(tb).Below(40));
    };
    TbSchedulerBench bench(scheduler.get(), config);
    std::vector<uint64_t> waits(sms, kNever), offered(sms, kNever);
    bench.SetObserver([&](uint64_t cycle, const TbSchedulerOut& out, const TbSchedulerIn& in) {
      for (uint32_t sm = 0; sm < sms; ++sm) {
        const bool valid = TestBit(out.tb_valid, sm);
        if (valid && waits[sm] != kNever) {
          for (uint32_t other = 0; other < sms; ++other) {
            if (other == sm || offered[sm] == kNever || TestBit(out.tb_valid, other)) continue;
            EXPECT_FALSE(waits[other] < offered[sm] && waits[other] != kNever)
                << "SM " << other << " has waited since " << waits[other] << ", and SM " << sm
                << " had TBs in cycles " << offered[sm] << " and " << cycle;
          }
          offered[sm] = cycle;
        }
      }
      for (uint32_t sm = 0; sm < sms; ++sm) {
        const bool waiting = TestBit(in.tb_ready, sm) && !TestBit(out.tb_valid, sm);
        if (!waiting) {
          waits[sm] = kNever;
        } else if (waits[sm] == kNever) {
          waits[sm] = cycle;
        }
      }
    });
    EXPECT_TRUE(bench.RunSequential(600).finished);
  }
}

// The first TB of each kernel is the first SM's, wherever the kernel before left off.
TEST_P(FairnessContract, EachKernelBeginsItsTurnsAnew) {
  for (const char* kind : {"lrr", "paver", "paver_wide"}) {
    SCOPED_TRACE(kind);
    const TbSchedulerDescriptor* const type = FindTbScheduler(kind);
    const auto scheduler = Make(type, {5, 2});
    BenchConfig config;
    config.num_sms = 5;
    config.steal_enable = false;
    TbSchedulerBench bench(scheduler.get(), config);
    for (const uint32_t tbs : {3u, 1u, 4u, 7u, 2u}) {
      Groups groups;
      for (uint32_t tb = 0; tb < tbs; ++tb) groups.push_back({tb});
      const KernelRecord record =
          type->has_queue ? bench.RunGroups(groups) : bench.RunSequential(tbs);
      for (const IssueEvent& issue : record.issues) {
        if (issue.tb >= 5) continue;
        EXPECT_EQ(issue.sm, issue.tb) << "of " << tbs;
      }
    }
  }
}

// Between two steals of an SM, each other that was free and without a TB all the time has stolen.
TEST_P(FairnessContract, NoSmStealsTwiceWhileAnotherWaits) {
  for (const char* kind : {"paver", "paver_wide"}) {
    SCOPED_TRACE(kind);
    const auto scheduler = Make(FindTbScheduler(kind), {5, 2});
    BenchConfig config;
    config.num_sms = 5;
    config.contexts = 2;
    config.memory_latency = 1;
    // SM 0 has all TBs and is slow; the others steal from it and, as they do not last, from each
    // other.
    config.run_cycles = [](uint32_t sm, uint32_t) { return uint64_t{sm == 0 ? 5000u : 30u}; };
    TbSchedulerBench bench(scheduler.get(), config);
    std::vector<SeenSteal> steals;
    std::vector<uint64_t> begun(5, 0);  // when the SM last had something to do
    bench.SetObserver([&](uint64_t cycle, const TbSchedulerOut& out, const TbSchedulerIn& in) {
      if (out.steal_valid) {
        const auto before = std::find_if(steals.rbegin(), steals.rend(), [&](const SeenSteal& s) {
          return s.thief == out.steal_thief;
        });
        for (uint32_t sm = 0; sm < 5 && before != steals.rend(); ++sm) {
          if (sm == out.steal_thief || sm == out.steal_donor) continue;
          EXPECT_GE(begun[sm], before->cycle) << "SM " << sm << " was passed over, cycle " << cycle;
        }
        steals.push_back({cycle, out.steal_count, out.steal_donor, out.steal_thief});
        begun[out.steal_thief] = cycle;
      }
      for (uint32_t sm = 0; sm < 5; ++sm) {
        if (TestBit(out.tb_valid, sm) || !TestBit(in.tb_ready, sm)) begun[sm] = cycle;
      }
    });
    std::vector<uint32_t> ids(400);
    std::iota(ids.begin(), ids.end(), 0u);
    const Groups groups = {ids};
    ExpectIssuedOnceInOrder(groups, bench.RunGroups(groups), 5);
    EXPECT_GE(steals.size(), 5u);
  }
}

}  // namespace fairness_contract_test
}  // namespace flagstone
