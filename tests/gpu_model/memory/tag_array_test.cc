#include "gpu_model/memory/tag_array.h"

#include <gtest/gtest.h>

#include <set>

namespace flagstone {
namespace {

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

TEST(TagArray, SpreadsPowerOfTwoStridesOverAllSets) {
  const TagArray tags(16 * 1024, 4);  // 32 sets
  std::set<uint32_t> sets;
  for (LineNumber i = 0; i < 32; ++i) sets.insert(tags.SetOf(1000 * 1024 + i * 8));
  EXPECT_EQ(sets.size(), 32U);
}

}  // namespace
}  // namespace flagstone
