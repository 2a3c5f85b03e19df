// The TB queue image, byte for byte.
#include "kernels/launch/tb_queue_image.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace flagstone {
namespace tb_queue_image_test {

using ::testing::ElementsAreArray;

std::vector<int> Values(const std::vector<std::byte>& bytes) {
  std::vector<int> values;
  for (const std::byte byte : bytes) values.push_back(std::to_integer<int>(byte));
  return values;
}

TEST(TbQueueImage, LaysOutDescriptorsThenTwoByteIds) {
  const TbGroups groups = {{{0x0102, 7, 0xfffe}, {5}}};
  const TbQueueImage image = EncodeTbQueue(groups, 0x1'2345'6780, 2);
  EXPECT_EQ(image.base, 0x1'2345'6780U);
  EXPECT_EQ(image.id_bytes, 2U);
  EXPECT_EQ(image.descriptor_count, 2U);
  const int expected[] = {
      0xa0, 0x67, 0x45, 0x23, 0x01, 0,    0, 0,  // group 0: first id at base + 32
      0xa4, 0x67, 0x45, 0x23, 0x01, 0,    0, 0,  // its last id, inclusive
      0xa6, 0x67, 0x45, 0x23, 0x01, 0,    0, 0,  // group 1: first
      0xa6, 0x67, 0x45, 0x23, 0x01, 0,    0, 0,  // and last are the same
      0x02, 0x01, 0x07, 0x00, 0xfe, 0xff,        // ids of group 0
      0x05, 0x00,                                // id of group 1
  };
  EXPECT_THAT(Values(image.bytes), ElementsAreArray(expected));
  EXPECT_EQ(ImageSize(groups, 2), 40U);
}

TEST(TbQueueImage, LaysOutFourByteIds) {
  const TbGroups groups = {{{0x01020304, 1}}};
  const TbQueueImage image = EncodeTbQueue(groups, 0, 4);
  const int expected[] = {
      16,   0,    0,    0,    0, 0, 0, 0,  // first
      20,   0,    0,    0,    0, 0, 0, 0,  // last
      0x04, 0x03, 0x02, 0x01,              // ids
      1,    0,    0,    0,
  };
  EXPECT_THAT(Values(image.bytes), ElementsAreArray(expected));
  EXPECT_EQ(ImageSize(groups, 4), 24U);
}

TEST(TbQueueImage, KeepsGroupsInAsFewSectorsAsTheyNeed) {
  const auto group_of = [](uint32_t size) { return std::vector<uint32_t>(size, 7); };
  // Five descriptors end in the middle of a sector of 16 ids.
  const TbGroups groups = {{group_of(6), group_of(3), group_of(16), group_of(20), group_of(1)}};
  constexpr uint64_t kBase = 0x1'0000'0100;
  const TbQueueImage image = EncodeTbQueue(groups, kBase, 2, TbQueueLayout::kSectors);
  EXPECT_EQ(DecodeTbQueue(image), groups);
  EXPECT_EQ(image.bytes.size(), ImageSize(groups, 2, TbQueueLayout::kSectors));
  const auto first = [&image](size_t group) {
    uint64_t address = 0;
    for (size_t i = 0; i < 8; ++i) {
      address |= std::to_integer<uint64_t>(image.bytes[16 * group + i]) << (8 * i);
    }
    return address - kBase;
  };
  EXPECT_EQ(first(0), 80U);
  EXPECT_EQ(first(1), 96U);   // beyond 80 + 12 the sector has room for two
  EXPECT_EQ(first(2), 128U);  // a whole one
  EXPECT_EQ(first(3), 160U);
  EXPECT_EQ(first(4), 200U);  // behind the 20th, which needed a second sector anyway
  EXPECT_EQ(image.bytes.size(), 224U);
}

TEST(TbQueueImage, DecodesWhatItEncoded) {
  const TbGroups groups = {{{3, 1, 4}, {0}, {65535, 2}, {9, 8, 7, 6, 5}}};
  EXPECT_EQ(DecodeTbQueue(EncodeTbQueue(groups, 0x1'0000'0100, 2)), groups);
  EXPECT_EQ(DecodeTbQueue(EncodeTbQueue(groups, 0x1'0000'0100, 4)), groups);
  const TbGroups wide = {{{65536, 4294967295}, {1}}};
  EXPECT_EQ(DecodeTbQueue(EncodeTbQueue(wide, 0x40, 4)), wide);
  const TbGroups none;
  EXPECT_EQ(DecodeTbQueue(EncodeTbQueue(none, 0, 2)), none);
}

TEST(TbQueueImage, UsesTwoByteIdsUpTo65536Tbs) {
  EXPECT_EQ(IdBytes(1), 2U);
  EXPECT_EQ(IdBytes(65536), 2U);
  EXPECT_EQ(IdBytes(65537), 4U);
  EXPECT_EQ(IdBytes(uint64_t{1} << 32), 4U);
  try {
    IdBytes((uint64_t{1} << 32) + 1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
    EXPECT_STREQ(error.what(),
                 "grid of 4294967297 TBs, expected at most 4294967296: TB ids have 32 bits");
  }
}

TEST(TbQueueImage, RejectsWhatTheHardwareCannotRead) {
  EXPECT_THROW(EncodeTbQueue({{{0}, {}}}, 0, 2), Error);    // empty group
  EXPECT_THROW(EncodeTbQueue({{{0}}}, 8, 2), Error);        // descriptor not aligned
  EXPECT_THROW(EncodeTbQueue({{{0}}}, 0, 3), Error);        // id size
  EXPECT_THROW(EncodeTbQueue({{{0x10000}}}, 0, 2), Error);  // id does not fit
}

TEST(TbQueueImage, RejectsADescriptorThatPointsOutsideTheIds) {
  const TbQueueImage good = EncodeTbQueue({{{0, 1}, {2, 3}}}, 0x100, 2);
  for (const int first : {0x00, 0x1e, 0x21, 0x24, 0x28}) {  // group 0's ids are at 0x120, 0x122
    TbQueueImage bad = good;
    bad.bytes[0] = static_cast<std::byte>(first);
    EXPECT_THROW(DecodeTbQueue(bad), Error) << first;
  }
  for (const int last : {0x21, 0x23, 0x28, 0xff}) {
    TbQueueImage bad = good;
    bad.bytes[8] = static_cast<std::byte>(last);
    EXPECT_THROW(DecodeTbQueue(bad), Error) << last;
  }
  TbQueueImage cut = good;
  cut.bytes.resize(20);
  EXPECT_THROW(DecodeTbQueue(cut), Error);
}

TEST(DumpTbQueue, PrintsEachDescriptorWithItsIds) {
  EXPECT_EQ(DumpTbQueue(EncodeTbQueue({{{4, 0}, {2}}}, 0x100, 2)),
            "TB queue image: 38 bytes at 0x100, 2 descriptors, 2-byte ids\n"
            "0x100: first 0x120 last 0x122 ids 4 0\n"
            "0x110: first 0x124 last 0x124 ids 2\n");
}

}  // namespace tb_queue_image_test
}  // namespace flagstone
