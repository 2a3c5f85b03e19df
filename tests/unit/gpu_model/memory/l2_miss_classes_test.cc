// Why a slice of the L2 missed, where that is asked for.
#include <vector>

#include "tests/unit/gpu_model/memory/l2_slice_fixture.h"

namespace flagstone {
namespace l2_slice_test {

TEST_F(L2SliceTest, ClassesItsMissesWhereTheyAreAskedFor) {
  slice_.ClassifyMisses();
  const auto set_of = [&](LineNumber line) { return slice_.tags().SetOf(map_.Slice(line).local); };
  const auto ask = [&](LineNumber line, SectorMask sectors) {
    const size_t before = dram_.requests.size();
    Ask(line, sectors);
    RunUntil(now_ + 30);
    for (size_t i = before; i < dram_.requests.size(); ++i) {
      slice_.DramReply(dram_.requests[i].second.tag, dram_.requests[i].second.sectors);
    }
    RunUntil(now_ + 30);
  };
  // Three lines of one set, of which it has two ways: without sets it would have kept all.
  std::vector<LineNumber> of_set = {0};
  LineNumber line = 1;
  for (; of_set.size() < 3; ++line) {
    if (set_of(line) == set_of(0)) of_set.push_back(line);
  }
  for (const LineNumber one : of_set) ask(one, 0b0011);
  EXPECT_EQ(slice_.statistics().classes.cold, 6U);
  ask(0, 0b0001);
  EXPECT_EQ(slice_.statistics().classes.conflict, 1U);
  // More lines than it holds, and two more of the set among them.
  for (uint32_t in_set = 0, lines = 0; in_set < 2 || lines < 9; ++line, ++lines) {
    in_set += set_of(line) == set_of(0) ? 1U : 0U;
    ask(line, 0b1000);
  }
  ask(0, 0b0010);
  const MissClassCounts& classes = slice_.statistics().classes;
  EXPECT_EQ(classes.capacity, 1U);
  EXPECT_EQ(classes.conflict, 1U);
  EXPECT_EQ(classes.cold + classes.capacity + classes.conflict, slice_.statistics().misses);
}

TEST_F(L2SliceTest, CountsNoClassesUnasked) {
  Ask(3, 0b0110);
  RunUntil(40);
  EXPECT_EQ(slice_.statistics().misses, 2U);
  EXPECT_EQ(slice_.statistics().classes.cold, 0U);
}

// What was written is no miss, and then known.
TEST_F(L2SliceTest, AReadOfWhatWasWrittenIsNoColdMiss) {
  slice_.ClassifyMisses();
  Ask(5, 0b0001, 0, PacketKind::kWrite);
  RunUntil(40);
  Ask(5, 0b0011);
  RunUntil(80);
  EXPECT_EQ(slice_.statistics().misses, 1U);
  EXPECT_EQ(slice_.statistics().classes.cold, 1U) << "the other sector";
}

}  // namespace l2_slice_test
}  // namespace flagstone
