// Which launches do the same to other buffers.
#include "app/flow/studies/alike_launches.h"

#include <gtest/gtest.h>

#include <cstring>

namespace flagstone {
namespace alike_launches_test {

// k(from, to, n), from one of two fields to the other.
class AlikeLaunches : public testing::Test {
 protected:
  AlikeLaunches() {
    a_ = bound_.memory.Allocate("a", 4096);
    b_ = bound_.memory.Allocate("b", 4096);
    small_ = bound_.memory.Allocate("small", 1024);
  }
  void Launch(uint64_t from, uint64_t to, uint64_t n, const Dim3& grid = {8, 1, 1}) {
    KernelLaunch& launch = bound_.launches.emplace_back();
    launch.grid = grid;
    launch.parameters.resize(24);
    const uint64_t words[] = {from, to, n};
    std::memcpy(launch.parameters.data(), words, sizeof(words));
  }
  std::optional<size_t> OfLast() const { return FindAlike(bound_, bound_.launches.size() - 1); }

  BoundWorkload bound_;
  uint64_t a_ = 0, b_ = 0, small_ = 0;
};

TEST_F(AlikeLaunches, GoBackAndForthBetweenTwoFields) {
  Launch(a_, b_, 7);
  EXPECT_EQ(OfLast(), std::nullopt);
  Launch(b_, a_, 7);
  EXPECT_EQ(OfLast(), 0U);
  Launch(a_, b_, 7);
  EXPECT_EQ(OfLast(), 0U);
}

TEST_F(AlikeLaunches, HaveTheSameNumbersAndShape) {
  Launch(a_, b_, 7);
  Launch(b_, a_, 8);
  EXPECT_EQ(OfLast(), std::nullopt);
  Launch(b_, a_, 7, {16, 1, 1});
  EXPECT_EQ(OfLast(), std::nullopt);
}

TEST_F(AlikeLaunches, PointToTheSamePlaceInBuffersOfOneSize) {
  Launch(a_, b_, 7);
  Launch(b_ + 64, a_, 7);
  EXPECT_EQ(OfLast(), std::nullopt);
  Launch(a_, small_, 7);
  EXPECT_EQ(OfLast(), std::nullopt);
}

// The second works in place: its loads and stores share what the first one's do not.
TEST_F(AlikeLaunches, HaveAsManyBuffers) {
  Launch(a_, b_, 7);
  Launch(a_, a_, 7);
  EXPECT_EQ(OfLast(), std::nullopt);
  Launch(b_, b_, 7);
  EXPECT_EQ(OfLast(), 1U);
  bound_.launches.erase(bound_.launches.begin());
  Launch(b_, a_, 7);
  EXPECT_EQ(OfLast(), std::nullopt);
}

}  // namespace alike_launches_test
}  // namespace flagstone
