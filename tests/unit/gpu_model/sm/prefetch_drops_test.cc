// Prefetches that do not enter the L1, and what the prefetch unit makes of strange ones.
#include <gtest/gtest.h>

#include <string>

#include "base/error.h"
#include "tests/unit/gpu_model/sm/prefetch_path_bench.h"

namespace flagstone {
namespace prefetch_drops_test {

class PrefetchDrops : public PrefetchPath {};

TEST_F(PrefetchDrops, AWarpThatHasPassedTheLoadNeedsNoPrefetch) {
  setup_.prefetch.trailing_only = true;
  Offer(0);
  Run(60);
  block_->Want({address_ + 4096, 1, 0});
  block_->Want({address_ + 8192});  // for no warp
  Run(5);
  EXPECT_EQ(Counted().dropped.passed, 1U);
  EXPECT_EQ(Counted().issued, 1U);
  EXPECT_EQ(Sent().back(), LineOf(address_ + 8192));
}

TEST_F(PrefetchDrops, OneThatIsGivenUpBeforeItCouldEnterIsWithdrawn) {
  setup_.prefetch.mshr_reserve = machine_.sm.l1.mshrs;
  block_->BeImpatient();
  block_->Want({address_});
  Run(5);
  EXPECT_EQ(Counted().dropped.withdrawn, 1U);
  EXPECT_EQ(Counted().waits.mshr, 1U);
  setup_.prefetch.mshr_reserve = 0;
  block_->Want({address_});
  Run(5);
  EXPECT_EQ(Counted().issued, 1U);
  EXPECT_EQ(Counted().dropped.withdrawn, 1U) << "it was taken at once";
}

TEST_F(PrefetchDrops, AWarpThatHasExitedIsNotWoken) {
  PrefetchForTb(0);
  Answer(LineOf(address_) + 1);
  Run(60);
  ASSERT_EQ(sm_->completed(), 0U);
  ASSERT_EQ(sm_->warp_instructions(), 8U + 6);  // warp 1 is through, and warp 0 waits
  Answer(LineOf(address_ + 4096));
  Run(3);
  EXPECT_TRUE(woken_.empty());
  EXPECT_EQ(Counted().wakes, 0U);
}

TEST_F(PrefetchDrops, CountsByLoad) {
  setup_.prefetch.indirect[3] = true;
  Make();
  const std::vector<LoadPrefetches>& loads = sm_->prefetch()->by_load();
  ASSERT_EQ(loads.size(), 8U);
  for (uint32_t pc = 0; pc < 8; ++pc) {
    EXPECT_EQ(loads[pc].pc, pc);
    EXPECT_EQ(loads[pc].indirect, pc == 3);
  }
}

TEST_F(PrefetchDrops, OneForALoadBehindTheKernelsEndFailsTheRun) {
  block_->Want({address_, kMaxWarps, 0, 7});
  Run(5);
  EXPECT_EQ(Counted().issued, 1U);
  block_->Want({address_ + 128, kMaxWarps, 0, 8});
  try {
    Run(5);
    ADD_FAILURE() << "it was taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kRunFailed);
    EXPECT_EQ(std::string(error.what()),
              "the prefetcher names a load at pc 8, but the kernel has 8 instructions");
  }
}

}  // namespace prefetch_drops_test
}  // namespace flagstone
