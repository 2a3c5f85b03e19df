#include "gpu_model/sm/leading_marks.h"

#include <gtest/gtest.h>

#include <optional>

#include "gpu_model/blocks/prefetcher/ports.h"
#include "gpu_model/sm/warp_table.h"
#include "tests/unit/gpu_model/sm/sm_kernel.h"

namespace flagstone {
namespace leading_marks_test {

// A kernel of eight instructions: prefetches are for the loads at 2 and 5, not for that at 6.
class LeadingMarksTest : public testing::Test {
 protected:
  void Make(LeadingMark mark) { marks_.emplace(mark, indirect_, config_); }
  void Issue(uint32_t warp, uint32_t pc, uint32_t requests = 1) {
    MemoryInstruction load;
    load.warp = static_cast<uint8_t>(warp);
    load.pc = pc;
    load.requests.count = requests;
    marks_->Issued(load, {}, 0);
  }
  // The warps that have told their bases in this cycle.
  WarpMask EndCycle() {
    WarpSignals signals;
    marks_->EndCycle(warps_, true, &signals);
    return signals.based;
  }
  // The oldest load's first request gets through.
  WarpMask Request() {
    marks_->Requested(0, 1, false);
    return EndCycle();
  }

  std::vector<bool> indirect_ = {true, true, false, true, true, false, true, true};
  SmConfig config_ = MachineConfig::Load("tiny", {}).sm;
  SmKernel kernel_;
  WarpTable warps_{kernel_.program(), config_};
  std::optional<LeadingMarks> marks_;
};

TEST_F(LeadingMarksTest, ABaseIsToldByTheFirstRequestOfItsLoad) {
  Make(LeadingMark::kFirstBase);
  Issue(3, 2, 2);
  EXPECT_EQ(EndCycle(), 0U) << "it waits for the L1";
  EXPECT_EQ(Request(), 0b1000U);
  marks_->Requested(1, 2, false);
  EXPECT_EQ(EndCycle(), 0U);
}

TEST_F(LeadingMarksTest, OfOneBaseAnyLoadThatPrefetchesAreForIsEnough) {
  Make(LeadingMark::kFirstBase);
  Issue(0, 6);
  Issue(1, 5, kLoadAddresses + 1);
  Issue(2, 5);
  EXPECT_EQ(Request(), 0U) << "an indirect load";
  EXPECT_EQ(Request(), 0U) << "one of more requests than a table has bases";
  EXPECT_EQ(Request(), 0b100U);
  Issue(3, 5, kLoadAddresses);
  EXPECT_EQ(Request(), 0b1000U) << "as many as a table has";
}

TEST_F(LeadingMarksTest, OfAllBasesTheLastLoadDecides) {
  Make(LeadingMark::kAllBases);
  Issue(0, 2);
  Issue(0, 5);
  Issue(1, 6);
  EXPECT_EQ(Request(), 0U);
  EXPECT_EQ(Request(), 0b01U);
  EXPECT_EQ(Request(), 0b10U) << "it has passed the last one";
}

TEST_F(LeadingMarksTest, AKernelWithoutLoadsToPrefetchForKeepsItsMarks) {
  indirect_.assign(8, true);
  Make(LeadingMark::kAllBases);
  Issue(0, 6);
  EXPECT_EQ(Request(), 0U);
}

TEST_F(LeadingMarksTest, WithoutAnL1ALoadTellsItsBaseWhenItIsIssued) {
  config_.l1.global = L1Global::kBypass;
  Make(LeadingMark::kFirstBase);
  for (uint32_t i = 0; i < 2 * config_.lsu_queue; ++i) Issue(1, 2);
  EXPECT_EQ(EndCycle(), 0b10U);
  EXPECT_EQ(EndCycle(), 0U);
}

}  // namespace leading_marks_test
}  // namespace flagstone
