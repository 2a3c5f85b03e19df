// Which launches an analysis of an earlier run stands for, and that it comes back as it was.
#include "app/flow/run/analysis_store.h"

#include <gtest/gtest.h>

#include <atomic>
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
  std::vector<std::string> said_;
  const ResultStore results_{folder_.path(),
                             [this](const std::string& line) { said_.push_back(line); }};
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
  quick.seconds = options_.least_analysis_seconds / 2;
  Store().Put(Name(), quick);
  EXPECT_FALSE(Store().Get(Name()));
  EXPECT_TRUE(AnalysisStore::Beside(results_).Names().empty());
}

TEST_F(AnalysisStoreTest, ADamagedFileIsNone) {
  Store().Put(Name(), Found());
  const auto path = AnalysisStore::Beside(results_).PathOf(Name());
  WriteFileAtomically(path, ReadFile(path).substr(0, 100));
  EXPECT_FALSE(Store().Get(Name()));
  ASSERT_EQ(said_.size(), 1U);
  EXPECT_NE(said_[0].find("set aside"), std::string::npos);
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
  differs([&] { options_.max_instructions = 1000; });
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
  found.seconds = 1e9;
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
  EXPECT_EQ(run.host.jit_seconds, 1e9);
  EXPECT_GE(run.host.kernel_and_jit_seconds, 1e9);
  EXPECT_LT(run.host.lookup_seconds, run.host.jit_seconds);
}

// Half of its threads ask for the register of one that has left: found once a warp.
constexpr char kPtx[] = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 x, .param .u64 y)
{
.reg .b32 %r<8>;
.reg .b64 %d<6>;
.reg .pred %p;
mov.u32 %r1, %ctaid.x;
mov.u32 %r2, %tid.x;
mad.lo.u32 %r3, %r1, 32, %r2;
ld.param.u64 %d1, [x];
mul.wide.u32 %d2, %r3, 4;
add.s64 %d3, %d1, %d2;
ld.global.u32 %r4, [%d3];
mul.wide.u32 %d2, %r4, 4;
add.s64 %d3, %d1, %d2;
ld.global.u32 %r5, [%d3];
setp.gt.u32 %p, %r2, 15;
@%p bra DONE;
shfl.sync.idx.b32 %r6, %r5, 20, 31, 0xffff;
ld.param.u64 %d4, [y];
add.s64 %d5, %d4, %d2;
st.global.u32 [%d5], %r6;
DONE:
ret;
}
)";
constexpr char kWorkload[] = R"(name = "k"
[buffer.x]
type = "u32"
count = 256
fill = "iota"
[buffer.y]
type = "u32"
count = 256
fill = "zero"
[[launch]]
ptx = "k.ptx"
entry = "k"
grid = [8]
block = [32]
args = ["x", "y"]
)";

class OnKnownData : public AnalysisStoreTest {
 protected:
  OnKnownData() {
    folder_.Write("k.ptx", kPtx);
    options_.workload = folder_.Write("workload.toml", kWorkload).string();
    options_.known_data = true;
    options_.analyses = &results_;
    options_.least_analysis_seconds = 0;
  }
  size_t Kept() const { return AnalysisStore::Beside(results_).Names().size(); }
};

// What the analysis executes is not what runs.
TEST_F(OnKnownData, FindingsAreThoseOfTheSimulationWhetherOrNotAnAnalysisIsFound) {
  const RunRecord made = RunWorkload(options_);
  ASSERT_EQ(Kept(), 1U);
  const RunRecord found = RunWorkload(options_);
  ASSERT_EQ(made.findings.size(), 1U);
  EXPECT_EQ(made.findings[0].times, 8 * 16U);
  ASSERT_EQ(found.findings.size(), 1U);
  EXPECT_EQ(found.findings[0].times, made.findings[0].times);
  EXPECT_EQ(found.findings[0].text, made.findings[0].text);
  EXPECT_EQ(found.totals.cycles, made.totals.cycles);
}

TEST_F(OnKnownData, AnAnalysisThatWasStoppedIsNotKept) {
  const std::atomic<bool> stop = true;
  options_.interrupted = &stop;
  RunWorkload(options_);
  EXPECT_EQ(Kept(), 0U);
  options_.interrupted = nullptr;
  RunWorkload(options_);
  EXPECT_EQ(Kept(), 1U);
}

}  // namespace analysis_store_test
}  // namespace flagstone
