#include "kernels/launch/fill.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "kernels/launch/element.h"
#include "tests/unit/base/error_message.h"
#include "tests/unit/base/temporary_folder.h"

namespace flagstone {
namespace fill_test {

template <class T>
std::vector<T> Filled(ElementType type, uint64_t count, const Fill& fill) {
  const BufferSpec spec = {.name = "a", .type = type, .count = count, .fill = fill};
  EXPECT_EQ(spec.Bytes(), count * sizeof(T));
  std::vector<T> elements(count, T{99});
  FillBuffer(spec, std::as_writable_bytes(std::span(elements)));
  return elements;
}

TEST(Fill, WritesZerosOverWhatWasThere) {
  EXPECT_EQ(Filled<int32_t>(ElementType::kS32, 3, {.kind = Fill::Kind::kZero}),
            (std::vector<int32_t>{0, 0, 0}));
}

TEST(Fill, WritesAConstantOfEachKindOfType) {
  EXPECT_EQ(Filled<int8_t>(ElementType::kS8, 2, {.kind = Fill::Kind::kConstant, .value = -128}),
            (std::vector<int8_t>{-128, -128}));
  EXPECT_EQ(Filled<uint16_t>(ElementType::kU16, 1, {.kind = Fill::Kind::kConstant, .value = 65535}),
            (std::vector<uint16_t>{65535}));
  EXPECT_EQ(Filled<double>(ElementType::kF64, 1, {.kind = Fill::Kind::kConstant, .value = 0.1}),
            (std::vector<double>{0.1}));
  EXPECT_EQ(Filled<int32_t>(ElementType::kS32, 3,
                            {.kind = Fill::Kind::kConstant, .value = -1, .first = 0}),
            (std::vector<int32_t>{0, -1, -1}));
  const auto infinite = Filled<float>(
      ElementType::kF32, 1,
      {.kind = Fill::Kind::kConstant, .value = std::numeric_limits<double>::infinity()});
  EXPECT_TRUE(std::isinf(infinite[0]));
}

TEST(Fill, CountsUpAndDownFromTheStart) {
  EXPECT_EQ(
      Filled<int64_t>(ElementType::kS64, 3, {.kind = Fill::Kind::kIota, .start = 1, .step = -2}),
      (std::vector<int64_t>{1, -1, -3}));
  EXPECT_EQ(
      Filled<float>(ElementType::kF32, 3, {.kind = Fill::Kind::kIota, .start = 0.5, .step = 0.25}),
      (std::vector<float>{0.5F, 0.75F, 1.0F}));
}

TEST(Fill, DrawsUniformFloatsBitForBitAsDocumented) {
  // SplitMix64's outputs for seed 1234567 are 6457827717110365317 and 3203168211198807973.
  const double first = static_cast<double>(6457827717110365317U >> 11) / 9007199254740992.0;
  const double second = static_cast<double>(3203168211198807973U >> 11) / 9007199254740992.0;
  const Fill fill = {.kind = Fill::Kind::kUniform, .seed = 1234567, .min = -1, .max = 3};
  EXPECT_EQ(Filled<double>(ElementType::kF64, 2, fill),
            (std::vector<double>{-1 + 4 * first, -1 + 4 * second}));
  EXPECT_EQ(Filled<float>(ElementType::kF32, 2, fill),
            (std::vector<float>{static_cast<float>(-1 + 4 * first),
                                static_cast<float>(-1 + 4 * second)}));
}

TEST(Fill, DrawsUniformIntegersWithBothBounds) {
  const Fill fill = {.kind = Fill::Kind::kUniform, .seed = 1234567, .min = -2, .max = 2};
  const auto elements = Filled<int8_t>(ElementType::kS8, 200, fill);
  EXPECT_EQ(elements[0], -2 + static_cast<int>(6457827717110365317U % 5));
  EXPECT_EQ(elements[1], -2 + static_cast<int>(3203168211198807973U % 5));
  EXPECT_EQ(*std::min_element(elements.begin(), elements.end()), -2);
  EXPECT_EQ(*std::max_element(elements.begin(), elements.end()), 2);
}

TEST(Fill, DependsOnTheSeedAlone) {
  Fill fill = {.kind = Fill::Kind::kUniform, .seed = 5};
  const auto once = Filled<float>(ElementType::kF32, 100, fill);
  EXPECT_EQ(Filled<float>(ElementType::kF32, 100, fill), once);
  const auto longer = Filled<float>(ElementType::kF32, 200, fill);
  EXPECT_TRUE(std::equal(once.begin(), once.end(), longer.begin()));
  fill.seed = 6;
  EXPECT_NE(Filled<float>(ElementType::kF32, 100, fill), once);
}

TEST(Fill, SortsTheNumbersOfTheUniformFill) {
  Fill fill = {.kind = Fill::Kind::kUniform, .seed = 8, .min = -50, .max = 50};
  auto drawn = Filled<int16_t>(ElementType::kS16, 200, fill);
  fill.kind = Fill::Kind::kSorted;
  const auto sorted = Filled<int16_t>(ElementType::kS16, 200, fill);
  EXPECT_NE(sorted, drawn);
  std::sort(drawn.begin(), drawn.end());
  EXPECT_EQ(sorted, drawn);
}

TEST(Fill, ShufflesAPermutation) {
  const Fill fill = {.kind = Fill::Kind::kPermutation, .seed = 1234567};
  // SplitMix64's outputs for seed 1234567 are 6457827717110365317, 3203168211198807973: the last of
  // three changes places with element 6457827717110365317 % 3 = 0, the second with element 1.
  EXPECT_EQ(Filled<uint32_t>(ElementType::kU32, 3, fill), (std::vector<uint32_t>{2, 1, 0}));
  auto all = Filled<uint32_t>(ElementType::kU32, 1000, fill);
  EXPECT_FALSE(std::is_sorted(all.begin(), all.end()));
  std::sort(all.begin(), all.end());
  for (uint32_t i = 0; i < all.size(); ++i) ASSERT_EQ(all[i], i);
}

TEST(Fill, TakesAFilesBytesAsTheyAre) {
  const TemporaryFolder folder;
  const Fill fill = {.kind = Fill::Kind::kFile,
                     .file = folder.Write("f", std::string_view("\1\0\0\0\xff\xff\xff\xff", 8))};
  EXPECT_EQ(Filled<int32_t>(ElementType::kS32, 2, fill), (std::vector<int32_t>{1, -1}));
}

TEST(Fill, RejectsAFileOfAnotherSize) {
  const TemporaryFolder folder;
  const Fill fill = {.kind = Fill::Kind::kFile, .file = folder.Write("f", "12345")};
  EXPECT_EQ(BadInputMessage([&] { Filled<int32_t>(ElementType::kS32, 2, fill); }),
            "'" + fill.file.string() + "' has 5 bytes: expected 8 for buffer 'a' of 2 s32");
}

}  // namespace fill_test
}  // namespace flagstone
