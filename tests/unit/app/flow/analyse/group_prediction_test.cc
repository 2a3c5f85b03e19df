// What policy auto goes by.
#include "app/flow/analyse/group_prediction.h"

#include <gtest/gtest.h>

#include <memory>

#include "analyzer/address/address_analysis.h"
#include "app/flow/analyse/analyze.h"
#include "app/policy/policies.h"
#include "kernels/launch/workload.h"

namespace flagstone {
namespace group_prediction_test {

struct Case {
  explicit Case(const char* name, const char* machine_name = "fermi", const char* size = "test")
      : machine(MachineConfig::Load(machine_name, {"tb_queue_block=paver_wide"})),
        workload(Workload::Load(FindWorkload(name), size)),
        bound(Bind(workload)),
        addresses(AnalyzeAddresses(bound.launches.at(0), bound.memory)),
        traces(std::make_unique<replay::Traces>(bound.launches.at(0), addresses, machine.sm)) {}

  GroupPrediction Predict(bool known_data) {
    AnalysisRequest request;
    request.machine = &machine;
    request.policy = &FindPolicy("auto");
    if (known_data) request.known_data = &bound.memory;
    return AnalyzeLaunch(bound.launches.at(0), bound.memory, request).prediction.value();
  }
  GroupPrediction Predict(const TbGroups& groups) {
    const GroupCandidate candidates[] = {{"chunk", &groups, /*queued=*/false}};
    return PredictGroups(traces.get(), bound.memory, candidates, machine);
  }
  // TB i in group i % groups: what lrr gives SMs where all TBs run at once.
  TbGroups InTurn(uint32_t groups) const {
    TbGroups result;
    result.groups.resize(groups);
    for (uint32_t tb = 0; tb < bound.launches[0].TbCount(); ++tb) {
      result.groups[tb % groups].push_back(tb);
    }
    return result;
  }

  MachineConfig machine;
  Workload workload;
  BoundWorkload bound;
  AddressAnalysis addresses;
  std::unique_ptr<replay::Traces> traces;
};

// Where no address hangs on data, knowing the data changes nothing.
TEST(PredictGroups, PredictsTheSameWithAndWithoutTheData) {
  for (const char* const name : {"gemm_tiled", "attention", "laplace3d"}) {
    Case launch(name);
    const GroupPrediction without = launch.Predict(false), with = launch.Predict(true);
    EXPECT_EQ(with.lrr_l2_bytes, without.lrr_l2_bytes) << name;
    EXPECT_EQ(with.cycles, without.cycles) << name;
  }
}

TEST(PredictGroups, CannotSayWhereLoadsAreLeftOut) {
  Case spmv("spmv");
  const GroupPrediction unseen = spmv.Predict(false);
  EXPECT_EQ(unseen.reason, GroupPrediction::Reason::kUnseen);
  EXPECT_EQ(unseen.runs, "lrr");
  EXPECT_NE(spmv.Predict(true).reason, GroupPrediction::Reason::kUnseen);
}

TEST(PredictGroups, TakesNoGroupsThatAreWhatLrrDoes) {
  Case matmul("matmul");
  const GroupPrediction same = matmul.Predict(matmul.InTurn(matmul.machine.sm.count));
  EXPECT_NEAR(same.l2_bytes, same.lrr_l2_bytes, 0.02 * same.lrr_l2_bytes);
  EXPECT_EQ(same.reason, GroupPrediction::Reason::kGainsLittle);
  EXPECT_EQ(same.runs, "lrr");
  EXPECT_EQ(same.fastest, "chunk");
}

// A single group: one SM does the work of all.
TEST(PredictGroups, TakesNoGroupsThatKeepSmsBusyUnevenly) {
  Case matmul("matmul");
  TbGroups one = matmul.InTurn(1);
  const GroupPrediction uneven = matmul.Predict(one);
  EXPECT_GT(uneven.cycles, 2 * uneven.lrr_cycles);
  EXPECT_EQ(uneven.runs, "lrr");
}

// In the simulator it takes two thirds of lrr's time in groups.
TEST(PredictGroups, TakesGroupsOfAProductWhoseTilesOneL1Holds) {
  const GroupPrediction product = Case("matmul", "fermi", "paper").Predict(false);
  EXPECT_EQ(product.reason, GroupPrediction::Reason::kGains);
  EXPECT_LT(product.cycles, 0.8 * product.lrr_cycles);
  EXPECT_EQ(product.runs, product.fastest);
}

}  // namespace group_prediction_test
}  // namespace flagstone
