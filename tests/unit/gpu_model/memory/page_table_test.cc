// Where pages lie, and what a line's number becomes.
#include "gpu_model/memory/page_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <exception>
#include <utility>
#include <vector>

#include "gpu_model/memory/address_map.h"
#include "gpu_model/memory/physical_line.h"

namespace flagstone {
namespace page_table_test {

using testing::ElementsAre;

NumaConfig Numa() {
  NumaConfig numa;
  numa.gpus = numa.chiplets = 2;
  return numa;
}

class PageTableTest : public testing::Test {
 protected:
  uint64_t Allocate(const char* name, uint64_t bytes) { return memory_.Allocate(name, bytes); }
  uint32_t Home(uint64_t address, uint32_t node = 0) {
    return HomeOf(pages_.Translate(LineOf(address), node).line);
  }

  DeviceMemory memory_;
  PageTable pages_{Numa()};
};

TEST_F(PageTableTest, CountsPagesFromTheStartOfEachBuffer) {
  Allocate("a", 1000);
  const uint64_t b = Allocate("b", 3 * 4096);
  pages_.Place(memory_, {.pages = {{"b", ChipletFirst({2, 2}, 4096)}}});
  EXPECT_EQ(Home(b), 0U);
  EXPECT_EQ(Home(b + 4095), 0U);
  EXPECT_EQ(Home(b + 4096), 1U);
  EXPECT_EQ(Home(b + 3 * 4096 - 1), 2U);
  EXPECT_EQ(pages_.placed(), 3U);
  EXPECT_THAT(pages_.PagesOfNodes("b"), ElementsAre(1, 1, 1, 0));
}

TEST_F(PageTableTest, HandsOutTheFramesOfANodeInOrder) {
  const uint64_t a = Allocate("a", 6 * 4096);
  pages_.Place(memory_, {.pages = {{"a", ChipletFirst({2, 2}, 4096)}}});
  EXPECT_EQ(pages_.Translate(LineOf(a), 3).line, PhysicalLine(0, 0));
  EXPECT_EQ(pages_.Translate(LineOf(a) + 5, 3).line, PhysicalLine(0, 5));
  EXPECT_EQ(pages_.Translate(LineOf(a + 4 * 4096), 3).line, PhysicalLine(0, 32));
  EXPECT_EQ(pages_.Translate(LineOf(a + 5 * 4096) + 1, 3).line, PhysicalLine(1, 33));
}

TEST_F(PageTableTest, KeepsWhatTheFirstPlanHasPlaced) {
  const uint64_t a = Allocate("a", 4096);
  pages_.Place(memory_, {.pages = {{"a", ChipletFirst({2, 2}, 4096)}}});
  const uint64_t b = Allocate("b", 2 * 4096);
  pages_.Place(memory_, {.pages = {{"a", {8192, 4096}}, {"b", GpuFirst(4096)}}});
  EXPECT_EQ(Home(a), 0U);
  EXPECT_EQ(Home(b + 4096), 2U);
  EXPECT_EQ(pages_.placed(), 2U);  // by the second plan
}

TEST_F(PageTableTest, GivesAPageToTheNodeThatTouchesItFirst) {
  const uint64_t a = Allocate("a", 3 * 4096);
  pages_.Place(memory_, {.first_touch = true});
  const PageTable::Translation first = pages_.Translate(LineOf(a + 4096), 3);
  EXPECT_TRUE(first.fault);
  EXPECT_EQ(first.line, PhysicalLine(3, 0));
  EXPECT_FALSE(pages_.Translate(LineOf(a + 4096), 1).fault);
  EXPECT_EQ(Home(a + 4096, 1), 3U);
  EXPECT_EQ(Home(a, 1), 1U);
  EXPECT_EQ(pages_.first_touched(), 2U);
}

TEST_F(PageTableTest, GivesABufferThatNoPlanNamesToTheNodesInParts) {
  const uint64_t a = Allocate("a", 8 * 4096);
  pages_.Place(memory_, {});
  const PageTable::Translation touched = pages_.Translate(LineOf(a + 7 * 4096), 0);
  EXPECT_FALSE(touched.fault);
  EXPECT_EQ(HomeOf(touched.line), 3U);
  EXPECT_THAT(pages_.PagesOfNodes("a"), ElementsAre(2, 2, 2, 2));
}

TEST_F(PageTableTest, LeavesLinesOfLocalMemoryAlone) {
  pages_.Place(memory_, {});
  EXPECT_EQ(pages_.Translate(kPrivateLines + 77, 2).line, kPrivateLines + 77);
}

TEST_F(PageTableTest, IsTheSameAfterItWasSaved) {
  const uint64_t a = Allocate("a", 5 * 4096);
  pages_.Place(memory_, {.first_touch = true});
  pages_.Translate(LineOf(a + 4096), 2);
  PageTable restored(Numa());
  ASSERT_TRUE(restored.Restore(memory_, pages_.Save()));
  restored.Place(memory_, {});
  EXPECT_EQ(restored.Translate(LineOf(a + 4096), 0).line, PhysicalLine(2, 0));
  EXPECT_EQ(restored.Translate(LineOf(a + 4 * 4096), 0).line, PhysicalLine(2, 32));
  EXPECT_FALSE(restored.Restore(memory_, {7}));
}

TEST_F(PageTableTest, PlacesABufferThatNoPlanHadNamedWhenItWasSaved) {
  Allocate("a", 4096);
  const uint64_t b = Allocate("b", 2 * 4096);
  pages_.Place(memory_, {.pages = {{"a", ChipletFirst({2, 2}, 4096)}}});
  PageTable restored(Numa());
  ASSERT_TRUE(restored.Restore(memory_, pages_.Save()));
  restored.Place(memory_, {.pages = {{"a", GpuFirst(4096)}, {"b", GpuFirst(4096)}}});
  EXPECT_EQ(restored.placed(), 2U) << "the first plan of the other buffer stands";
  EXPECT_EQ(HomeOf(restored.Translate(LineOf(b), 0).line), 0U);
  EXPECT_EQ(HomeOf(restored.Translate(LineOf(b + 4096), 0).line), 2U);
}

TEST_F(PageTableTest, FindsABuffersFirstAndLastLinesWhateverWasFoundBefore) {
  const uint64_t a = Allocate("a", 4096 + 129);  // its second page has two lines
  const uint64_t b = Allocate("b", 4096);
  const uint64_t c = Allocate("c", 1);
  pages_.Place(memory_, {.first_touch = true});
  for (const auto& [address, node] : {std::pair(a, 0U), {b, 1U}, {c, 2U}, {a + 4096, 3U}}) {
    EXPECT_EQ(Home(address, node), node);
  }
  for (const auto& [address, node] :
       {std::pair(b, 1U), {a, 0U}, {c, 2U}, {a + 4096 + 128, 3U}, {b + 4095, 1U}, {c, 2U}}) {
    EXPECT_EQ(Home(address), node);
  }
  EXPECT_EQ(pages_.first_touched(), 4U);
}

TEST_F(PageTableTest, GivesWhatLiesInNoBufferTheLastLinesOfTheNode) {
  const uint64_t a = Allocate("a", 128);
  pages_.Place(memory_, {});
  for (const LineNumber line : {LineOf(a) + 1, LineOf(a) + 1023, LineNumber{0}}) {
    const PageTable::Translation stray = pages_.Translate(line, 2);
    EXPECT_FALSE(stray.fault);
    EXPECT_EQ(stray.line, PhysicalLine(2, kNodeLines - 1024 + line % 1024));
  }
  EXPECT_EQ(pages_.placed(), 0U);
}

TEST_F(PageTableTest, GivesPagesWithAnOwnerToItAndTheOthersAsPlanned) {
  const uint64_t a = Allocate("a", 4 * 4096);
  constexpr uint8_t kNone = NodePlan::kNoOwner;
  pages_.Place(memory_, {.pages = {{"a", ChipletFirst({2, 2}, 4096)}},
                         .owners = {{"a", {3, kNone, 1, kNone}}}});
  EXPECT_EQ(Home(a), 3U);
  EXPECT_EQ(Home(a + 4096), 1U);
  EXPECT_EQ(Home(a + 2 * 4096), 1U);
  EXPECT_EQ(Home(a + 3 * 4096), 3U);
  EXPECT_EQ(pages_.placed(), 4U);
  pages_.Place(memory_, {.owners = {{"a", {0, 0, 0, 0}}}});
  EXPECT_EQ(Home(a), 3U);  // the first plan stands
  EXPECT_EQ(pages_.placed(), 0U);
}

TEST_F(PageTableTest, LetsOwnersAloneLeaveTheOtherPagesToTheirFirstTouch) {
  const uint64_t a = Allocate("a", 2 * 4096);
  pages_.Place(memory_, {.owners = {{"a", {2, NodePlan::kNoOwner}}}, .first_touch = true});
  EXPECT_EQ(pages_.placed(), 1U);
  EXPECT_FALSE(pages_.Translate(LineOf(a), 1).fault);
  EXPECT_TRUE(pages_.Translate(LineOf(a + 4096), 1).fault);
  EXPECT_THAT(pages_.PagesOfNodes("a"), ElementsAre(0, 1, 1, 0));
}

TEST(FullPageTable, SaysThatTheNodesMemoryIsFull) {
  NumaConfig numa = Numa();
  numa.page_bytes = 1U << 31;  // of 8 GiB; a part of the last page is for what lies in no buffer
  DeviceMemory memory;
  PageTable pages(numa);
  std::vector<uint64_t> buffers;
  for (const char* name : {"a", "b", "c", "d"}) buffers.push_back(memory.Allocate(name, 128));
  pages.Place(memory, {.first_touch = true});
  for (size_t i = 0; i < 3; ++i) EXPECT_TRUE(pages.Translate(LineOf(buffers[i]), 1).fault);
  try {
    pages.Translate(LineOf(buffers[3]), 1);
    FAIL();
  } catch (const std::exception& error) {
    EXPECT_STREQ(error.what(), "node 1 holds no more pages: its memory of 8192 MiB is full");
  }
}

TEST_F(PageTableTest, TakesNoPartOfWhatWasSavedAndNoMoreThanThat) {
  Allocate("a", 3 * 4096);
  Allocate("b", 4096);
  pages_.Place(memory_, {.pages = {{"a", ChipletFirst({2, 2}, 4096)}}});
  const std::vector<uint64_t> saved = pages_.Save();
  ASSERT_EQ(saved.size(), 1U + 4 + (2 + 3) + (2 + 1));
  for (size_t length = 0; length < saved.size(); ++length) {
    PageTable restored(Numa());
    EXPECT_FALSE(restored.Restore(
        memory_, {saved.begin(), saved.begin() + static_cast<std::ptrdiff_t>(length)}))
        << length;
  }
  std::vector<uint64_t> more = saved;
  more.push_back(0);
  EXPECT_FALSE(PageTable(Numa()).Restore(memory_, more));
  std::vector<uint64_t> other = saved;
  other[6] = 2;  // pages of the first buffer
  EXPECT_FALSE(PageTable(Numa()).Restore(memory_, other));
  PageTable restored(Numa());
  ASSERT_TRUE(restored.Restore(memory_, saved));
  EXPECT_EQ(restored.Save(), saved);
}

// Slices and tags of the lines of a node with two slices.
TEST(AddressMapOfNodes, HasTheSameSliceForALineInEveryNodeAndATagForEachHome) {
  MachineConfig machine;
  machine.numa = Numa();
  machine.l2.slices = machine.dram.channels = 2;
  const AddressMap map(machine);
  for (LineNumber line = 0; line < 64; ++line) {
    const auto first = map.Slice(PhysicalLine(0, line));
    for (uint32_t home = 0; home < 4; ++home) {
      const auto place = map.Slice(PhysicalLine(home, line));
      EXPECT_EQ(place.slice, first.slice);
      EXPECT_EQ(place.local, first.local + home);
      EXPECT_EQ(map.DramLine(place.slice, place.local), map.DramLine(first.slice, first.local));
    }
  }
  // Dense at home: 64 lines fill 32 lines of each channel.
  for (LineNumber line = 0; line < 64; ++line) {
    const auto place = map.Slice(PhysicalLine(3, line));
    EXPECT_LT(map.DramLine(place.slice, place.local), 32U);
  }
  const auto last = map.Slice(PhysicalLine(3, kNodeLines - 1));
  const auto own = map.Slice(kPrivateLines);
  EXPECT_LT(last.local, own.local);
  EXPECT_EQ(map.DramLine(own.slice, own.local), own.local);
}

}  // namespace page_table_test
}  // namespace flagstone
