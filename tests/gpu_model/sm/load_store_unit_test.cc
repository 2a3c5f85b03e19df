#include "gpu_model/sm/load_store_unit.h"

#include <gtest/gtest.h>

#include <tuple>
#include <vector>

namespace flagstone {
namespace {

using Kind = MemoryInstruction::Kind;
using Completion = std::tuple<uint32_t, uint32_t, uint64_t>;  // warp, pc, cycle

class LoadStoreUnitTest : public testing::Test {
 protected:
  void Load(uint8_t warp, std::vector<LineNumber> lines) {
    MemoryInstruction* next = lsu_.Next();
    *next = {};
    next->kind = Kind::kLoad;
    next->warp = warp;
    next->pc = 100U + warp;
    next->requests.count = static_cast<uint32_t>(lines.size());
    for (size_t i = 0; i < lines.size(); ++i) {
      next->requests.lines[i] = lines[i];
      next->requests.sectors[i] = 1;
    }
    lsu_.Issued();
  }
  void Tick() {
    lsu_.Tick(now_++, [&](uint32_t warp, uint32_t pc, uint64_t cycle) {
      done_.emplace_back(warp, pc, cycle);
    });
  }
  void Answer() {
    const Packet packet = lsu_.l1().miss_queue().front();
    lsu_.l1().miss_queue().Pop();
    lsu_.TakeReply(packet, now_, [&](uint32_t warp, uint32_t pc, uint64_t cycle) {
      done_.emplace_back(warp, pc, cycle);
    });
  }

  LoadStoreUnit lsu_{MakeConfig(), 0};
  std::vector<Completion> done_;
  uint64_t now_ = 1;  // instructions are issued in cycle 0

 private:
  static SmConfig MakeConfig() {
    SmConfig config;
    config.shared_latency = 26;
    config.l1.hit_latency = 35;
    config.l1.mshrs = 2;
    return config;
  }
};

TEST_F(LoadStoreUnitTest, AHitTakesTheHitLatencyFromIssue) {
  Load(1, {10});
  Tick();
  Answer();
  done_.clear();
  now_ = 1001;
  Load(2, {10});  // issued in cycle 1000
  Tick();
  ASSERT_EQ(done_.size(), 1U);
  EXPECT_EQ(done_[0], Completion(2, 102, 1000 + 35));
  EXPECT_TRUE(lsu_.Drained());
}

TEST_F(LoadStoreUnitTest, ALoadEndsWithItsLastRequest) {
  Load(1, {10, 11});
  Tick();
  Tick();
  Answer();
  EXPECT_TRUE(done_.empty());
  Answer();
  ASSERT_EQ(done_.size(), 1U);
  EXPECT_TRUE(lsu_.Drained());
}

TEST_F(LoadStoreUnitTest, SendsOneRequestACycleInOrder) {
  Load(1, {10, 11});
  Load(2, {12});
  Tick();
  EXPECT_EQ(lsu_.l1().miss_queue().size(), 1U);
  Tick();
  EXPECT_EQ(lsu_.l1().miss_queue().size(), 2U);
  EXPECT_EQ(lsu_.l1().miss_queue()[1].line, 11U);
}

TEST_F(LoadStoreUnitTest, AReservationFailBlocksAndItsCyclesAreCounted) {
  Load(1, {10, 11, 12});
  Tick();
  Tick();
  Tick();  // both MSHRs are taken: cycle 3 fails
  EXPECT_TRUE(lsu_.Blocked());
  EXPECT_FALSE(lsu_.Active());
  now_ = 53;
  Answer();
  Tick();  // succeeds in cycle 53
  EXPECT_FALSE(lsu_.Blocked());
  EXPECT_EQ(lsu_.l1().statistics().reservation_fails, 50U);
}

TEST_F(LoadStoreUnitTest, BankConflictsDelayTheAccessAndThoseBehindIt) {
  for (const uint8_t warp : {uint8_t{1}, uint8_t{2}}) {
    MemoryInstruction* next = lsu_.Next();
    *next = {};
    next->kind = Kind::kShared;
    next->warp = warp;
    next->bank_cycles = 4;
    lsu_.Issued();
  }
  for (int i = 0; i < 8; ++i) Tick();
  ASSERT_EQ(done_.size(), 2U);
  EXPECT_EQ(std::get<2>(done_[0]), 26U + 3);
  EXPECT_EQ(std::get<2>(done_[1]), 26U + 7);
}

}  // namespace
}  // namespace flagstone
