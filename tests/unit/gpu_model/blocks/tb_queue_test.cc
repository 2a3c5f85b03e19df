#include "gpu_model/blocks/tb_scheduler/paver/tb_queue.h"

#include <gtest/gtest.h>

namespace flagstone {
namespace tb_queue_test {

// Lets the queue fetch and issue once; the id is made of the address, so that order shows.
uint32_t FetchAndIssue(TbQueue* queue) {
  EXPECT_TRUE(queue->WantsFetch());
  queue->GrantFetch();
  EXPECT_FALSE(queue->WantsFetch());
  EXPECT_FALSE(queue->valid());
  queue->TakeId(static_cast<uint32_t>(queue->next() & 0xffff));
  EXPECT_TRUE(queue->valid());
  EXPECT_FALSE(queue->WantsFetch());
  const uint32_t id = queue->tb_id();
  queue->Issue();
  return id;
}

TEST(TbQueue, IssuesAGroupFromItsFirstToItsLastId) {
  TbQueue queue(2);
  queue.Load({0x100, 0x104});
  EXPECT_EQ(queue.Waiting(), 2);
  EXPECT_EQ(FetchAndIssue(&queue), 0x100u);
  EXPECT_EQ(queue.Waiting(), 1);
  EXPECT_EQ(FetchAndIssue(&queue), 0x102u);
  EXPECT_EQ(queue.Waiting(), 0);
  EXPECT_TRUE(queue.held());
  EXPECT_EQ(FetchAndIssue(&queue), 0x104u);
  EXPECT_FALSE(queue.held());
  EXPECT_FALSE(queue.WantsFetch());
}

TEST(TbQueue, HasNothingWaitingInAGroupOfOneId) {
  TbQueue queue(4);
  queue.Load({0x200, 0x200});
  EXPECT_EQ(queue.Waiting(), 0);
  FetchAndIssue(&queue);
  EXPECT_FALSE(queue.held());
}

TEST(TbQueue, CountsFourByteIdsByTheirSize) {
  TbQueue queue(4);
  queue.Load({0x200, 0x210});
  EXPECT_EQ(queue.Waiting(), 4);
  FetchAndIssue(&queue);
  EXPECT_EQ(queue.next(), 0x204u);
}

TEST(TbQueue, EndsWhereItWasCut) {
  TbQueue queue(2);
  queue.Load({0x100, 0x108});
  queue.KeepUpTo(0x102);
  EXPECT_EQ(queue.Waiting(), 1);
  EXPECT_EQ(FetchAndIssue(&queue), 0x100u);
  EXPECT_EQ(FetchAndIssue(&queue), 0x102u);
  EXPECT_FALSE(queue.held());
}

TEST(TbQueue, HoldsTheLargestGroupAcrossA32BitAddressBoundary) {
  TbQueue queue(2);
  const uint64_t first = 0xffff0000;
  queue.Load({first, first + 2 * 65535});
  EXPECT_EQ(queue.Waiting(), 65535);
  FetchAndIssue(&queue);
  EXPECT_EQ(queue.Waiting(), 65534);
  EXPECT_TRUE(queue.held());
}

TEST(TbQueue, HoldsNothingAfterReset) {
  TbQueue queue(2);
  queue.Load({0x100, 0x104});
  queue.Reset();
  EXPECT_FALSE(queue.held());
  EXPECT_FALSE(queue.WantsFetch());
  EXPECT_EQ(queue.Waiting(), 0);
}

}  // namespace tb_queue_test
}  // namespace flagstone
