#include "gpu_model/sm/load_store_unit.h"

#include <gtest/gtest.h>

#include <tuple>
#include <utility>
#include <vector>

namespace flagstone {
namespace load_store_unit_test {

using Kind = MemoryInstruction::Kind;
using Completion = std::tuple<uint32_t, uint32_t, uint64_t>;  // warp, pc, cycle

// Remembers the loads that are done.
class RecordingResults final : public ResultSink {
 public:
  void LoadDone(uint32_t warp, uint32_t pc, uint64_t cycle) override {
    done.emplace_back(warp, pc, cycle);
  }
  void InstructionHere(uint32_t) override { ADD_FAILURE() << "a load/store unit fetches nothing"; }
  void StoreDone(uint32_t tb_slot, uint32_t sectors) override {
    stored.emplace_back(tb_slot, sectors);
  }

  std::vector<Completion> done;
  std::vector<std::pair<uint32_t, uint32_t>> stored;
};

class LoadStoreUnitTest : public testing::Test {
 protected:
  explicit LoadStoreUnitTest(const SmConfig& config = MakeConfig()) : config_(config) {}
  void Load(uint8_t warp, std::vector<LineNumber> lines, SectorMask sectors = 1,
            bool local = false) {
    MemoryInstruction* next = lsu_.Next();
    *next = {};
    next->kind = Kind::kLoad;
    next->warp = warp;
    next->pc = 100U + warp;
    next->local = local;
    next->requests.count = static_cast<uint32_t>(lines.size());
    for (size_t i = 0; i < lines.size(); ++i) {
      next->requests.lines[i] = lines[i];
      next->requests.sectors[i] = sectors;
    }
    lsu_.Issued(now_ - 1);
  }
  void Tick() { lsu_.Tick(now_++); }
  void Answer() {
    const Packet packet = lsu_.l1().miss_queue().front();
    lsu_.l1().miss_queue().Pop();
    lsu_.TakeReply(packet, now_);
  }

  SmConfig config_;
  RecordingResults results_;
  LoadStoreUnit lsu_{config_, &results_};
  std::vector<Completion>& done_ = results_.done;
  uint64_t now_ = 1;  // instructions are issued in cycle 0

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
  EXPECT_TRUE(lsu_.HasWork());
  EXPECT_FALSE(lsu_.Active());  // only a reply helps
  now_ = 53;
  Answer();
  Tick();  // succeeds in cycle 53
  EXPECT_FALSE(lsu_.HasWork());
  EXPECT_EQ(lsu_.l1().statistics().reservation_fails, 50U);
  EXPECT_EQ(lsu_.l1().statistics().fails.mshr, 50U);
}

TEST_F(LoadStoreUnitTest, BankConflictsDelayTheAccessAndThoseBehindIt) {
  for (const uint8_t warp : {uint8_t{1}, uint8_t{2}}) {
    MemoryInstruction* next = lsu_.Next();
    *next = {};
    next->kind = Kind::kShared;
    next->warp = warp;
    next->bank_cycles = 4;
    lsu_.Issued(now_ - 1);
  }
  for (int i = 0; i < 8; ++i) Tick();
  ASSERT_EQ(done_.size(), 2U);
  EXPECT_EQ(std::get<2>(done_[0]), 26U + 3);
  EXPECT_EQ(std::get<2>(done_[1]), 26U + 7);
}

TEST_F(LoadStoreUnitTest, MeasuresLoadsFromIssueToUse) {
  Load(1, {10});  // issued in cycle 0
  Tick();
  now_ = 100;
  Answer();
  EXPECT_EQ(lsu_.l1().statistics().load_latency.count, 1U);
  EXPECT_EQ(lsu_.l1().statistics().load_latency.cycles, 100U);
  EXPECT_EQ(lsu_.l1().statistics().load_latency.buckets[6], 1U);
}

class BypassingLoadStoreUnitTest : public LoadStoreUnitTest {
 protected:
  BypassingLoadStoreUnitTest() : LoadStoreUnitTest(Config()) {}
  static SmConfig Config() {
    SmConfig config = MakeConfig();
    config.l1.global = L1Global::kBypass;
    config.l1.sectors_per_cycle = 1;
    return config;
  }
};

TEST_F(BypassingLoadStoreUnitTest, GlobalLoadsGoPastTheL1ASectorACycle) {
  Load(1, {10, 11}, 0b0111);
  for (int i = 0; i < 3; ++i) Tick();
  ASSERT_EQ(lsu_.l1().miss_queue().size(), 1U);  // three sectors: three cycles
  Tick();
  ASSERT_EQ(lsu_.l1().miss_queue().size(), 2U);
  EXPECT_EQ(lsu_.l1().miss_queue()[1].kind, PacketKind::kUncachedRead);
  Answer();
  EXPECT_TRUE(done_.empty());
  Answer();
  EXPECT_EQ(done_.size(), 1U);
  EXPECT_EQ(lsu_.l1().statistics().bypassed, 6U);
  EXPECT_EQ(lsu_.l1().statistics().accesses, 0U);
  EXPECT_TRUE(lsu_.Drained());
}

TEST_F(BypassingLoadStoreUnitTest, ALoadEndsWithItsLastSectorInWhateverPacketsTheyCome) {
  Load(1, {10}, 0b1110);
  for (int i = 0; i < 3; ++i) Tick();
  Packet part = lsu_.l1().miss_queue().front();
  lsu_.l1().miss_queue().Pop();
  part.sectors = 0b1000;
  lsu_.TakeReply(part, now_);
  EXPECT_TRUE(done_.empty());
  part.sectors = 0b0110;
  lsu_.TakeReply(part, now_);
  EXPECT_EQ(done_.size(), 1U);
  EXPECT_TRUE(lsu_.Drained());
}

TEST_F(BypassingLoadStoreUnitTest, LocalLoadsStayInTheL1) {
  Load(1, {10}, 1, /*local=*/true);
  Tick();
  EXPECT_EQ(lsu_.l1().miss_queue().front().kind, PacketKind::kRead);
  Answer();
  EXPECT_EQ(lsu_.l1().statistics().accesses, 1U);
  EXPECT_TRUE(lsu_.Drained());
}

// Each load is a hit of its own line, and takes a cycle of the unit.
class LoadStorePlacesTest : public LoadStoreUnitTest {
 protected:
  explicit LoadStorePlacesTest(const SmConfig& config) : LoadStoreUnitTest(config) {}
  static SmConfig WithPlaces(uint32_t places, LsuQueueOf of, uint32_t latency, uint32_t blocking) {
    SmConfig config = MakeConfig();
    config.schedulers = 2;
    config.lsu_queue = places;
    config.lsu_queue_of = of;
    config.lsu_latency = latency;
    config.lsu_blocking = blocking;
    return config;
  }
};

class SharedPlacesTest : public LoadStorePlacesTest {
 protected:
  SharedPlacesTest() : LoadStorePlacesTest(WithPlaces(3, LsuQueueOf::kSm, 1, 0)) {}
};
TEST_F(SharedPlacesTest, AreFullForAllSchedulersAtOnce) {
  EXPECT_EQ(LoadStoreUnit::Places(config_), 3U);
  Load(1, {10});
  Load(3, {11});
  EXPECT_EQ(lsu_.Full(), 0U);
  Load(5, {12});  // the one that is served counts
  EXPECT_EQ(lsu_.Full(), 0b11U);
  Tick();
  EXPECT_EQ(lsu_.Full(), 0U);
}

class OwnPlacesTest : public LoadStorePlacesTest {
 protected:
  OwnPlacesTest() : LoadStorePlacesTest(WithPlaces(2, LsuQueueOf::kScheduler, 1, 2)) {}
};
TEST_F(OwnPlacesTest, OfOneSchedulerLeaveThoseOfTheOther) {
  EXPECT_EQ(LoadStoreUnit::Places(config_), 5U);
  Load(1, {10});  // served: it has left its place
  Load(3, {11});
  EXPECT_EQ(lsu_.Full(), 0U);
  Load(5, {12});
  EXPECT_EQ(lsu_.Full(), 0b10U) << "two of scheduler 1 wait";
  EXPECT_FALSE(lsu_.CanIssue(1));
  EXPECT_TRUE(lsu_.CanIssue(2));
  Load(2, {13});
  Load(4, {14});
  EXPECT_EQ(lsu_.Full(), 0b11U);
  Tick();
  EXPECT_EQ(lsu_.Full(), 0b01U) << "one of scheduler 1 is served";
}
TEST_F(OwnPlacesTest, ThatFillTheCollectorsHoldBackTheScheduler) {
  Load(1, {10});
  Load(3, {11});
  EXPECT_EQ(lsu_.blocked_schedulers(), 0U);
  Load(5, {12});
  EXPECT_EQ(lsu_.blocked_schedulers(), 0b10U);
  Tick();
  EXPECT_EQ(lsu_.blocked_schedulers(), 0U);
}

class WayToTheUnitTest : public LoadStorePlacesTest {
 protected:
  WayToTheUnitTest() : LoadStorePlacesTest(WithPlaces(2, LsuQueueOf::kScheduler, 4, 0)) {}
};
TEST_F(WayToTheUnitTest, TakesItsCycles) {
  Load(1, {10});  // in cycle 0
  Load(3, {11});
  EXPECT_EQ(lsu_.Full(), 0b10U) << "both are on their way";
  for (int i = 0; i < 2; ++i) Tick();
  EXPECT_EQ(lsu_.Full(), 0b10U);
  Tick();  // cycle 3: the first leaves its place
  EXPECT_EQ(lsu_.Full(), 0U);
  EXPECT_EQ(lsu_.l1().statistics().accesses, 0U);
  Tick();  // cycle 4
  EXPECT_EQ(lsu_.l1().statistics().accesses, 1U);
  Tick();
  EXPECT_EQ(lsu_.l1().statistics().accesses, 2U);
  EXPECT_FALSE(lsu_.HasWork());
}

}  // namespace load_store_unit_test
}  // namespace flagstone
