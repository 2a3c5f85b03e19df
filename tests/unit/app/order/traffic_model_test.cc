// Predicted traffic of launches that can be worked out by hand.
#include "app/order/traffic_model.h"

#include <gtest/gtest.h>

#include <numeric>
#include <span>
#include <vector>

#include "analyzer/address/address_analysis.h"
#include "kernels/launch/workload.h"

namespace flagstone {
namespace traffic_model_test {

// A launch of a workload at its paper size, and what it touches.
struct Case {
  explicit Case(const char* name)
      : workload(Workload::Load(FindWorkload(name), "paper")),
        bound(BindAddresses(workload)),
        touches(PlanTouches(AnalyzeAddresses(bound.launches[0], bound.memory), bound.launches[0],
                            {.unit_bytes = 32, .most_steps = 32, .known = nullptr})) {}

  Traffic Predict(const char* order, const ModelMachine& machine) const {
    return TrafficModel(touches, machine).Run(TableOf(order, machine));
  }
  // From the first of its TBs.
  Traffic PredictFromFirst(size_t tbs, const ModelMachine& machine) const {
    const std::vector<uint32_t> order = TableOf("identity", machine);
    return TrafficModel(touches, machine).Run(std::span(order).first(tbs), order.size());
  }
  std::vector<uint32_t> TableOf(const char* order, const ModelMachine& machine) const {
    return ParseTbOrder(order).Table(bound.launches[0].grid, machine.shape);
  }

  Workload workload;
  BoundWorkload bound;
  TouchPlan touches;
};

ModelMachine Levels(uint64_t l1, uint64_t l2) {
  ModelMachine levels;
  levels.shape = {.sms = 4, .tbs_per_sm = 2, .chiplets = 1};
  levels.l1_bytes = l1;
  levels.l2_bytes = l2;
  levels.rounds = 208;
  levels.l2_latency = levels.dram_latency = 0;
  // TBs do not wait for one another: they end in the order in which they began.
  levels.l2_rate = levels.dram_rate = 1e9;
  levels.read_port_rate = levels.write_port_rate = 1e9;
  levels.slice_rate = levels.channel_rate = 1e9;
  return levels;
}

// 208 x 208 floats: what every TB reads is read once of DRAM if the L2 holds everything, and once
// of the L2 by the L1 of a single SM.
TEST(PredictTraffic, ReadsEverythingOnceWhereItFits) {
  const Case matmul("matmul");
  ModelMachine levels = Levels(1 << 30, 1 << 30);
  levels.shape.sms = 1;
  const Traffic traffic = matmul.Predict("identity", levels);
  EXPECT_DOUBLE_EQ(traffic.dram_reads, 2 * 208 * 208 * 4);
  EXPECT_DOUBLE_EQ(traffic.l2_reads, 2 * 208 * 208 * 4);
  EXPECT_DOUBLE_EQ(traffic.l2_writes, 208 * 208 * 4);
}

// The first planes of a stencil need neighbours on both sides; all planes together hardly do.
TEST(PredictTraffic, OfTheFirstTbsStandsForAll) {
  const Case stencil("stencil");
  const ModelMachine levels = Levels(1 << 14, 1 << 30);
  const Traffic all = stencil.Predict("identity", levels);
  const Traffic first = stencil.PredictFromFirst(756, levels);  // of 3,780
  EXPECT_NEAR(first.dram_reads, all.dram_reads, 0.05 * all.dram_reads);
  EXPECT_NEAR(first.l2_reads, all.l2_reads, 0.05 * all.l2_reads);
  EXPECT_NEAR(first.cycles, all.cycles, 0.05 * all.cycles);
}

// What the L2 holds back of the first TBs' results does not stay there while all others run.
TEST(PredictTraffic, WritesBackWhatTheFirstTbsLeftInTheL2) {
  const Case vecadd("vecadd");
  const ModelMachine levels = Levels(1 << 14, 1 << 16);
  const Traffic first = vecadd.PredictFromFirst(32, levels);
  EXPECT_NEAR(first.dram_writes, vecadd.Predict("identity", levels).l2_writes, 1 << 16);
}

TEST(PredictTraffic, OfNothingSharedIsTheSameInAnyOrder) {
  const Case vecadd("vecadd");
  EXPECT_FALSE(vecadd.touches.shares);
  const ModelMachine levels = Levels(16384, 65536);
  const Traffic identity = vecadd.Predict("identity", levels);
  const Traffic dealt = vecadd.Predict("identity+sm", levels);
  EXPECT_DOUBLE_EQ(identity.L2(), dealt.L2());
  EXPECT_DOUBLE_EQ(identity.dram_reads, dealt.dram_reads);
}

// Two TBs at once on each of four SMs whose L1s hold everything: where an SM has TBs of its own
// rows only, it reads fewer rows of A.
TEST(PredictTraffic, IsLessWhereTbsOfAnSmShare) {
  const Case matmul("matmul");
  const ModelMachine levels = Levels(1 << 30, 1 << 30);
  const double dealt = matmul.Predict("identity+sm", levels).l2_reads;
  EXPECT_LT(dealt, matmul.Predict("identity", levels).l2_reads);
}

// A cache that holds little: TBs that run together in a tile read less of DRAM than those in a row.
TEST(PredictTraffic, OfATileIsLessThanOfARowWhereTheL2IsSmall) {
  const Case matmul("matmul");
  ModelMachine levels = Levels(0, 48 << 10);
  levels.shape = {.sms = 16, .tbs_per_sm = 1, .chiplets = 1};
  EXPECT_LT(matmul.Predict("tile:4x4", levels).dram_reads,
            0.9 * matmul.Predict("identity", levels).dram_reads);
}

TEST(PredictTraffic, OfAWarmL2ThatHoldsAllTouchesNoDram) {
  const Case matmul("matmul");
  ModelMachine levels = Levels(0, 1 << 30);
  levels.warm = true;
  EXPECT_DOUBLE_EQ(matmul.Predict("identity", levels).Dram(), 0);
}

TEST(PredictTraffic, OfAWarmL2CountsWhatHasLeftItAsColdOnesDo) {
  const Case matmul("matmul");
  ModelMachine levels = Levels(0, 1 << 30);
  const double cold = matmul.Predict("identity", levels).Dram();
  levels.warm = true;
  levels.warm_from = UINT64_MAX;
  EXPECT_DOUBLE_EQ(matmul.Predict("identity", levels).Dram(), cold);
}

// Groups of one TB each, in the order of ids, are what the plain hardware does.
TEST(PredictTraffic, OfGroupsOfOneIsThatOfTheirOrder) {
  const Case matmul("matmul");
  const ModelMachine levels = Levels(16384, 65536);
  TbGroups groups;
  for (uint32_t tb = 0; tb < matmul.touches.tbs; ++tb) groups.groups.push_back({tb});
  const Traffic dealt =
      TrafficModel(matmul.touches, levels).Run(groups, {.per_group = 1, .per_tb = 4});
  const Traffic identity = matmul.Predict("identity", levels);
  EXPECT_DOUBLE_EQ(dealt.L2(), identity.L2());
  EXPECT_DOUBLE_EQ(dealt.Dram(), identity.Dram());
  EXPECT_DOUBLE_EQ(dealt.cycles, identity.cycles);
}

// A group stays on its SM: two SMs that read all there is fetch it twice, not four times.
TEST(PredictTraffic, OfAGroupStaysOnItsSm) {
  const Case matmul("matmul");
  const ModelMachine levels = Levels(1 << 30, 1 << 30);
  TbGroups groups;
  groups.groups.resize(2);
  for (uint32_t tb = 0; tb < matmul.touches.tbs; ++tb) groups.groups[tb % 2].push_back(tb);
  const Traffic traffic = TrafficModel(matmul.touches, levels).Run(groups, {});
  EXPECT_DOUBLE_EQ(traffic.l2_reads, 2 * 2 * 208 * 208 * 4);
  const Traffic late = TrafficModel(matmul.touches, levels).Run(groups, {.first = 1000});
  EXPECT_DOUBLE_EQ(late.cycles, traffic.cycles + 1000);
}

// TBs that each write one atom, half of which are in one slice of two: the first half of the TBs,
// or every other one.
TouchPlan StoresToTwoSlices(uint32_t tbs, bool first_half) {
  TouchPlan plan;
  plan.tbs = tbs;
  plan.steps = 1;
  plan.turns = {1};
  TouchPlan::Group group;
  group.is_store = true;
  for (uint32_t tb = 0; tb < tbs; ++tb) {
    group.piece_of.push_back(tb);
    plan.piece_begin.push_back(2 * tb);
    plan.step_begin.insert(plan.step_begin.end(), {tb, tb + 1});
    plan.touched_atoms.push_back(tb);
    plan.atoms.push_back({.address = 1600 * tb, .bytes = 1600, .in_slices = tb, .slice_count = 1});
    const uint32_t slice = first_half ? 2 * tb / tbs : tb % 2;
    plan.slices.push_back({static_cast<uint16_t>(slice), 1});
  }
  plan.groups.push_back(group);
  plan.FindTouched();
  return plan;
}

// Stores to the other slice wait in the SMs' ports behind those to the one that all want.
TEST(PredictTraffic, TakesLongWhereTbsThatStartTogetherWriteToOneSlice) {
  ModelMachine levels = Levels(0, 1 << 30);
  levels.shape = {.sms = 4, .tbs_per_sm = 16, .chiplets = 1};
  levels.slices = levels.channels = 2;
  levels.slice_rate = levels.write_port_rate = 16;
  std::vector<uint32_t> order(64);
  std::iota(order.begin(), order.end(), 0);
  const TouchPlan together = StoresToTwoSlices(64, true), spread = StoresToTwoSlices(64, false);
  const Traffic slow = TrafficModel(together, levels).Run(order);
  const Traffic fast = TrafficModel(spread, levels).Run(order);
  EXPECT_GT(slow.cycles, 1.2 * fast.cycles);
  EXPECT_GT(slow.uneven, fast.uneven);
  EXPECT_DOUBLE_EQ(slow.L2(), fast.L2());
}

}  // namespace traffic_model_test
}  // namespace flagstone
