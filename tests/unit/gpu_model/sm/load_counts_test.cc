// What a load/store unit counts for each instruction, and what its atomics carry.
#include <gtest/gtest.h>

#include <vector>

#include "gpu_model/sm/load_store_unit.h"

namespace flagstone {
namespace load_counts_test {

using Kind = MemoryInstruction::Kind;

class LoadCountsTest : public testing::Test, public ResultSink {
 protected:
  LoadCountsTest() { lsu_.Count(&counts_); }
  void LoadDone(uint32_t, uint32_t, uint64_t) override { ++done_; }
  void InstructionHere(uint32_t) override { ADD_FAILURE() << "it fetches nothing"; }
  void StoreDone(uint32_t, uint32_t) override {}

  // The instruction at `pc`, issued in this cycle, with a request for each of these lines.
  void Issue(Kind kind, uint32_t pc, const std::vector<LineNumber>& lines) {
    MemoryInstruction* next = lsu_.Next();
    *next = {};
    next->kind = kind;
    next->pc = pc;
    next->requests.count = static_cast<uint32_t>(lines.size());
    for (size_t i = 0; i < lines.size(); ++i) {
      next->requests.lines[i] = lines[i];
      next->requests.sectors[i] = 1;
      next->conflicts[i] = static_cast<uint8_t>(5 + i);
    }
    lsu_.Issued(now_);
  }
  void Run(int cycles) {
    for (; cycles > 0; --cycles) lsu_.Tick(++now_);
  }
  void AnswerAll() {
    while (!lsu_.misses().empty()) {
      const Packet packet = lsu_.misses().front();
      lsu_.misses().Pop();
      lsu_.TakeReply(packet, now_);
    }
  }

  std::vector<LoadCounts> counts_ = std::vector<LoadCounts>(4);
  LoadStoreUnit lsu_{SmConfig{}, this};
  int done_ = 0;
  uint64_t now_ = 0;
};

TEST_F(LoadCountsTest, EachInstructionHasItsOwnAccessesMissesAndCycles) {
  Issue(Kind::kLoad, 1, {10, 11, 12});
  Issue(Kind::kLoad, 2, {20});
  Run(10);
  AnswerAll();
  ASSERT_EQ(done_, 2);
  EXPECT_EQ(counts_[1].executed, 1U);
  EXPECT_EQ(counts_[1].accesses, 3U);
  EXPECT_EQ(counts_[1].misses, 3U);
  EXPECT_EQ(counts_[1].cycles, 10U);
  EXPECT_EQ(counts_[2].accesses, 1U);
  EXPECT_EQ(counts_[2].cycles, 10U);
  EXPECT_EQ(counts_[3].executed, 0U);
}

TEST_F(LoadCountsTest, HitsThatAreAnsweredAheadCountAsWell) {
  Issue(Kind::kLoad, 1, {10, 11, 12, 13});
  Run(4);
  AnswerAll();
  Issue(Kind::kLoad, 3, {10, 11, 12, 13});
  Run(4);
  ASSERT_EQ(done_, 2);
  EXPECT_EQ(counts_[1].accesses, 4U);
  EXPECT_EQ(counts_[3].executed, 1U);
  EXPECT_EQ(counts_[3].accesses, 4U);
  EXPECT_EQ(counts_[3].misses, 0U);
}

TEST_F(LoadCountsTest, AnAtomicsRequestsCarryTheirConflicts) {
  Issue(Kind::kAtomic, 1, {10, 11});
  Issue(Kind::kLoad, 2, {20});
  Run(3);
  ASSERT_EQ(lsu_.misses().size(), 3U);
  EXPECT_EQ(lsu_.misses()[0].conflicts, 5U);
  EXPECT_EQ(lsu_.misses()[1].conflicts, 6U);
  EXPECT_EQ(lsu_.misses()[2].conflicts, 0U) << "a load has none";
  AnswerAll();
  EXPECT_EQ(counts_[1].executed, 1U);
  EXPECT_EQ(counts_[1].accesses, 0U) << "it goes past the L1";
}

}  // namespace load_counts_test
}  // namespace flagstone
