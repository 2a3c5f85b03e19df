// When the memory path has something to do next, and what a page fault holds back.
#include <gtest/gtest.h>

#include <memory>

#include "gpu_model/memory/page_table.h"
#include "gpu_model/memory/physical_line.h"
#include "tests/unit/gpu_model/sm/memory_path_bench.h"

namespace flagstone {
namespace memory_path_sleep_test {

using Kind = MemoryInstruction::Kind;

class SleepingMemoryPathTest : public MemoryPathTest {
 protected:
  SleepingMemoryPathTest()
      : MemoryPathTest({"sm.l1.miss_latency=20", "sm.const_cache.size_kib=2"}) {}
};

TEST_F(SleepingMemoryPathTest, SleepsWhileTheBanksOfSharedMemoryAreBusy) {
  Issue(Unit::kLoadStore, 0, 0, Kind::kShared);
  path_->Next(Unit::kLoadStore)->bank_cycles = 5;
  path_->Issued(Unit::kLoadStore, now_);
  path_->Tick(now_);  // the first access, of one cycle
  path_->Tick(++now_);
  EXPECT_EQ(path_->NextWork(now_), now_ + 4);
  EXPECT_EQ(path_->NextWork(now_ + 2), now_ + 4);
  EXPECT_EQ(path_->NextWork(now_ + 3), now_ + 4);
}

TEST_F(SleepingMemoryPathTest, SleepsUntilItsFirstMissMayLeave) {
  Issue(Unit::kLoadStore, 0, 10);
  path_->Tick(now_);
  EXPECT_EQ(path_->NextWork(now_), now_ + 1) << "its latency begins when it is first looked at";
  path_->Send(now_);
  EXPECT_EQ(path_->NextWork(now_), now_ + 20);
  Issue(Unit::kLoadStore, 1, 11);
  path_->Tick(now_ + 1);
  EXPECT_EQ(path_->NextWork(now_ + 1), now_ + 2) << "so does that of the next one";
}

TEST_F(SleepingMemoryPathTest, MissesOfOtherClientsLeaveWithoutDelay) {
  Issue(Unit::kLoadStore, 0, 10);
  path_->Tick(now_);
  path_->Send(now_);
  Issue(Unit::kConst, 1, 12);
  path_->Tick(++now_);
  EXPECT_EQ(path_->NextWork(now_), now_ + 1);
  path_->Send(now_);
  ASSERT_EQ(port_.packets.size(), 1U);
  EXPECT_EQ(path_->NextWork(now_), now_ + 19);
}

// Has something to do in every cycle.
class RestlessPrefetcher final : public Prefetcher {
 public:
  RestlessPrefetcher() { out_.quiescent = false; }
  void Reset() override {}
  const PrefetcherOut& Outputs() const override { return out_; }
  void Tick(const PrefetcherIn&) override {}
  bool Idle(const PrefetcherIn&) const override { return false; }

 private:
  PrefetcherOut out_;
};

TEST_F(SleepingMemoryPathTest, StaysAwakeForARestlessPrefetcher) {
  EXPECT_EQ(path_->NextWork(now_), kNever);
  setup_.make_prefetcher = [](uint32_t) { return std::make_unique<RestlessPrefetcher>(); };
  setup_.prefetch.indirect.assign(kernel_.program().size(), false);
  Make();
  EXPECT_EQ(path_->NextWork(now_), now_ + 1);
}

class FaultingMemoryPathTest : public MemoryPathTest {
 protected:
  FaultingMemoryPathTest() : MemoryPathTest(std::vector<std::string>{}) {
    machine_.numa.gpus = 2;
    machine_.numa.page_fault_cycles = 50;
    pages_ = std::make_unique<PageTable>(machine_.numa);
    pages_->Place(*kernel_.memory(), {.first_touch = true});
    setup_.pages = pages_.get();
    setup_.node = 1;
    Make();
  }

  std::unique_ptr<PageTable> pages_;
};

TEST_F(FaultingMemoryPathTest, TheFirstTouchOfAPageHoldsBackWhatIsSent) {
  const LineNumber line = LineOf(kernel_.address());
  Issue(Unit::kLoadStore, 0, line);
  Issue(Unit::kLoadStore, 1, line + 1);
  path_->Tick(1);
  path_->Tick(2);
  path_->Send(2);
  EXPECT_EQ(path_->fault_cycles(), 50U);
  path_->Send(51);
  EXPECT_TRUE(port_.packets.empty());
  path_->Send(52);
  path_->Send(53);
  ASSERT_EQ(port_.packets.size(), 2U);
  EXPECT_EQ(port_.packets[0].second.line, PhysicalLine(1, 0));
  EXPECT_EQ(port_.packets[0].second.origin, 1U);
  EXPECT_EQ(port_.packets[1].second.line, PhysicalLine(1, 1));
  EXPECT_EQ(path_->fault_cycles(), 50U) << "the page is there now";
}

}  // namespace memory_path_sleep_test
}  // namespace flagstone
