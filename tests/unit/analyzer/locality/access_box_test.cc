// Boxes of threads: which are a warp's, and which a guard leaves.
#include "analyzer/locality/access_box.h"

#include <gtest/gtest.h>

#include <vector>

namespace flagstone {
namespace access_box_test {

// How often the boxes of a warp hold each thread of the block, by linear id.
std::vector<int> TimesInBoxes(const Dim3& block, uint32_t warp) {
  std::vector<int> times(block.Count(), 0);
  for (const ThreadBox& box : WarpBoxes(block, warp)) {
    for (uint32_t t = 0; t < block.Count(); ++t) {
      const Dim3 at = TbCoordinates(t, block);
      const int64_t tid[] = {at.x, at.y, at.z};
      bool inside = true;
      for (size_t axis = 0; axis < 3; ++axis) {
        inside = inside && tid[axis] >= box[axis].begin && tid[axis] < box[axis].end;
      }
      times[t] += inside ? 1 : 0;
    }
  }
  return times;
}

TEST(WarpBoxes, HoldEachThreadOfTheWarpOnceAndNoOther) {
  for (const Dim3& block : {Dim3{32, 2, 1}, Dim3{100, 1, 1}, Dim3{16, 16, 1}, Dim3{12, 7, 3},
                            Dim3{5, 3, 4}, Dim3{1, 1, 64}, Dim3{1, 40, 2}}) {
    for (uint32_t warp = 0; 32 * warp < block.Count(); ++warp) {
      const std::vector<int> times = TimesInBoxes(block, warp);
      for (uint32_t t = 0; t < block.Count(); ++t) {
        ASSERT_EQ(times[t], t / 32 == warp ? 1 : 0)
            << "thread " << t << " of " << block.x << " x " << block.y << " x " << block.z;
      }
    }
  }
}

TEST(WarpBoxes, TakeWholeRowsTogether) {
  EXPECT_EQ(WarpBoxes({16, 16, 1}, 3), (std::vector<ThreadBox>{{Range{0, 16}, {6, 8}, {0, 1}}}));
  // Threads 32 to 63: the rest of a row, two rows, the begin of another.
  EXPECT_EQ(WarpBoxes({12, 7, 1}, 1), (std::vector<ThreadBox>{{Range{8, 12}, {2, 3}, {0, 1}},
                                                              {Range{0, 12}, {3, 5}, {0, 1}},
                                                              {Range{0, 4}, {5, 6}, {0, 1}}}));
}

// The boxes that the guard constant + x * tid.x + y * tid.y >= 0 leaves of a block.
std::vector<std::vector<Range>> LeftOf(const Dim3& block, int64_t constant, int64_t x, int64_t y) {
  AddressForm access;
  access.guards.emplace_back();
  access.guards[0].form.constant = constant;
  access.guards[0].form.tid = {x, y, 0};
  KernelLaunch launch;
  launch.block = block;
  std::vector<AccessBox> boxes;
  EXPECT_TRUE(AccessPattern(access, {}, launch).Boxes({0, 0, 0}, 1000, boxes));
  std::vector<std::vector<Range>> bounds;
  for (const AccessBox& box : boxes) bounds.push_back(box.bounds);
  return bounds;
}

TEST(AccessPattern, AGuardOnOneVariableCutsItsRange) {
  using Boxes = std::vector<std::vector<Range>>;
  EXPECT_EQ(LeftOf({16, 4, 1}, -3, 1, 0), (Boxes{{{3, 16}, {0, 4}, {0, 1}}}));
  EXPECT_EQ(LeftOf({16, 4, 1}, 9, -2, 0), (Boxes{{{0, 5}, {0, 4}, {0, 1}}}));
  EXPECT_EQ(LeftOf({16, 4, 1}, 2, 0, -1), (Boxes{{{0, 16}, {0, 3}, {0, 1}}}));
  EXPECT_EQ(LeftOf({16, 4, 1}, -16, 1, 0), Boxes{});
}

TEST(AccessPattern, AGuardOnTwoVariablesTakesTheOneWithFewerValuesApart) {
  // tid.y >= 5 * tid.x, and tid.x >= 5 * tid.y.
  using Boxes = std::vector<std::vector<Range>>;
  EXPECT_EQ(LeftOf({2, 16, 1}, 0, -5, 1),
            (Boxes{{{0, 1}, {0, 16}, {0, 1}}, {{1, 2}, {5, 16}, {0, 1}}}));
  EXPECT_EQ(LeftOf({16, 2, 1}, 0, 1, -5),
            (Boxes{{{0, 16}, {0, 1}, {0, 1}}, {{5, 16}, {1, 2}, {0, 1}}}));
}

}  // namespace access_box_test
}  // namespace flagstone
