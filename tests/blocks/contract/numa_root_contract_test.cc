// The root on each body: which node starts when, with what, and when the kernel is over.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "gpu_model/blocks/tb_root/node_map_settings.h"
#include "gpu_model/blocks/tb_root/numa_tb_root.h"
#include "tests/blocks/contract/engines.h"

namespace flagstone {
namespace numa_root_contract_test {

struct Start {
  uint64_t cycle = 0;
  uint32_t node = 0, count = 0, first = 0;
  bool operator==(const Start&) const = default;
};

class NumaRootTest : public testing::TestWithParam<Engine> {
 protected:
  void Make(const NodeShape& nodes, uint32_t id_bits = 16) {
    nodes_ = nodes;
    BodyOptions options;
    options.rtl.path = "gpu.tb_root";
    options.rtl.reset_seed = 7;
    options.lockstep = &report_;
    block_ = MakeBody(TbRootType(TbRootSize{nodes, id_bits}), GetParam(), options);
    now_ = 0;
  }
  // Runs a kernel whose nodes are busy for `runs` cycles, `way` cycles after their start. `over_`:
  // the first cycle in which the root is not busy any more.
  std::vector<Start> Run(const TbMap& map, const TbLaunchShape& grid, uint64_t way = 1,
                         uint64_t runs = 3) {
    std::vector<Start> starts;
    std::vector<uint64_t> begins(nodes_.Nodes(), ~uint64_t{0});
    TbRootIn in;
    in.start = true;
    in.settings = NodeMapSettings(nodes_, map, grid);
    for (const uint64_t end = now_ + 1000; now_ < end; ++now_) {
      in.node_busy = {};
      for (uint32_t n = 0; n < begins.size(); ++n) {
        if (now_ >= begins[n] && now_ - begins[n] < runs) in.node_busy[0] |= uint64_t{1} << n;
      }
      const TbRootOut& out = block_->Outputs();
      if (!in.start && !out.busy) break;
      for (uint32_t n = 0; n < begins.size(); ++n) {
        if ((out.node_start[0] >> n & 1) == 0) continue;
        starts.push_back({now_, n, out.node_tb_count, out.node[0]});
        words_ = out.node;
        begins[n] = now_ + way;
      }
      block_->Tick(in);
      in.start = false;
    }
    over_ = now_;
    return starts;
  }
  void TearDown() override {
    if (GetParam() == Engine::kLockstep) {
      EXPECT_GT(report_.compared_cycles, 0u);
    }
  }

  LockstepReport report_;
  NodeShape nodes_;
  std::unique_ptr<TbRoot> block_;
  TbSettings words_ = {};
  uint64_t now_ = 0, over_ = 0;
};

TEST_P(NumaRootTest, StartsANodeACycleFromTheSecondCycleOn) {
  Make({2, 2});
  // Examples 1 and 6 of docs/ladm.md: pairs of eight TBs; rows one by one.
  EXPECT_EQ(Run({TbMap::Element::kTb, {4, 2}}, {8, 1}),
            (std::vector<Start>{{2, 0, 2, 0}, {3, 1, 2, 2}, {4, 2, 2, 4}, {5, 3, 2, 6}}));
  EXPECT_EQ(words_, (TbSettings{6, 2, 1, 0, 0, 3}));
  EXPECT_EQ(over_, 5u + 1 + 3 + 1);
  Make({2, 2});
  EXPECT_EQ(Run({TbMap::Element::kRow, {4, 1}}, {1, 8}),
            (std::vector<Start>{{2, 0, 2, 0}, {3, 1, 2, 1}, {4, 2, 2, 4}, {5, 3, 2, 5}}));
  EXPECT_EQ(words_, (TbSettings{5, 1, 1, 0, 0, 2}));
}

TEST_P(NumaRootTest, DealsUnitsToOneChipletOfEachGpuOrToAllOfAGpuInTurn) {
  Make({2, 2});
  EXPECT_EQ(Run({TbMap::Element::kTb, GpuFirst(2)}, {15, 1}),
            (std::vector<Start>{{2, 0, 4, 0}, {3, 1, 4, 4}, {4, 2, 4, 2}, {5, 3, 3, 6}}));
  Make({2, 2});
  EXPECT_EQ(Run({TbMap::Element::kTb, ChipletFirst({2, 2}, 3)}, {15, 1}),
            (std::vector<Start>{{2, 0, 6, 0}, {3, 1, 3, 3}, {4, 2, 3, 6}, {5, 3, 3, 9}}));
}

TEST_P(NumaRootTest, GivesColumnsAsFarAsTheyGo) {
  Make({2, 2});
  EXPECT_EQ(Run({TbMap::Element::kColumn, {2, 1}}, {4, 2}),
            (std::vector<Start>{{2, 0, 2, 0}, {3, 1, 2, 1}, {4, 2, 2, 2}, {5, 3, 2, 3}}));
  EXPECT_EQ(words_, (TbSettings{3, 2, 4, 2, 0xfffd, 0xfffe}));
}

TEST_P(NumaRootTest, StartsNodesWithoutTbsToo) {
  Make({4, 2}, 32);
  EXPECT_EQ(Run({TbMap::Element::kTb, {3, 2}}, {4, 1}), (std::vector<Start>{{2, 0, 2, 0},
                                                                            {3, 1, 1, 2},
                                                                            {4, 2, 1, 3},
                                                                            {5, 3, 0, 5},
                                                                            {6, 4, 0, 6},
                                                                            {7, 5, 0, 8},
                                                                            {8, 6, 0, 9},
                                                                            {9, 7, 0, 11}}));
}

TEST_P(NumaRootTest, WaitsForNodesThatBeginLate) {
  Make({1, 3});
  Run({TbMap::Element::kTb, {9, 3}}, {9, 1}, /*way=*/200, /*runs=*/50);
  EXPECT_EQ(over_, 4u + 200 + 50 + 1);
}

TEST_P(NumaRootTest, BeginsAnewAndIgnoresAStartMeanwhile) {
  Make({2, 1});
  Run({TbMap::Element::kTb, {4, 4}}, {8, 1});
  const uint64_t second = over_;
  EXPECT_EQ(Run({TbMap::Element::kTb, {2, 2}}, {3, 1}),
            (std::vector<Start>{{second + 2, 0, 2, 0}, {second + 3, 1, 1, 2}}));
  TbRootIn in;
  in.start = true;
  in.settings = NodeMapSettings({2, 1}, {TbMap::Element::kTb, {4, 4}}, {8, 1});
  block_->Tick(in);
  ASSERT_TRUE(block_->Outputs().busy);
  in.settings = NodeMapSettings({2, 1}, {TbMap::Element::kTb, {1, 1}}, {2, 1});
  block_->Tick(in);
  EXPECT_EQ(block_->Outputs().node_tb_count, 4u);
}

INSTANTIATE_TEST_SUITE_P(Engines, NumaRootTest,
                         testing::Values(Engine::kModel, Engine::kRtl, Engine::kLockstep),
                         EngineName);

}  // namespace numa_root_contract_test
}  // namespace flagstone
