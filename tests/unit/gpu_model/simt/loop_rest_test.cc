#include "gpu_model/simt/loop_rest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "base/error.h"
#include "gpu_model/simt/value_slice.h"
#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone {
namespace loop_rest_test {

// Adds up numbers 0 to `n` - 1 and stores the sum, with a barrier in each iteration.
constexpr char kSum[] = R"(
ld.param.u64 %rd1, [out];
ld.param.u32 %r1, [n];
ld.param.u32 %r5, [more];
mov.u32 %r6, %tid.x;
shr.u32 %r6, %r6, 5;
mad.lo.u32 %r1, %r6, %r5, %r1;
mov.u32 %r2, 0;
mov.u32 %r3, 0;
AGAIN:
bar.sync 0;
add.u32 %r3, %r3, %r2;
add.u32 %r4, %r3, %r2;
add.u32 %r2, %r2, 1;
setp.lt.u32 %p1, %r2, %r1;
@%p1 bra AGAIN;
st.global.u32 [%rd1], %r3;
ret;
)";
constexpr uint32_t kHeader = 8, kBranch = 13;

class LoopRestTest : public testing::Test {
 protected:
  // The other warp does `more` iterations than the first one.
  void Start(uint32_t iterations, uint32_t more = 0, bool only_needed = false) {
    run_.Buffer("out", std::vector<uint32_t>(32));
    run_.Scalar(iterations).Scalar(more);
    launch_ = run_.launch();
    if (only_needed) {
      launch_.needed_values = FindNeededValues({&launch_, 1}, run_.memory(), {}).at(0);
    }
    program_.emplace(launch_);
    block_.emplace(*program_);
    block_->Start(0);
    for (uint32_t pc = 0; pc < program_->size(); ++pc) {
      body_.push_back(pc >= kHeader && pc <= kBranch);
    }
    // To the header.
    Executor executor(*program_, &run_.memory(), 0, 1);
    for (uint32_t warp = 0; warp < block_->warp_count(); ++warp) {
      while (block_->pc(warp) != kHeader) executor.Step(&*block_, warp);
    }
  }

  KernelRun run_ = KernelRun::FromText(
      KernelText(".param .u64 out, .param .u32 n, .param .u32 more", kSum), {1, 1, 1}, {64, 1, 1});
  KernelLaunch launch_;
  std::optional<Program> program_;
  std::optional<ThreadBlock> block_;
  std::vector<bool> body_;
};

TEST_F(LoopRestTest, EachWarpDoesOneIterationAtATimeAndStopsBehindTheLoop) {
  Start(3);
  LoopRest rest(*program_, &run_.memory(), kBranch, body_);
  EXPECT_TRUE(rest.Iterate(&*block_, nullptr, nullptr));
  EXPECT_EQ(rest.iterations(), 2U) << "of two warps";
  EXPECT_EQ(block_->pc(0), kHeader);
  EXPECT_TRUE(rest.Iterate(&*block_, nullptr, nullptr));
  EXPECT_TRUE(rest.Iterate(&*block_, nullptr, nullptr));
  EXPECT_EQ(block_->pc(0), kBranch + 1);
  EXPECT_EQ(block_->pc(1), kBranch + 1);
  EXPECT_FALSE(rest.Iterate(&*block_, nullptr, nullptr)) << "nobody is in the loop";
}

TEST_F(LoopRestTest, ValuesThatNobodyNeedsCostNoStep) {
  Start(3, 0, /*only_needed=*/true);
  LoopRest rest(*program_, &run_.memory(), kBranch, body_);
  std::vector<uint32_t> pcs;
  rest.Iterate(
      &*block_,
      [](void* to, uint64_t /*tb*/, uint32_t warp, const StepResult& step) {
        if (warp == 0) static_cast<std::vector<uint32_t>*>(to)->push_back(step.pc);
      },
      &pcs);
  EXPECT_THAT(pcs, testing::ElementsAre(kHeader, kHeader + 3, kHeader + 4, kBranch))
      << "the two additions to the sum are passed over";
}

TEST_F(LoopRestTest, AWarpThatWaitsForOneThatHasLeftTheLoopIsAFailure) {
  Start(1, 2);
  LoopRest rest(*program_, &run_.memory(), kBranch, body_);
  rest.Iterate(&*block_, nullptr, nullptr);
  EXPECT_THAT(MessageOf(ErrorKind::kRunFailed, [&] { rest.Iterate(&*block_, nullptr, nullptr); }),
              testing::HasSubstr("warp 1 waits in the loop of test.ptx:"));
}

}  // namespace loop_rest_test
}  // namespace flagstone
