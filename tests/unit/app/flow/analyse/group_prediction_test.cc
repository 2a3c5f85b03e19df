// What policy auto goes by, for launches of which it is known what groups save them.
#include "app/flow/analyse/group_prediction.h"

#include <gtest/gtest.h>

#include "analyzer/address/address_analysis.h"
#include "app/flow/analyse/analyze.h"
#include "app/flow/analyse/known_data.h"
#include "app/policy/policies.h"
#include "kernels/launch/workload.h"

namespace flagstone {
namespace group_prediction_test {

GroupPrediction Predict(const char* workload_name, const char* machine_name,
                        const std::vector<std::string>& settings = {},
                        const char* size = "medium") {
  const MachineConfig machine = MachineConfig::Load(machine_name, settings);
  const Workload workload = Workload::Load(FindWorkload(workload_name), size);
  BoundWorkload bound = Bind(workload);
  AnalysisRequest request;
  request.machine = &machine;
  request.policy = &FindPolicy("auto");
  request.known_data = &bound.memory;
  return AnalyzeLaunch(bound.launches.at(0), bound.memory, request).prediction.value();
}

// Where no address hangs on data, knowing the data changes nothing but what TBs execute.
TEST(PredictGroups, PredictsTheSameTrafficWithAndWithoutTheData) {
  const MachineConfig machine = MachineConfig::Load("fermi", {});
  for (const char* const name : {"gemm_tiled", "attention", "laplace3d"}) {
    const Workload workload = Workload::Load(FindWorkload(name), "test");
    BoundWorkload bound = Bind(workload);
    AnalysisRequest request;
    request.machine = &machine;
    request.policy = &FindPolicy("auto");
    const auto without = AnalyzeLaunch(bound.launches.at(0), bound.memory, request).prediction;
    request.known_data = &bound.memory;
    const auto with = AnalyzeLaunch(bound.launches.at(0), bound.memory, request).prediction;
    ASSERT_TRUE(with.has_value() && without.has_value()) << name;
    EXPECT_EQ(with->lrr_l2_bytes, without->lrr_l2_bytes) << name;
    EXPECT_EQ(with->l2_bytes, without->l2_bytes) << name;
  }
}

// A stencil whose time is the L2's, where an L1 has no sectors: groups halve what comes from there.
TEST(PredictGroups, GroupsOfAStencilThatWaitsForTheL2) {
  const GroupPrediction hotspot = Predict("hotspot", "pascal_lines", {"tb_queue_block=paver_wide"});
  EXPECT_TRUE(hotspot.Groups());
  EXPECT_EQ(hotspot.runs, "chunk");  // whose TBs wait for no queue
  EXPECT_EQ(hotspot.limit, "l2");
  EXPECT_LT(hotspot.l2_bytes, 0.7 * hotspot.lrr_l2_bytes);
  EXPECT_LT(hotspot.cycles, 0.9 * hotspot.lrr_cycles);
}

// Its loads go by what other loads find. They are counted as they are executed: as scattered as
// they could be, the load/store unit would hold this launch up.
TEST(PredictGroups, GroupsOfATreesLookupsThatWaitForOneAnother) {
  const GroupPrediction lookups = Predict("btree_findk", "fermi", {"tb_queue_block=paver_wide"});
  EXPECT_EQ(lookups.limit, "latency");
  EXPECT_EQ(lookups.runs, "kway");
}

// Half of its traffic saved, and no time: it waits for its L1 and its arithmetic.
TEST(PredictGroups, NoneWhereTheL2IsNotWaitedFor) {
  const GroupPrediction matmul = Predict("matmul", "pascal", {"tb_queue_block=paver_wide"});
  EXPECT_FALSE(matmul.Groups());
  EXPECT_EQ(matmul.reason, GroupPrediction::Reason::kDoesNotWait);
  EXPECT_LT(matmul.l2_bytes, 0.8 * matmul.lrr_l2_bytes);
}

// Where warps of a TB drift apart lrr moves more than the model says: a twelfth of it is a gain
// even where no time is predicted to be saved.
TEST(PredictGroups, GroupsThatSaveMostOfTheTrafficOfManyTbs) {
  const GroupPrediction syrk = Predict("syrk", "fermi", {"tb_queue_block=paver_wide"});
  EXPECT_TRUE(syrk.Groups());
  EXPECT_EQ(syrk.runs, "kway");  // contiguous parts cut across what its TBs share
  EXPECT_EQ(syrk.reason, GroupPrediction::Reason::kSavesTraffic);
  EXPECT_LT(syrk.l2_bytes, 0.5 * syrk.lrr_l2_bytes);
  EXPECT_GT(syrk.cycles, 0.99 * syrk.lrr_cycles);
}

// A fifth is one too where the lanes of a warp read far apart: syrk's lines lie in the L1 for
// turns.
TEST(PredictGroups, GroupsThatSaveAFifthOfTheTrafficOfScatteredLoads) {
  const GroupPrediction syrk = Predict("syrk", "pascal", {"tb_queue_block=paver_wide"}, "paper");
  EXPECT_EQ(syrk.runs, "kway");
  EXPECT_EQ(syrk.reason, GroupPrediction::Reason::kSavesTraffic);
  EXPECT_GT(syrk.l2_bytes, 0.5 * syrk.lrr_l2_bytes);
}

// Where lanes read side by side it is none: matmul_naive loses by it.
TEST(PredictGroups, NoneForAFifthOfTheTrafficOfLoadsSideBySide) {
  const GroupPrediction matmul = Predict("matmul_naive", "pascal", {"tb_queue_block=paver_wide"});
  EXPECT_EQ(matmul.reason, GroupPrediction::Reason::kDoesNotWait);
  EXPECT_LT(matmul.l2_bytes, 0.7 * matmul.lrr_l2_bytes);
}

// The L2 and latencies hold it up for less than most of its time, and yet a third of it goes.
TEST(PredictGroups, GroupsThatSaveMuchTimeWhateverLrrWaitsFor) {
  const GroupPrediction stencil = Predict("conv3d", "pascal_lines", {"tb_queue_block=paver_wide"});
  EXPECT_EQ(stencil.runs, "chunk");
  EXPECT_EQ(stencil.reason, GroupPrediction::Reason::kGains);
  EXPECT_LT(stencil.waits, 0.8);
}

// As much of the traffic saved, but all TBs run at once.
TEST(PredictGroups, NoneForTrafficAloneWhereAllTbsRunAtOnce) {
  const GroupPrediction matmul = Predict("matmul", "pascal_lines", {"tb_queue_block=paver_wide"});
  EXPECT_LT(matmul.l2_bytes, 0.5 * matmul.lrr_l2_bytes);
  EXPECT_LT(matmul.cycles, matmul.lrr_cycles);
  EXPECT_FALSE(matmul.Groups());
}

// Contiguous parts of the grid gain, until the TBs of one of them execute twice as much as others.
TEST(PredictGroups, NoneThatKeepSmsBusyUnevenly) {
  const MachineConfig machine = MachineConfig::Load("pascal_lines", {});
  const Workload workload = Workload::Load(FindWorkload("hotspot"), "medium");
  BoundWorkload bound = Bind(workload);
  const KernelLaunch& launch = bound.launches.at(0);
  const auto tbs = static_cast<uint32_t>(launch.TbCount());
  TbGroups parts;
  parts.groups.resize(machine.sm.count);
  for (uint32_t tb = 0; tb < tbs; ++tb) {
    parts.groups[tb * machine.sm.count / tbs].push_back(tb);
  }
  const GroupCandidate candidates[] = {{"chunk", &parts, /*queued=*/false}};
  const AddressAnalysis addresses = AnalyzeAddresses(launch, bound.memory);
  KnownAccesses known = ExecuteForAddresses(addresses, launch, &bound.memory, false);
  EXPECT_TRUE(PredictGroups(addresses, launch, &known, candidates, machine).Groups());
  for (const uint32_t tb : parts.groups[3]) {
    known.warp_instructions += known.tb_instructions[tb];
    known.tb_instructions[tb] *= 2;
  }
  EXPECT_EQ(PredictGroups(addresses, launch, &known, candidates, machine).reason,
            GroupPrediction::Reason::kUneven);
}

// Time and traffic are predicted to be saved, but it is the DRAM that this launch needs.
TEST(PredictGroups, NoneWhereTheDramHoldsTheLaunchUp) {
  const GroupPrediction diffusion =
      Predict("srad", "pascal", {"tb_queue_block=paver_wide"}, "paper");
  EXPECT_LT(diffusion.cycles, 0.95 * diffusion.lrr_cycles);
  EXPECT_LT(diffusion.l2_bytes, 0.95 * diffusion.lrr_l2_bytes);
  EXPECT_EQ(diffusion.reason, GroupPrediction::Reason::kNeedsDram);
}

// Groups that share next to nothing save next to no time: loads that ids decide count once, whether
// the data are known or not.
TEST(PredictGroups, NoneWhereNextToNothingIsShared) {
  const GroupPrediction differences = Predict("sad", "volta", {"tb_queue_block=paver_wide"});
  EXPECT_GT(differences.cycles, 0.95 * differences.lrr_cycles);
  EXPECT_GT(differences.l2_bytes, 0.95 * differences.lrr_l2_bytes);
  EXPECT_FALSE(differences.Groups());
}

// TBs that share nothing: the queues would cost their start.
TEST(PredictGroups, NoneWhereNothingIsShared) {
  const GroupPrediction prices = Predict("blackscholes", "volta");
  EXPECT_FALSE(prices.Groups());
  EXPECT_EQ(prices.runs, "lrr");
  EXPECT_GT(prices.cycles, 0.99 * prices.lrr_cycles);
}

}  // namespace group_prediction_test
}  // namespace flagstone
