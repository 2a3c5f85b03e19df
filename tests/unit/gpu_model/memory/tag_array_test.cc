#include "gpu_model/memory/tag_array.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace flagstone {
namespace tag_array_test {

uint32_t Insert(TagArray* tags, LineNumber line) {
  const uint32_t index = tags->Victim(line);
  if (index != TagArray::kNone) tags->Assign(index, line);
  return index;
}

TEST(TagArray, FindsWhatWasAssignedAndNothingElse) {
  TagArray tags(4096, 4);
  EXPECT_EQ(tags.Find(7), TagArray::kNone);
  const uint32_t index = Insert(&tags, 7);
  EXPECT_EQ(tags.Find(7), index);
  EXPECT_EQ(tags.line(index), 7U);
  tags.Invalidate(index);
  EXPECT_EQ(tags.Find(7), TagArray::kNone);
}

TEST(TagArray, ReplacesTheLeastRecentlyUsedWay) {
  TagArray tags(512, 4);  // one set
  for (LineNumber line = 0; line < 4; ++line) Insert(&tags, line);
  tags.Touch(tags.Find(0));
  EXPECT_EQ(tags.line(tags.Victim(9)), 1U);
  tags.Touch(tags.Find(1));
  EXPECT_EQ(tags.line(tags.Victim(9)), 2U);
}

TEST(TagArray, NeverReplacesAReservedWay) {
  TagArray tags(256, 2);  // one set
  tags.way(Insert(&tags, 0)).mshr = 3;
  Insert(&tags, 1);
  EXPECT_EQ(tags.line(tags.Victim(9)), 1U);
  tags.way(tags.Find(1)).mshr = 4;
  EXPECT_EQ(tags.Victim(9), TagArray::kNone);
}

TEST(TagArray, FindsTheSetInTheLinesLowestBitsWhereTheHashIsLinear) {
  const TagArray tags(16 * 1024, 4, SetHash::kLinear);  // 32 sets
  for (LineNumber line = 0; line < 1000; ++line) EXPECT_EQ(tags.SetOf(line), line % 32);
  const TagArray three(3 * 512, 4, SetHash::kLinear);
  for (LineNumber line = 0; line < 100; ++line) EXPECT_EQ(three.SetOf(line), line % 3);
}

TEST(TagArray, SpreadsPowerOfTwoStridesOverAllSets) {
  const TagArray tags(16 * 1024, 4);  // 32 sets
  std::set<uint32_t> sets;
  for (LineNumber i = 0; i < 32; ++i) sets.insert(tags.SetOf(1000 * 1024 + i * 8));
  EXPECT_EQ(sets.size(), 32U);
}

// The address's bits in each bit of the set, as Nugteren et al. list them (HPCA 2014).
void ExpectBits(const TagArray& tags, const std::vector<std::vector<uint32_t>>& bits_of_set) {
  for (uint32_t bit = 7; bit < 32; ++bit) {
    uint32_t expected = 0;
    for (uint32_t i = 0; i < bits_of_set.size(); ++i) {
      for (const uint32_t from : bits_of_set[i]) expected |= from == bit ? 1U << i : 0;
    }
    EXPECT_EQ(tags.SetOf(LineNumber{1} << (bit - 7)), expected) << "bit " << bit;
  }
}

TEST(TagArray, FermisHashTakesTheBitsThatWereMeasured) {
  const std::vector<std::vector<uint32_t>> bits = {{7, 13}, {8, 14}, {9, 15}, {10, 17}, {11, 19}};
  ExpectBits(TagArray(16 * 1024, 4, SetHash::kFermi), bits);
  std::vector<std::vector<uint32_t>> of_48k = bits;
  of_48k.push_back({12});
  ExpectBits(TagArray(48 * 1024, 6, SetHash::kFermi), of_48k);
}

}  // namespace tag_array_test
}  // namespace flagstone
