#include "gpu_model/sm/miss_delay.h"

#include <gtest/gtest.h>

namespace flagstone {
namespace miss_delay_test {

constexpr size_t kPlaces = 8;

Packet Of(PacketKind kind) {
  Packet packet;
  packet.kind = kind;
  return packet;
}

TEST(MissDelay, AMissLeavesItsLatencyAfterItWasSeen) {
  Ring<Packet> misses(kPlaces);
  MissDelay delay(5, kPlaces);
  EXPECT_FALSE(delay.MayLeave(misses, 9));
  EXPECT_FALSE(delay.KnowsAll(misses));
  misses.Push(Of(PacketKind::kRead));
  EXPECT_FALSE(delay.MayLeave(misses, 10));
  EXPECT_TRUE(delay.KnowsAll(misses));
  EXPECT_EQ(delay.Next(), 15U);
  EXPECT_FALSE(delay.MayLeave(misses, 14));
  EXPECT_TRUE(delay.MayLeave(misses, 15));
}

TEST(MissDelay, AnAtomicWaitsOnlyForTheMissesBeforeIt) {
  Ring<Packet> misses(kPlaces);
  MissDelay delay(5, kPlaces);
  misses.Push(Of(PacketKind::kRead));
  misses.Push(Of(PacketKind::kAtomic));
  EXPECT_FALSE(delay.MayLeave(misses, 10));
  EXPECT_TRUE(delay.MayLeave(misses, 15));
  misses.Pop();
  delay.Left();
  EXPECT_TRUE(delay.MayLeave(misses, 15));
  EXPECT_EQ(delay.Next(), 10U);
}

TEST(MissDelay, KnowsNothingOfAMissThatItHasNotSeen) {
  Ring<Packet> misses(kPlaces);
  MissDelay delay(5, kPlaces);
  misses.Push(Of(PacketKind::kRead));
  delay.MayLeave(misses, 10);
  misses.Push(Of(PacketKind::kRead));
  EXPECT_FALSE(delay.KnowsAll(misses));
}

TEST(MissDelay, WithoutALatencyMissesLeaveAtOnce) {
  Ring<Packet> misses(kPlaces);
  MissDelay delay(0, kPlaces);
  EXPECT_FALSE(delay.MayLeave(misses, 1));
  misses.Push(Of(PacketKind::kRead));
  EXPECT_TRUE(delay.MayLeave(misses, 1));
  delay.Left();
  EXPECT_FALSE(delay.KnowsAll(misses));
}

}  // namespace miss_delay_test
}  // namespace flagstone
