// The root of a machine of several nodes, with scripted blocks in its place and the nodes'.
#include "gpu_model/dispatch/tb_root_unit.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "tests/unit/gpu_model/dispatch/tb_dispatch_bench.h"

namespace flagstone {
namespace tb_root_unit_test {

class ScriptedRoot final : public TbRoot {
 public:
  void Reset() override {}
  const TbRootOut& Outputs() const override { return out; }
  void Tick(const TbRootIn& in) override { seen.push_back(in); }
  bool Idle(const TbRootIn& in) const override {
    return kTbRootEvents.idle(out, in, seen.empty() ? TbRootIn{} : seen.back());
  }

  TbRootOut out;
  std::vector<TbRootIn> seen;
};

// Two GPUs of two chiplets; the switch between the GPUs takes 30 cycles.
class TbRootUnitTest : public testing::Test {
 protected:
  TbRootUnitTest() {
    for (int i = 0; i < 4; ++i) {
      TbDispatchSetup setup;
      setup.block = &blocks_[i];
      setup.link = &links_[i];
      setup.launch_latency = kNever;
      nodes_.push_back(std::make_unique<TbDispatch>(setup));
    }
  }
  void Make(uint64_t launch_latency) {
    unit_ = std::make_unique<TbRootUnit>(TbRootSetup{
        .block = &root_, .nodes = {2, 2}, .launch_latency = launch_latency, .switch_latency = 30});
    unit_->Connect({nodes_[0].get(), nodes_[1].get(), nodes_[2].get(), nodes_[3].get()});
  }
  void Cycle(uint64_t now) {
    unit_->Sample(now);
    unit_->Commit(now);
  }
  // When the node begins.
  uint64_t Begins(size_t node) const { return nodes_[node]->NextWork(0); }

  ScriptedTbScheduler blocks_[4];
  TbLink links_[4];
  std::vector<std::unique_ptr<TbDispatch>> nodes_;
  ScriptedRoot root_;
  std::unique_ptr<TbRootUnit> unit_;
};

TEST_F(TbRootUnitTest, StartsAfterTheLaunchsLatencyAndOnce) {
  Make(5);
  EXPECT_EQ(unit_->NextWork(0), 5U);
  for (uint64_t now = 0; now < 5; ++now) Cycle(now);
  EXPECT_TRUE(root_.seen.empty());
  EXPECT_TRUE(unit_->busy());
  Cycle(5);
  ASSERT_EQ(root_.seen.size(), 1U);
  EXPECT_TRUE(root_.seen[0].start);
  EXPECT_FALSE(unit_->busy());
  Cycle(6);
  EXPECT_EQ(root_.seen.size(), 1U);
  EXPECT_EQ(unit_->NextWork(6), kNever);
}

TEST_F(TbRootUnitTest, HearsWhichNodesAreBusy) {
  Make(0);
  Cycle(0);
  EXPECT_EQ(root_.seen.back().node_busy[0], 0U);
  blocks_[1].out.busy = blocks_[3].out.busy = true;
  EXPECT_EQ(unit_->NextWork(0), 1U);
  Cycle(1);
  EXPECT_EQ(root_.seen.back().node_busy[0], 0b1010U);
  EXPECT_FALSE(root_.seen.back().start);
}

TEST_F(TbRootUnitTest, ANodeOfAnotherGpuBeginsLater) {
  Make(0);
  root_.out.quiescent = false;
  root_.out.node_tb_count = 6;
  for (uint32_t node = 0; node < 4; ++node) {
    root_.out.node_start[0] = uint64_t{1} << node;
    Cycle(10 + node);
  }
  EXPECT_EQ(Begins(0), 11U);
  EXPECT_EQ(Begins(1), 12U);
  EXPECT_EQ(Begins(2), 13U + 30);
  EXPECT_EQ(Begins(3), 14U + 30);
  EXPECT_EQ(nodes_[2]->statistics().count, 6U);
}

}  // namespace tb_root_unit_test
}  // namespace flagstone
