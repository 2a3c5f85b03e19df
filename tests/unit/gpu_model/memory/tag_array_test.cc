#include "gpu_model/memory/tag_array.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <set>
#include <string>
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

TEST(TagArray, EnteringSaysWhatWasMissingAndWhatHadToBeWrittenBack) {
  TagArray tags(256, 2);  // one set
  const auto first = tags.Enter(1, 0b0011, /*writes=*/true);
  EXPECT_TRUE(first.brought);
  EXPECT_EQ(first.missing, 2U);
  EXPECT_EQ(first.written_back, 0U);
  const auto again = tags.Enter(1, 0b0110, /*writes=*/false);
  EXPECT_FALSE(again.brought);
  EXPECT_EQ(again.missing, 1U);
  tags.Enter(2, 0b1111, /*writes=*/false);
  tags.Enter(1, 0b0001, /*writes=*/false);  // the newest again
  EXPECT_EQ(tags.Enter(3, 0b0001, /*writes=*/false).written_back, 0U) << "line 2 is clean";
  EXPECT_EQ(tags.Enter(4, 0b0001, /*writes=*/false).written_back, 2U) << "of line 1";
}

TEST(TagArray, ReplacesTheOldestWayThatIsNotKept) {
  TagArray tags(512, 4);  // one set
  for (LineNumber line = 0; line < 3; ++line) Insert(&tags, line);
  const auto keep = [&](uint32_t index) { return tags.line(index) < 2; };
  EXPECT_TRUE(tags.free(tags.VictimBut(9, keep)));
  Insert(&tags, 3);
  EXPECT_EQ(tags.line(tags.VictimBut(9, keep)), 2U);
  tags.Reserve(tags.Find(2), 1);
  EXPECT_EQ(tags.line(tags.VictimBut(9, keep)), 3U);
  tags.Reserve(tags.Find(3), 2);
  EXPECT_EQ(tags.VictimBut(9, keep), TagArray::kNone);
  EXPECT_EQ(tags.line(tags.Victim(9)), 0U);
}

TEST(TagArray, NeverReplacesAReservedWay) {
  TagArray tags(256, 2);  // one set
  tags.Reserve(Insert(&tags, 0), 3);
  Insert(&tags, 1);
  EXPECT_EQ(tags.line(tags.Victim(9)), 1U);
  tags.Reserve(tags.Find(1), 4);
  EXPECT_EQ(tags.Victim(9), TagArray::kNone);
}

// Ways by the age of their last use, oldest first, beside the array's own book-keeping.
TEST(TagArray, ChoosesTheOldestWayThatIsNotReservedWhateverWasReleasedInBetween) {
  constexpr uint32_t kWays = 12;
  TagArray tags(kWays * 128, kWays);  // one set
  std::vector<uint32_t> by_age;
  const auto use = [&](uint32_t index) {
    by_age.erase(std::remove(by_age.begin(), by_age.end(), index), by_age.end());
    by_age.push_back(index);
  };
  std::mt19937 random(7);
  uint32_t none = 0, behind_reserved = 0;
  for (LineNumber line = 0; line < 20000; ++line) {
    const uint32_t victim = tags.Victim(line);
    if (by_age.size() < kWays) {
      ASSERT_TRUE(tags.free(victim));
    } else {
      const auto is_free = [&](uint32_t index) {
        return tags.way(index).mshr == TagArray::kNoMshr;
      };
      const auto oldest = std::find_if(by_age.begin(), by_age.end(), is_free);
      ASSERT_EQ(victim, oldest == by_age.end() ? TagArray::kNone : *oldest);
      none += oldest == by_age.end() ? 1U : 0U;
      behind_reserved += oldest != by_age.begin() && oldest != by_age.end() ? 1U : 0U;
    }
    if (victim != TagArray::kNone) {
      tags.Assign(victim, line);
      use(victim);
      if (random() % 4 != 0) tags.Reserve(victim, 1);
    }
    const auto index = static_cast<uint32_t>(random() % kWays);
    if (tags.free(index)) continue;
    if (random() % 3 == 0) {
      tags.Touch(index);
      use(index);
    }
    const bool releases = line % 256 < 128;
    if (releases && tags.way(index).mshr != TagArray::kNoMshr) tags.Release(index);
    if (random() % 50 == 0) {
      tags.Invalidate(index);
      by_age.erase(std::remove(by_age.begin(), by_age.end(), index), by_age.end());
    }
  }
  EXPECT_GT(none, 100U);
  EXPECT_GT(behind_reserved, 1000U);
}

TEST(TagArray, FindsEachLineOfASetOfAnyWidth) {
  for (uint32_t ways = 1; ways <= 20; ++ways) {
    TagArray tags(ways * 128, ways);
    for (LineNumber line = 0; line < ways; ++line) Insert(&tags, 100 + line);
    for (LineNumber line = 0; line < ways; ++line) {
      ASSERT_NE(tags.Find(100 + line), TagArray::kNone) << ways;
      EXPECT_EQ(tags.line(tags.Find(100 + line)), 100 + line);
    }
    EXPECT_EQ(tags.Find(99), TagArray::kNone);
  }
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

TEST(TagArray, FoldsTheBitsAboveTheSetIntoIt) {
  const TagArray tags(16 * 1024, 4);  // 32 sets: five bits
  EXPECT_EQ(tags.SetOf(0b00001), 1U);
  EXPECT_EQ(tags.SetOf(0b10000), 16U);
  EXPECT_EQ(tags.SetOf(0b00001'00000), 1U);
  EXPECT_EQ(tags.SetOf(0b10000'00000), 16U);
  EXPECT_EQ(tags.SetOf(0b00001'00000'00000), 1U);
  EXPECT_EQ(tags.SetOf(0b00110'00011'10000), 0b10101U);
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

// Both take the same victims from here on, in every set.
TEST(TagArray, IsTheSameAgainOfItsBytes) {
  TagArray tags(4096, 4, SetHash::kLinear);
  for (LineNumber i = 0; i < 50; ++i) {
    const uint32_t index = Insert(&tags, i * 7 % 41);
    tags.way(index).valid = static_cast<SectorMask>(i & 15);
    if (i % 3 == 0) tags.Touch(tags.Find(i * 7 % 41));
  }
  tags.Invalidate(tags.Find(49 * 7 % 41));
  std::optional<TagArray> other = TagArray::OfBytes(tags.Bytes());
  ASSERT_TRUE(other);
  EXPECT_EQ(other->Bytes(), tags.Bytes());
  for (LineNumber line = 100; line < 150; ++line) {
    const uint32_t index = Insert(&tags, line);
    ASSERT_EQ(Insert(&*other, line), index);
    EXPECT_EQ(other->SetOf(line), tags.SetOf(line));
  }
  EXPECT_EQ(other->Bytes(), tags.Bytes());
}

TEST(TagArray, IsNotMadeOfOtherBytes) {
  const std::string bytes = TagArray(4096, 4).Bytes();
  EXPECT_FALSE(TagArray::OfBytes(""));
  EXPECT_FALSE(TagArray::OfBytes(bytes.substr(0, 12)));
  EXPECT_FALSE(TagArray::OfBytes(bytes.substr(0, bytes.size() - 1)));
  EXPECT_FALSE(TagArray::OfBytes(bytes + '\0'));
  EXPECT_FALSE(TagArray::OfBytes(std::string(bytes.size(), '\0')));
}

}  // namespace tag_array_test
}  // namespace flagstone
