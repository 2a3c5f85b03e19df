// When the size of the high-priority group is written: at the launch, and where a warp enters a
// loop.
#include "gpu_model/sm/group_sizes.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "gpu_model/blocks/warp_scheduler/descriptor.h"
#include "gpu_model/sm/sm_core.h"
#include "kernels/ptx/parser.h"
#include "tests/unit/gpu_model/memory/recorders.h"

namespace flagstone {
namespace group_sizes_test {

// Two loops one after the other, the first one with a loop inside; each turns twice.
constexpr const char* kPtx = R"(.version 6.0
.target sm_35
.address_size 64
.visible .entry k() {
  .reg .b32 %r<8>;
  .reg .pred %p<8>;
  mov.u32 %r1, 0;
OUTER:
  mov.u32 %r2, 0;
INNER:
  add.s32 %r2, %r2, 1;
  setp.lt.s32 %p1, %r2, 2;
  @%p1 bra INNER;
  add.s32 %r1, %r1, 1;
  setp.lt.s32 %p2, %r1, 2;
  @%p2 bra OUTER;
  mov.u32 %r3, 0;
LAST:
  add.s32 %r3, %r3, 1;
  setp.lt.s32 %p3, %r3, 2;
  @%p3 bra LAST;
  ret;
}
)";
constexpr uint32_t kOuter = 1, kInner = 2, kLast = 9;

// Greedy then oldest, and a list of what was written.
class Listener final : public WarpScheduler {
 public:
  Listener(const WarpSchedulerConfig& config, std::vector<uint32_t>* sizes)
      : order_(MakeWarpScheduler("gto", config)), sizes_(sizes) {}

  void Reset() override { order_->Reset(); }
  const WarpSchedulerOut& Outputs() const override { return order_->Outputs(); }
  bool Idle(const WarpSchedulerIn& in) const override { return order_->Idle(in); }
  void Tick(const WarpSchedulerIn& in) override {
    if (in.group_valid) sizes_->push_back(in.group_size);
    order_->Tick(in);
  }

 private:
  std::unique_ptr<WarpScheduler> order_;
  std::vector<uint32_t>* const sizes_;
};

class GroupSizesTest : public testing::Test {
 protected:
  GroupSizesTest() : module_(ptx::Parse(kPtx, "k.ptx")) {
    launch_.kernel = module_->kernels[0].get();
    launch_.module = module_.get();
    launch_.grid = {8, 1, 1};
    launch_.block = {32, 1, 1};
    program_ = std::make_unique<Program>(launch_);
    setup_ = {&machine_, program_.get(), &memory_, &link_, 2};
    setup_.make_warp_scheduler = [this](uint32_t,
                                        uint32_t index) -> std::unique_ptr<WarpScheduler> {
      written_.resize(std::max<size_t>(written_.size(), index + 1));
      return std::make_unique<Listener>(machine_.sm.scheduling, &written_[index]);
    };
    written_.reserve(8);
  }
  // The TBs run one after the other.
  void Run(const std::vector<uint32_t>& tbs) {
    SmCore sm(setup_, 0);
    sm.Connect(&port_);
    uint64_t now = 0;
    const auto tick = [&] {
      const bool taken = TestBit(link_.valid, 0) && TestBit(link_.ready, 0);
      link_.done = {};
      port_.now = now;
      sm.Sample(now);
      sm.Commit(now);
      if (taken) ClearBit(&link_.valid, 0);
      ++now;
    };
    for (const uint32_t tb : tbs) {
      SetBit(&link_.valid, 0);
      link_.id[0] = tb;
      for (int cycle = 0; cycle < 2000; ++cycle) tick();
    }
  }

  std::unique_ptr<ptx::Module> module_;
  DeviceMemory memory_;
  KernelLaunch launch_;
  MachineConfig machine_ = MachineConfig::Load("tiny", {"sm.schedulers=2"});
  TbLink link_;
  std::unique_ptr<Program> program_;
  SmSetup setup_;
  RecordingPort port_;
  std::vector<std::vector<uint32_t>> written_;  // by scheduler
};

using testing::ElementsAre;

// Each scheduler gets its share, rounded up.
TEST_F(GroupSizesTest, AreWrittenAtTheLaunchAndWhereALoopIsEntered) {
  setup_.group_sizes = GroupSizes{.at_launch = 3, .loops = {{kOuter, 8}, {kInner, 10}, {kLast, 0}}};
  Run({0});
  ASSERT_EQ(written_.size(), 2U);
  EXPECT_THAT(written_[0], ElementsAre(2, 4, 5, 5, 0));
  EXPECT_EQ(written_[1], written_[0]);
}

TEST_F(GroupSizesTest, AreWrittenByTheWarpsOfEachTb) {
  setup_.group_sizes = GroupSizes{.at_launch = 2, .loops = {{kLast, 6}}};
  Run({0, 1});
  EXPECT_THAT(written_[0], ElementsAre(1, 3, 3));
}

TEST_F(GroupSizesTest, AreNoLargerThanTheSm) {
  setup_.group_sizes = GroupSizes{.at_launch = 1000, .loops = {}};
  Run({0});
  EXPECT_THAT(written_[0], ElementsAre(machine_.sm.max_warps));
}

TEST_F(GroupSizesTest, AreNotWrittenForSchedulersThatTakeNone) {
  Run({0});
  EXPECT_TRUE(written_[0].empty());
}

}  // namespace group_sizes_test
}  // namespace flagstone
