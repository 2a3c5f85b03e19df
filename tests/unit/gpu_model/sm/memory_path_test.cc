// The clients of an SM's memory path beside each other: who sends first, and who gets the reply.
#include "gpu_model/sm/memory_path.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "tests/unit/gpu_model/sm/memory_path_bench.h"

namespace flagstone {
namespace memory_path_test {

TEST_F(MemoryPathTest, SendsInstructionsBeforeConstantsTexturesAndData) {
  Issue(Unit::kLoadStore, 0, 10);
  Issue(Unit::kTexture, 1, 11);
  Issue(Unit::kConst, 2, 12);
  EXPECT_FALSE(path_->Fetch(3, 0));
  EXPECT_EQ(path_->NextWork(now_), now_ + 1);
  path_->Tick(now_);
  const std::vector<LineNumber> lines = SendAll();
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(std::vector<LineNumber>(lines.begin() + 1, lines.end()),
            (std::vector<LineNumber>{12, 11, 10}));
}

TEST_F(MemoryPathTest, EachReplyGoesToTheClientThatHasAsked) {
  Issue(Unit::kLoadStore, 0, 10);
  Issue(Unit::kTexture, 1, 10);
  Issue(Unit::kConst, 2, 10);
  EXPECT_FALSE(path_->Fetch(3, 0));
  path_->Tick(now_);
  SendAll();
  ASSERT_EQ(port_.packets.size(), 4U);
  for (size_t i = port_.packets.size(); i > 0; --i) path_->Accept(port_.packets[i - 1].second);
  EXPECT_FALSE(path_->Drained());
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(path_->TakeReply(now_));
  EXPECT_FALSE(path_->TakeReply(now_));
  EXPECT_EQ(loaded_, (std::vector<uint32_t>{0, 1, 2}));
  EXPECT_EQ(fetched_, std::vector<uint32_t>{3});
  EXPECT_TRUE(path_->Drained());
  SmStatistics counts;
  path_->AddTo(&counts);
  EXPECT_EQ(counts.instruction_cache.misses, 1U);
  EXPECT_EQ(counts.const_cache.misses, 1U);
  EXPECT_EQ(counts.texture_cache.misses, 1U);
}

TEST_F(MemoryPathTest, NamesTheUnitsThatTakeNoInstruction) {
  EXPECT_EQ(path_->full_units(), 0U);
  for (uint32_t i = 0; i < machine_.sm.lsu_queue; ++i) Issue(Unit::kConst, 0, 10 + i);
  const uint64_t both = 1 | uint64_t{1} << MemoryPath::kOfScheduler;  // of two schedulers
  EXPECT_EQ(path_->full_units(), both << static_cast<uint32_t>(Unit::kConst));
  path_->Tick(now_);
  EXPECT_EQ(path_->full_units(), 0U);
}

class AcknowledgedStoreTest : public MemoryPathTest {
 protected:
  AcknowledgedStoreTest() : MemoryPathTest({"l2.write_reply=acknowledge"}) {}
};

TEST_F(AcknowledgedStoreTest, AStoreIsDoneWhenItsReplyComes) {
  Issue(Unit::kLoadStore, 0, 10, MemoryInstruction::Kind::kStore, 0b0111);
  path_->Tick(now_);
  SendAll();
  EXPECT_TRUE(stored_.empty());
  path_->Accept(port_.packets.at(0).second);
  path_->TakeReply(now_);
  ASSERT_EQ(stored_.size(), 1U);
  EXPECT_EQ(stored_[0], std::make_pair(1U, 3U));
}

// Misses and stores are known at the end of the L1's latency; atomics go past it.
class MissLatencyTest : public MemoryPathTest {
 protected:
  MissLatencyTest() : MemoryPathTest({"sm.l1.miss_latency=20"}) {}
  // The cycle in which the request leaves.
  uint64_t Leaves(MemoryInstruction::Kind kind, LineNumber line) {
    const size_t before = port_.packets.size();
    const uint64_t issued = now_;
    Issue(Unit::kLoadStore, 0, line, kind);
    path_->Tick(now_);
    while (port_.packets.size() == before) path_->Send(now_++);
    EXPECT_TRUE(path_->NothingToSend());
    return now_ - 1 - issued;
  }
};

TEST_F(MissLatencyTest, AMissAndAStoreLeaveWhenTheLatencyIsOver) {
  EXPECT_EQ(Leaves(MemoryInstruction::Kind::kLoad, 10), 20U);
  EXPECT_EQ(Leaves(MemoryInstruction::Kind::kStore, 11), 20U);
}

TEST_F(MissLatencyTest, AnAtomicDoesNotWait) {
  EXPECT_EQ(Leaves(MemoryInstruction::Kind::kAtomic, 10), 0U);
}

TEST_F(MissLatencyTest, MissesOfOneCycleApartLeaveOneCycleApart) {
  for (const LineNumber line : {10U, 11U, 12U}) {
    Issue(Unit::kLoadStore, 0, line);
    path_->Tick(now_);
    path_->Send(now_++);
  }
  EXPECT_TRUE(port_.packets.empty());
  while (now_ < 21) path_->Send(now_++);
  for (size_t sent = 1; sent <= 3; ++sent) {
    path_->Send(now_++);
    EXPECT_EQ(port_.packets.size(), sent);
  }
}

// No cache but the L1, and an L2 that does not acknowledge stores.
class BareMemoryPathTest : public MemoryPathTest {
 protected:
  BareMemoryPathTest()
      : MemoryPathTest({"sm.instruction_cache.size_kib=0", "sm.const_cache.size_kib=0",
                        "sm.texture_cache.size_kib=0", "l2.write_reply=none",
                        "sm.request_sectors=2"}) {}
};

TEST_F(BareMemoryPathTest, EveryInstructionIsThere) {
  for (uint32_t pc = 0; pc < 1000; ++pc) EXPECT_TRUE(path_->Fetch(3, pc));
  EXPECT_TRUE(path_->NothingToSend());
}

TEST_F(BareMemoryPathTest, AStoreIsDonePartByPartAsItLeaves) {
  Issue(Unit::kLoadStore, 0, 10, MemoryInstruction::Kind::kStore, 0b0111);
  path_->Tick(now_);
  SendAll();
  EXPECT_EQ(stored_, (std::vector<std::pair<uint32_t, uint32_t>>{{1, 2}, {1, 1}}));
  EXPECT_TRUE(path_->Drained());
}

TEST_F(BareMemoryPathTest, KeepsItsPacketsWhileThePortIsClosed) {
  port_.open = false;
  Issue(Unit::kLoadStore, 0, 10);
  path_->Tick(now_);
  path_->Send(now_);
  EXPECT_TRUE(port_.packets.empty());
  EXPECT_FALSE(path_->NothingToSend());
  port_.open = true;
  EXPECT_EQ(SendAll(), (std::vector<LineNumber>{10, 10}));  // the line, in two parts
}

}  // namespace memory_path_test
}  // namespace flagstone
