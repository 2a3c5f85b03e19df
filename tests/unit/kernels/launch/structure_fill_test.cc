// The fills sphere and btree, and runs of sorted numbers.
#include "kernels/launch/structure_fill.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "kernels/inputs/btree.h"
#include "kernels/inputs/sphere.h"
#include "kernels/launch/fill.h"
#include "tests/unit/base/error_message.h"

namespace flagstone {
namespace structure_fill_test {

template <class T>
std::vector<T> Filled(ElementType type, uint64_t count, const Fill& fill) {
  const BufferSpec spec = {.name = "a", .type = type, .count = count, .fill = fill};
  std::vector<T> elements(count, T{99});
  FillBuffer(spec, std::as_writable_bytes(std::span(elements)));
  return elements;
}

TEST(Sphere, HasItsPointsOnTheSphereAndOnAllSides) {
  std::array<int, 8> octants{};
  for (const auto& [x, y, z] : SpherePoints(8000, 3)) {
    EXPECT_NEAR(x * x + y * y + z * z, 1, 1e-12);
    ++octants[(x > 0 ? 1U : 0U) + (y > 0 ? 2U : 0U) + (z > 0 ? 4U : 0U)];
  }
  // 1000 each; 150 is five standard deviations.
  for (const int points : octants) EXPECT_NEAR(points, 1000, 150);
}

TEST(Sphere, TakesItsPointsFromTheRandomNumbersAsDocumented) {
  // SplitMix64's outputs for seed 1234567 are 6457827717110365317 and 3203168211198807973: a point
  // of the unit disk, which is lifted to the sphere.
  const double u = 2 * static_cast<double>(6457827717110365317U >> 11) / 9007199254740992.0 - 1;
  const double v = 2 * static_cast<double>(3203168211198807973U >> 11) / 9007199254740992.0 - 1;
  const double square = u * u + v * v;
  ASSERT_LT(square, 1);
  const auto point = SpherePoints(1, 1234567).at(0);
  EXPECT_DOUBLE_EQ(point[0], 2 * u * std::sqrt(1 - square));
  EXPECT_DOUBLE_EQ(point[1], 2 * v * std::sqrt(1 - square));
  EXPECT_DOUBLE_EQ(point[2], 1 - 2 * square);
}

TEST(Sphere, GivesTheCoordinatesOfTheSamePointsToBuffersOfOneSeed) {
  const auto points = SpherePoints(5, 7);
  for (uint64_t axis = 0; axis < 3; ++axis) {
    const auto values =
        Filled<float>(ElementType::kF32, 5, {.kind = Fill::Kind::kSphere, .seed = 7, .axis = axis});
    for (size_t i = 0; i < 5; ++i) EXPECT_EQ(values[i], static_cast<float>(points[i][axis]));
  }
}

constexpr int32_t kNone = std::numeric_limits<int32_t>::max();
constexpr int32_t kLeast = std::numeric_limits<int32_t>::min();

TEST(Btree, OfFiveKeysTwoANodeIsTheOneDrawnByHand) {
  // Leaves (0 1) (2 3) (4), above them (0 2) and (4), above those the root: order 3, so 4 indices
  // and 4 keys a node.
  const BtreeShape shape = {.keys = 5, .order = 3, .per_node = 2};
  EXPECT_EQ(BtreeNodeCount(shape), 6U);
  const std::vector<int32_t> expected = {
      0, 1, 2,  -1, -1, kLeast, 4,     kNone, kNone, 0, 2,  // root
      1, 3, 4,  -1, -1, kLeast, 2,     kNone, kNone, 0, 2,  // inner nodes
      2, 5, -1, -1, -1, 4,      kNone, kNone, kNone, 0, 1,  //
      3, 0, 1,  -1, -1, 0,      1,     kNone, kNone, 1, 2,  // leaves
      4, 2, 3,  -1, -1, 2,      3,     kNone, kNone, 1, 2,  //
      5, 4, -1, -1, -1, 4,      kNone, kNone, kNone, 1, 1,
  };
  EXPECT_EQ(BtreeNodes(shape), expected);
  EXPECT_EQ(Filled<int32_t>(ElementType::kS32, expected.size(),
                            {.kind = Fill::Kind::kBtree, .keys = 5, .order = 3, .per_node = 2}),
            expected);
}

TEST(Btree, LeadsEachKeyFromTheRootToItsRecord) {
  const BtreeShape shape = {.keys = 1000, .order = 16, .per_node = 7};
  const std::vector<int32_t> words = BtreeNodes(shape);
  const size_t node_words = BtreeNodeWords(shape);
  for (int32_t key = 0; key < 1000; ++key) {
    size_t node = 0;
    while (words[node * node_words + node_words - 2] == 0) {
      const int32_t* indices = &words[node * node_words + 1];
      const int32_t* keys = indices + shape.order + 1;
      size_t i = 0;
      while (!(keys[i] <= key && key < keys[i + 1])) ASSERT_LT(++i, shape.order);
      node = static_cast<size_t>(indices[i]);
      EXPECT_EQ(words[node * node_words], indices[i]);
    }
    const int32_t* keys = &words[node * node_words + shape.order + 2];
    const auto found = std::find(keys, keys + shape.order, key);
    ASSERT_NE(found, keys + shape.order) << key;
    EXPECT_EQ(words[node * node_words + 1 + static_cast<size_t>(found - keys)], key);
  }
}

TEST(Btree, WithRoomForAllKeysIsOneLeaf) {
  EXPECT_EQ(BtreeNodes({.keys = 2, .order = 2, .per_node = 2}),
            (std::vector<int32_t>{0, 0, 1, -1, 0, 1, kNone, 1, 2}));
}

TEST(Sorted, InRunsHasTheNumbersOfUniformRunByRun) {
  Fill fill = {.kind = Fill::Kind::kUniform, .seed = 4, .min = 0, .max = 100};
  std::vector<int32_t> expected = Filled<int32_t>(ElementType::kS32, 10, fill);
  EXPECT_FALSE(std::is_sorted(expected.begin(), expected.begin() + 4));
  std::sort(expected.begin(), expected.begin() + 4);
  std::sort(expected.begin() + 4, expected.begin() + 8);
  std::sort(expected.begin() + 8, expected.end());
  fill.kind = Fill::Kind::kSorted;
  fill.run = 4;
  EXPECT_EQ(Filled<int32_t>(ElementType::kS32, 10, fill), expected);
}

std::string Refusal(std::string_view type, int count, std::string_view fill) {
  return BadInputMessage([&] {
    Workload::Parse(fmt::format("name='x'\n[buffer.a]\ntype='{}'\ncount={}\nfill={}\n"
                                "[[launch]]\nptx='k'\nentry='k'\ngrid=[1]\nblock=[1]\nargs=[]\n",
                                type, count, fill),
                    "w.toml", "test");
  });
}

TEST(StructureFill, RefusesWhatItCannotHold) {
  EXPECT_EQ(Refusal("s32", 4, "'sphere'\naxis=0"),
            "w.toml:3:6: key 'type' is 's32': expected 'f32' for fill 'sphere'");
  EXPECT_EQ(Refusal("f32", 4, "'sphere'\naxis=3"),
            "w.toml:6:6: key 'axis' is 3: expected an integer from 0 to 2");
  EXPECT_EQ(Refusal("s32", 65, "'btree'\nkeys=5\norder=3\nper_node=2"),
            "w.toml:4:7: key 'count' is 65: expected 66 (6 nodes of 2 * order + 5)");
  EXPECT_EQ(Refusal("s32", 66, "'btree'\nkeys=5\norder=3\nper_node=4"),
            "w.toml:8:10: key 'per_node' is 4: expected an integer from 2 to 3");
  EXPECT_EQ(Refusal("u32", 66, "'btree'\nkeys=5\norder=3\nper_node=2"),
            "w.toml:3:6: key 'type' is 'u32': expected 's32' for fill 'btree'");
  EXPECT_EQ(Refusal("s32", 40, "'suffix-tree'\nletters=3"),
            "w.toml:4:7: key 'count' is 40: expected 48 (16 * letters)");
  EXPECT_EQ(Refusal("u8", 40, "'reads'\nletters=3\nlength=4"),
            "w.toml:7:8: key 'length' is 4: expected an integer from 1 to 3");
  EXPECT_EQ(Refusal("u8", 40, "'sorted'\nrun=0"),
            "w.toml:6:5: key 'run' is 0: expected an integer from 1 to 17179869184");
}

}  // namespace structure_fill_test
}  // namespace flagstone
