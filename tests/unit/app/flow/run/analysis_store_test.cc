// Which launches an analysis of an earlier run stands for, and that it comes back as it was.
#include "app/flow/run/analysis_store.h"

#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "app/flow/run/run.h"
#include "app/policy/policies.h"
#include "app/results/analysis_json.h"
#include "base/file.h"
#include "kernels/launch/workload.h"
#include "tests/unit/base/temporary_folder.h"

namespace flagstone {
namespace analysis_store_test {

class AnalysisStoreTest : public testing::Test {
 protected:
  AnalysisStoreTest() {
    options_.machine = MachineConfig::Load("tiny", {});
    options_.policy = "rb";
    options_.engine = Engine::kModel;
  }
  AnalysisStore Store(uint64_t input_hash = 1) const {
    return {results_, options_, FindPolicy(options_.policy), input_hash};
  }
  std::string Name(uint64_t input_hash = 1) const {
    return Store(input_hash).NameOf(launch_, bound_.memory);
  }
  static StoredFindings Found() {
    StoredFindings found;
    found.seconds = 1.0 / 3;
    found.findings.summary = {.tbs = 5,
                              .edges = 7,
                              .parts = 2,
                              .kept_weight = 0.1,
                              .union_ratio = 2.0 / 3,
                              .fills = L1Fills{.groups = 11, .lrr = 13},
                              .fit = TbFit{.bytes_of_tb = 1e9 / 7, .tbs = 3}};
    found.findings.summary.prediction = GroupPrediction{
        .lrr_cycles = 10.0 / 3,
        .cycles = 3,
        .lrr_l2_bytes = 1,
        .l2_bytes = 0.5,
        .limit = "issue",
        .reason = GroupPrediction::Reason::kGains,
        .runs = "rb",
        .fastest = "rb",
    };
    found.findings.groups = {.groups = {{0, 3, 1}, {4, 2}}, .steal_enable = true};
    found.findings.direction = CtaDirection::kY;
    return found;
  }

  const TemporaryFolder folder_;
  const ResultStore results_{folder_.path(), [](const std::string&) {}};
  RunOptions options_;
  const Workload workload_ = Workload::Load(FindWorkload("conv_separable"), "test");
  BoundWorkload bound_ = Bind(workload_);
  KernelLaunch launch_ = bound_.launches[0];
};

TEST_F(AnalysisStoreTest, WhatIsPutInComesBackToTheLastBit) {
  EXPECT_FALSE(Store().Get(Name()));
  const StoredFindings put = Found();
  Store().Put(Name(), put);
  const auto got = Store().Get(Name());
  ASSERT_TRUE(got);
  EXPECT_EQ(got->seconds, put.seconds);
  EXPECT_EQ(got->findings.groups, put.findings.groups);
  EXPECT_EQ(got->findings.direction, put.findings.direction);
  EXPECT_EQ(ToJson(std::optional(got->findings.summary)).dump(),
            ToJson(std::optional(put.findings.summary)).dump());

  StoredFindings bare;
  bare.seconds = 1;
  Store().Put(Name(), bare);
  const auto again = Store().Get(Name());
  ASSERT_TRUE(again);
  EXPECT_FALSE(again->findings.direction);
  EXPECT_FALSE(again->findings.summary.prediction || again->findings.summary.fit ||
               again->findings.summary.fills);
}

TEST_F(AnalysisStoreTest, WhatTakesAsLongToReadIsNotKept) {
  StoredFindings quick = Found();
  quick.seconds = AnalysisStore::kLeastSeconds / 2;
  Store().Put(Name(), quick);
  EXPECT_FALSE(Store().Get(Name()));
  EXPECT_TRUE(AnalysisStore::Beside(results_).Names().empty());
}

TEST_F(AnalysisStoreTest, ADamagedFileIsNone) {
  Store().Put(Name(), Found());
  const auto path = AnalysisStore::Beside(results_).PathOf(Name());
  WriteFileAtomically(path, ReadFile(path).substr(0, 100));
  testing::internal::CaptureStderr();
  EXPECT_FALSE(Store().Get(Name()));
  EXPECT_NE(testing::internal::GetCapturedStderr().find("set aside"), std::string::npos);
}

TEST_F(AnalysisStoreTest, AnalysesAreNoResults) {
  Store().Put(Name(), Found());
  EXPECT_TRUE(results_.Names().empty());
  EXPECT_EQ(AnalysisStore::Beside(results_).Names().size(), 1U);
}

TEST_F(AnalysisStoreTest, ANameIsOfAllThatAnAnalysisGoesBy) {
  std::set<std::string> names = {Name(), Name(2)};
  size_t count = 2;
  const auto differs = [&](const std::function<void()>& change) {
    const RunOptions options = options_;
    const KernelLaunch launch = launch_;
    change();
    names.insert(Name());
    EXPECT_EQ(names.size(), ++count);
    options_ = options;
    launch_ = launch;
  };
  differs([&] { options_.machine.sm.l1.size_kib *= 2; });
  differs([&] { options_.machine.sm.warp_scheduler = "lrr"; });
  differs([&] { options_.policy = "kway"; });
  differs([&] { options_.policy = "rb:leaves=even"; });
  differs([&] { options_.seed = 2; });
  differs([&] { options_.size = "medium"; });
  differs([&] { options_.l1_fills = true; });
  differs([&] { options_.known_data = true; });
  differs([&] { ++launch_.grid.x; });
  differs([&] { launch_ = bound_.launches[1]; });
  EXPECT_EQ(Name(), Name());
}

TEST_F(AnalysisStoreTest, DataCountWhereTheyAreKnown) {
  const std::string before = Name();
  options_.known_data = true;
  const std::string known = Name();
  for (const DeviceMemory::Region& region : bound_.memory.regions()) {
    if (region.writable && region.size != 0) {
      *bound_.memory.At(region.address + region.size - 1) ^= std::byte{1};
      break;
    }
  }
  EXPECT_NE(Name(), known);
  options_.known_data = false;
  EXPECT_EQ(Name(), before);
}

// Groups that no partitioner would make: it is the stored ones that run, and what they took then is
// the analysis's time.
TEST_F(AnalysisStoreTest, ARunGoesByTheAnalysisOfAnEarlierOne) {
  options_.workload = "vecadd";
  const Workload vecadd = LoadWorkload(options_);
  const BoundWorkload bound = Bind(vecadd);
  const KernelLaunch& launch = bound.launches[0];
  AnalysisStore store(results_, options_, FindPolicy("rb"), vecadd.input_hash);
  StoredFindings found = Found();
  found.seconds = 5;
  found.findings.summary = {.tbs = launch.TbCount(), .parts = 1};
  std::vector<uint32_t> backwards(launch.TbCount());
  std::iota(backwards.rbegin(), backwards.rend(), 0);
  found.findings.groups.groups = {backwards};
  store.Put(store.NameOf(launch, bound.memory), found);

  const RunRecord alone = RunWorkload(options_);
  options_.analyses = &results_;
  const RunRecord run = RunWorkload(options_);
  EXPECT_EQ(run.launches[0].analysis->parts, 1U);
  EXPECT_GT(alone.launches[0].analysis->parts, 1U);
  EXPECT_NE(run.totals.cycles, alone.totals.cycles);
  EXPECT_TRUE(run.ChecksPassed());
  EXPECT_EQ(run.host.jit_seconds, 5);
  EXPECT_LT(run.host.analysis_seconds, 5);
  EXPECT_GT(run.host.kernel_and_jit_seconds, 5);
  EXPECT_LT(run.host.kernel_and_lookup_seconds, 5);
}

}  // namespace analysis_store_test
}  // namespace flagstone
