// The CPU references of those of PAVER's benchmarks that work on integers, each on a case worked
// out by hand or published.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kernels/inputs/btree.h"
#include "tests/unit/workloads/literal_case.h"

namespace flagstone {
namespace paver_integer_references_test {

using Ints = std::vector<int32_t>;
using Words = std::vector<uint32_t>;

TEST(PaverIntegerReferences, Dwt53SplitsComponentsAndTransformsRowsThenColumns) {
  // Red is 1 3 2 5 in three equal rows, each of which becomes: details 3 - (1 + 2) / 2 = 2 and,
  // with 2 again beyond the edge, 5 - 2 = 3; smooth 1 + (2 + 2 + 2) / 4 = 2 and 2 + (2 + 3 + 2) / 4
  // = 3. Columns are constant: their details are 0.
  std::vector<uint8_t> image;
  for (int row = 0; row < 3; ++row) {
    for (const uint8_t red : std::vector<uint8_t>{129, 131, 130, 133}) {
      image.insert(image.end(), {red, 0, 255});
    }
  }
  LiteralCase dwt("dwt53");
  dwt.Buffer<uint8_t>("image", image);
  for (const char* name : {"red", "green", "blue", "bands"}) dwt.Buffer<int32_t>(name, Ints(12));
  dwt.Launch("'image', 'red', 'green', 'blue', {s32=12}")
      .Launch("'red', 'bands', {s32=4}, {s32=3}, {s32=1}");
  EXPECT_EQ(dwt.Result<int32_t>("red"), (Ints{1, 3, 2, 5, 1, 3, 2, 5, 1, 3, 2, 5}));
  EXPECT_EQ(dwt.Result<int32_t>("green"), Ints(12, -128));
  EXPECT_EQ(dwt.Result<int32_t>("blue"), Ints(12, 127));
  EXPECT_EQ(dwt.Result<int32_t>("bands"), (Ints{2, 3, 2, 3, 2, 3, 2, 3, 0, 0, 0, 0}));
}

TEST(PaverIntegerReferences, Dwt53RoundsDownBelowZero) {
  // Rows are constant, columns -2 -5 -3: the detail is -5 - floor(-5 / 2) = -2, the smooth samples
  // -2 + floor((-2 - 2 + 2) / 4) = -3 and -3 - 1 = -4.
  LiteralCase dwt("dwt53");
  dwt.Buffer<uint8_t>("image", std::vector<uint8_t>(27, 128));
  for (const char* name : {"red", "green", "blue", "bands"}) dwt.Buffer<int32_t>(name, Ints(9));
  dwt.Buffer<int32_t>("plane", {-2, -2, -2, -5, -5, -5, -3, -3, -3});
  dwt.Launch("'image', 'red', 'green', 'blue', {s32=9}")
      .Launch("'plane', 'bands', {s32=3}, {s32=3}, {s32=1}");
  EXPECT_EQ(dwt.Result<int32_t>("bands"), (Ints{-3, -3, 0, -4, -4, 0, -2, -2, 0}));
}

TEST(PaverIntegerReferences, MergesortKeepsEqualKeysInOrder) {
  LiteralCase sort("mergesort");
  sort.Buffer<uint32_t>("keys", {2, 5, 1, 2})
      .Buffer<uint32_t>("values", {0, 1, 2, 3})
      .Buffer<uint32_t>("sorted", Words(4))
      .Buffer<uint32_t>("sorted_values", Words(4));
  sort.Launch("'keys','values','sorted','sorted_values','keys','keys',{s32=1}", "1",
              "merge_intervals");
  EXPECT_EQ(sort.Result<uint32_t>("sorted"), (Words{2, 5, 1, 2})) << "runs of one: pairs only";
  sort.Launch("'keys','values','sorted','sorted_values','keys','keys',{s32=2}", "1",
              "merge_intervals");
  EXPECT_EQ(sort.Result<uint32_t>("sorted"), (Words{1, 2, 2, 5}));
  EXPECT_EQ(sort.Result<uint32_t>("sorted_values"), (Words{2, 0, 3, 1}));
  sort.Launch("'sorted','values','keys','values'", "1", "sort_tiles");
  EXPECT_EQ(sort.Result<uint32_t>("keys"), (Words{1, 2, 2, 5}));
}

TEST(PaverIntegerReferences, BtreeLookUpsGiveRecordsOnlyForKeysThatAreThere) {
  const Ints nodes = BtreeNodes({.keys = 5, .order = 256, .per_node = 2});
  LiteralCase find("btree_findk");
  find.Buffer<int32_t>("nodes", nodes)
      .Buffer<int32_t>("records", {10, 11, 12, 13, 14})
      .Buffer<int32_t>("walk", Ints(3))
      .Buffer<int32_t>("wanted", {3, 5, 0})
      .Buffer<int32_t>("answer", {-1, -1, -1})
      .Launch("{s32=2}, 'nodes', {s32=6}, 'records', 'walk', 'walk', 'wanted', 'answer'");
  EXPECT_EQ(find.Result<int32_t>("answer"), (Ints{13, -1, 10}));

  LiteralCase range("btree_findrangek");
  range.Buffer<int32_t>("nodes", nodes)
      .Buffer<int32_t>("walk", Ints(2))
      .Buffer<int32_t>("first", {1, 2})
      .Buffer<int32_t>("last", {3, 9})
      .Buffer<int32_t>("record", {-1, -1})
      .Buffer<int32_t>("length", {-1, -1})
      .Launch(
          "{s32=2}, 'nodes', {s32=6}, 'walk', 'walk', 'walk', 'walk', 'first', 'last', "
          "'record', 'length'");
  EXPECT_EQ(range.Result<int32_t>("record"), (Ints{1, 2}));
  EXPECT_EQ(range.Result<int32_t>("length"), (Ints{3, -1}));
}

std::vector<uint8_t> Bytes(const std::string& text) { return {text.begin(), text.end()}; }

TEST(PaverIntegerReferences, Md5GivesTheDigestsOfRfc1321) {
  LiteralCase md5("md5");
  md5.Buffer<uint8_t>("data", Bytes("1234567890123456789012345678901234567890"
                                    "1234567890123456789012345678901234567890"))
      .Buffer<uint8_t>("abc", Bytes("....abc"))
      .Buffer<uint32_t>("digest", Words(4))
      .Buffer<uint32_t>("digests", Words(8))
      .Launch("'data', {s32=80}, {s32=1}, 'digest'", "1", "md5")
      .Launch("'abc', {s32=3}, {s32=4}, {s32=2}, 'digests'", "1", "md5_overlap");
  // Digests are bytes; words of them are little-endian.
  EXPECT_EQ(md5.Result<uint32_t>("digest"),
            (Words{0xa2f4ed57, 0x55c9e32b, 0x2eda49ac, 0x7ab60721}));
  const Words digests = md5.Result<uint32_t>("digests");
  EXPECT_EQ(Words(digests.begin() + 4, digests.end()),
            (Words{0x98500190, 0xb04fd23c, 0x7d3f96d6, 0x727fe128}));
}

TEST(PaverIntegerReferences, Sha1GivesTheDigestsOfFips180) {
  LiteralCase sha1("sha1");
  sha1.Buffer<uint8_t>("abc", Bytes("abc.abc"))
      .Buffer<uint8_t>("long", Bytes("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"))
      .Buffer<uint32_t>("digests", Words(10))
      .Buffer<uint32_t>("digest", Words(5))
      .Launch("'abc', {s32=3}, {s32=2}, 'digests'", "1", "sha1")
      .Launch("'long', {s32=56}, {s32=1}, 'digest'", "1", "sha1");
  const Words abc = {0xa9993e36, 0x4706816a, 0xba3e2571, 0x7850c26c, 0x9cd0d89d};
  Words twice = abc;
  twice.insert(twice.end(), abc.begin(), abc.end());
  EXPECT_EQ(sha1.Result<uint32_t>("digests"), twice);
  EXPECT_EQ(sha1.Result<uint32_t>("digest"),
            (Words{0x84983e44, 0x1c3bd26e, 0xbaae4aa1, 0xf95129e5, 0xe54670f1}));
}

TEST(PaverIntegerReferences, SadComparesEachBlockWithAllDisplacements) {
  // One macroblock: the frame is 3 everywhere; the reference is 1, but for 7 in its first column,
  // which goes on to the left of its edge.
  std::vector<uint16_t> reference(256, 1);
  for (size_t y = 0; y < 16; ++y) reference[16 * y] = 7;
  constexpr size_t kPadded = 1096;
  LiteralCase sad("sad");
  sad.Buffer<uint16_t>("sums", std::vector<uint16_t>(41 * kPadded))
      .Buffer<uint16_t>("frame", std::vector<uint16_t>(256, 3))
      .Buffer<uint16_t>("reference", reference)
      .Launch("'sums', 'frame', {s32=1}, {s32=1}");
  const std::vector<uint16_t> sums = sad.Result<uint16_t>("sums");
  constexpr size_t kCentre = 16 * 33 + 16;              // no displacement
  EXPECT_EQ(sums[kCentre], 16 * (4 + 15 * 2));          // 16 x 16
  EXPECT_EQ(sums[kCentre + 1], 256 * 2);                // one to the right: past the column
  EXPECT_EQ(sums[kCentre - 1], 16 * (2 * 4 + 14 * 2));  // one to the left: the column twice
  EXPECT_EQ(sums[16 * 33], 256 * 4);                    // 16 to the left
  const size_t four = 25 * kPadded;                     // the 4 x 4 blocks stand last
  EXPECT_EQ(sums[four + kCentre], 4 * (4 + 3 * 2));     // the first one has the column
  EXPECT_EQ(sums[four + kPadded + kCentre], 16 * 2);    // the next one has not
  EXPECT_EQ(sums[four + kPadded + kCentre - 4], 4 * (4 + 3 * 2));
  EXPECT_EQ(sums[four + 1089], 0);  // padding
}

TEST(PaverIntegerReferences, MummerFindsTheFirstPlaceOfTheLongestMatch) {
  // Genome acgtacgtta gatta (0 1 2 3); reads "gtta" (at 6) and "cgtc": "cgt" is at 1 and 5, "gt"
  // at 2.
  const std::vector<uint8_t> genome = {0, 1, 2, 3, 0, 1, 2, 3, 3, 0, 2, 0, 3, 3, 0};
  LiteralCase mummer("mummer");
  mummer.Buffer<uint8_t>("letters", {2, 3, 3, 0, 1, 2, 3, 1})
      .Buffer<int32_t>("starts", {0, 4})
      .Buffer<int32_t>("lengths", {4, 4})
      .Buffer<int32_t>("matches", Ints(16, -1))
      .Buffer<uint8_t>("genome", genome)
      .Launch("'letters', 'starts', 'lengths', {s32=2}, {s32=3}, {s32=15}, 'matches'");
  EXPECT_EQ(mummer.Result<int32_t>("matches"),
            (Ints{6, 4, 7, 3, -1, -1, -1, -1, 1, 3, 2, 2, -1, -1, -1, -1}));
}

TEST(PaverIntegerReferences, MummerPrefersTheLongerOfTwoPlacesOfAWord) {
  // The 8 letters 00000001 stand at 0 and 9; the read goes on with 2, as the second place does.
  LiteralCase mummer("mummer");
  mummer.Buffer<uint8_t>("letters", {0, 0, 0, 0, 0, 0, 0, 1, 2})
      .Buffer<int32_t>("starts", {0})
      .Buffer<int32_t>("lengths", {9})
      .Buffer<int32_t>("matches", Ints(18, -1))
      .Buffer<uint8_t>("genome", {0, 0, 0, 0, 0, 0, 0, 1, 3, 0, 0, 0, 0, 0, 0, 0, 1, 2})
      .Launch("'letters', 'starts', 'lengths', {s32=1}, {s32=9}, {s32=18}, 'matches'");
  const Ints matches = mummer.Result<int32_t>("matches");
  EXPECT_EQ(matches[0], 9);
  EXPECT_EQ(matches[1], 9);
  EXPECT_EQ(matches[2], -1);
}

}  // namespace paver_integer_references_test
}  // namespace flagstone
