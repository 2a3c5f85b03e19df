// One SM ticked by hand, without SystemC: the hand-over of TBs and the traffic it makes.
#include "gpu_model/sm/sm_core.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>

#include "gpu_model/blocks/warp_scheduler/descriptor.h"
#include "ptx/parser.h"
#include "tests/unit/gpu_model/memory/recorders.h"

namespace flagstone {
namespace sm_core_test {

constexpr const char* kPtx = R"(.version 6.0
.target sm_35
.address_size 64
.visible .entry k(.param .u64 p) {
  .reg .b32 %r<8>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u32 %r2, [%rd3];
  add.s32 %r3, %r2, 1;
  st.global.u32 [%rd3], %r3;
  ret;
}
)";

class SmCoreTest : public testing::Test {
 protected:
  SmCoreTest() : SmCoreTest(kPtx) {}
  explicit SmCoreTest(const char* ptx) : module_(ptx::Parse(ptx, "k.ptx")) {
    address_ = memory_.Allocate("buffer", 4096);
    launch_.kernel = module_->kernels[0].get();
    launch_.module = module_.get();
    launch_.grid = {8, 1, 1};
    launch_.block = {64, 1, 1};
    launch_.parameters.resize(8);
    std::memcpy(launch_.parameters.data(), &address_, 8);
    program_ = std::make_unique<Program>(launch_);
    setup_ = {&machine_, program_.get(), &memory_, &link_, 2};
    setup_.make_warp_scheduler = [this](uint32_t, uint32_t) {
      return MakeWarpScheduler("gto", machine_.sm.scheduling);
    };
    sm_ = std::make_unique<SmCore>(setup_, 0);
    sm_->Connect(&port_);
  }

  void Offer(uint32_t tb) {
    SetBit(&link_.valid, 0);
    link_.id[0] = tb;
  }
  // A cycle, with the TB scheduler's side of the wires.
  void Tick() {
    const bool taken = TestBit(link_.valid, 0) && TestBit(link_.ready, 0);
    if (TestBit(link_.done, 0)) ++done_;
    link_.done = {};
    port_.now = now_;
    sm_->Sample(now_);
    sm_->Commit(now_);
    if (taken) ClearBit(&link_.valid, 0);
    ++now_;
  }
  void RunUntilQuiet() {
    do {
      Tick();
    } while (sm_->NextWork(now_ - 1) != kNever);
  }
  void AnswerReads() {
    for (const auto& [cycle, packet] : port_.packets) {
      if (packet.kind == PacketKind::kRead) sm_->Accept(packet);
    }
    port_.packets.clear();
  }

  std::unique_ptr<ptx::Module> module_;
  DeviceMemory memory_;
  uint64_t address_ = 0;
  KernelLaunch launch_;
  MachineConfig machine_ = MachineConfig::Load("tiny", {});
  TbLink link_;
  std::unique_ptr<Program> program_;
  SmSetup setup_;
  std::unique_ptr<SmCore> sm_;
  RecordingPort port_;
  uint64_t now_ = 0;
  uint32_t done_ = 0;
};

TEST_F(SmCoreTest, SleepsUntilATbIsOffered) {
  EXPECT_EQ(sm_->NextWork(0), kNever);
  EXPECT_TRUE(TestBit(link_.ready, 0));
  Offer(3);
  EXPECT_EQ(sm_->NextWork(0), 1U);
}

TEST_F(SmCoreTest, SleepsWhileAllWarpsWaitForMemoryAndSaysSo) {
  Offer(3);
  RunUntilQuiet();
  ASSERT_EQ(port_.packets.size(), 2U);  // two warps, one line each
  EXPECT_EQ(port_.packets[0].second.line, LineOf(address_));
  EXPECT_EQ(port_.packets[1].second.line, LineOf(address_) + 1);
  std::vector<std::string> lines;
  sm_->DescribeWaiting(8, &lines);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0], "sm0 warp 0 (TB 3, k.ptx:12): memory");
  EXPECT_FALSE(sm_->Drained());
}

TEST_F(SmCoreTest, ATbIsDoneOnceItsWarpsHaveExitedAndItsStoresAreSent) {
  Offer(3);
  RunUntilQuiet();
  AnswerReads();
  port_.open = false;  // the stores stay in the miss queue
  for (int i = 0; i < 200; ++i) Tick();
  EXPECT_EQ(done_, 0U);
  EXPECT_EQ(sm_->completed(), 0U);
  port_.open = true;
  RunUntilQuiet();
  Tick();
  EXPECT_EQ(done_, 1U);
  EXPECT_EQ(port_.packets.size(), 2U);
  EXPECT_TRUE(sm_->Drained());
  EXPECT_EQ(sm_->warp_instructions(), 16U);
  EXPECT_EQ(sm_->thread_instructions(), 16U * 32);
  uint32_t first = 0;
  std::memcpy(&first, memory_.At(address_), 4);
  EXPECT_EQ(first, 1U);
}

TEST_F(SmCoreTest, ReadyFallsWhenTheContextsAreTaken) {
  Offer(0);
  Tick();
  EXPECT_TRUE(TestBit(link_.ready, 0));
  Offer(1);
  Tick();
  EXPECT_FALSE(TestBit(link_.ready, 0));
  Offer(2);
  RunUntilQuiet();
  EXPECT_TRUE(TestBit(link_.valid, 0));  // not taken
}

TEST_F(SmCoreTest, ReportsAtMostOneCompletedTbACycle) {
  Offer(0);
  Tick();
  Offer(1);
  RunUntilQuiet();
  AnswerReads();
  for (int i = 0; i < 300; ++i) Tick();
  EXPECT_EQ(done_, 2U);
  EXPECT_EQ(sm_->completed(), 2U);
}

// A kernel that does nothing but print the string at its argument.
class PrintingSmTest : public SmCoreTest {
 protected:
  PrintingSmTest()
      : SmCoreTest(
            ".version 6.0 .target sm_35 .address_size 64\n"
            ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
            ".entry k(.param .u64 p) { .reg .b32 %r; .reg .b64 %d; ld.param.u64 %d, [p];\n"
            "call (%r), vprintf, (%d, 0); ret; }") {
    std::memcpy(memory_.At(address_), "+", 2);
  }
};

TEST_F(PrintingSmTest, WritesTheTextOfItsThreads) {
  testing::internal::CaptureStderr();
  Offer(3);
  RunUntilQuiet();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), std::string(64, '+'));
}

}  // namespace sm_core_test
}  // namespace flagstone
