// Tensor maps among the arguments of a launch: what the keys mean, and each mistake.
#include "kernels/launch/tensor_map.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "kernels/launch/workload.h"
#include "tests/unit/base/error_message.h"

namespace flagstone {
namespace tensor_map_test {

using testing::ElementsAre;
using testing::HasSubstr;

// A launch with this tensor map of a buffer of 1,000 singles.
Workload Parse(const std::string& keys) {
  return Workload::Parse(
      "name = 'demo'\n[buffer.A]\ntype = 'f32'\ncount = 1000\nfill = 'zero'\n[[launch]]\n"
      "ptx = 'k.ptx'\nentry = 'k'\ngrid = [1]\nblock = [1]\nargs = [{ tensor_map = { buffer = "
      "'A', " +
          keys + " } }]\n",
      "w.toml", "test");
}
TensorMap MapOf(const std::string& keys) {
  return *Parse(keys).launches[0].arguments[0].tensor_map;
}
std::string Message(const std::string& keys) {
  return BadInputMessage([&] { Parse(keys); });
}

TEST(ParseTensorMap, LetsRowsFollowOneAnotherWhereNoStrideIsGiven) {
  const Workload workload = Parse("element_bytes = 4, shape = [20, 5, 3], box = [8, 2, 1]");
  const ArgumentSpec& argument = workload.launches[0].arguments[0];
  EXPECT_EQ(argument.buffer, "A");
  EXPECT_EQ(argument.offset, 0U);
  const TensorMap& map = *argument.tensor_map;
  EXPECT_EQ(map.dimensions, 3);
  EXPECT_THAT(map.strides, ElementsAre(4, 80, 400, 0, 0));
  EXPECT_THAT(map.shape, ElementsAre(20, 5, 3, 1, 1));
  EXPECT_THAT(map.box, ElementsAre(8, 2, 1, 1, 1));
  EXPECT_THAT(map.steps, ElementsAre(1, 1, 1, 1, 1));
  EXPECT_EQ(map.swizzle, TensorSwizzle::kNone);
  EXPECT_FALSE(map.nan);
  EXPECT_EQ(map.BoxBytes(), 64U);
}

TEST(ParseTensorMap, ReadsEveryKey) {
  const Workload workload = Parse(
      "offset = 32, element_bytes = 2, shape = [20, 5, 3], strides = [48, 272], "
      "box = [32, 2, 1], steps = [2, 1, 8], swizzle = '32B', outside = 'nan'");
  EXPECT_EQ(workload.launches[0].arguments[0].offset, 32U);
  const TensorMap& map = *workload.launches[0].arguments[0].tensor_map;
  EXPECT_THAT(map.strides, ElementsAre(2, 48, 272, 0, 0));
  EXPECT_THAT(map.steps, ElementsAre(2, 1, 8, 1, 1));
  EXPECT_EQ(map.swizzle, TensorSwizzle::k32);
  EXPECT_TRUE(map.nan);
}

TEST(ParseTensorMap, HasATypeOfTheElementsSize) {
  EXPECT_EQ(MapOf("element_bytes = 2, type = 'bf16', shape = [20], box = [8]").type,
            TensorType::kBf16);
  EXPECT_EQ(MapOf("element_bytes = 4, type = 'tf32.ftz', shape = [20], box = [8]").type,
            TensorType::kTf32Ftz);
  EXPECT_EQ(MapOf("element_bytes = 4, shape = [20], box = [8]").type, TensorType::kUnknown);
  EXPECT_THAT(Message("element_bytes = 4, type = 'f16', shape = [20], box = [8]"),
              HasSubstr("key 'type' is 'f16', of 2 bytes: expected 4"));
  EXPECT_THAT(Message("element_bytes = 4, type = 'half', shape = [20], box = [8]"),
              HasSubstr("expected one of u8, u16, u32, s32,"));
}

TEST(ParseTensorMap, OfImagesHasPixelsChannelsAndCorners) {
  const std::string images = "element_bytes = 4, shape = [16, 5, 4, 3], pixels = 12, ";
  const TensorMap map =
      MapOf(images + "channels = 8, lower = [-1, 0], upper = [-2, 1], steps = [1, 2, 1, 1]");
  EXPECT_TRUE(map.images);
  EXPECT_THAT(map.box, ElementsAre(8, 12, 1, 1, 1));
  EXPECT_THAT(map.lower, ElementsAre(-1, 0, 0));
  EXPECT_THAT(map.upper, ElementsAre(-2, 1, 0));
  EXPECT_EQ(map.BoxBytes(), 8U * 12 * 4);
  EXPECT_THAT(MapOf(images + "channels = 4").upper, ElementsAre(0, 0, 0));
  EXPECT_THAT(Message(images + "channels = 4, box = [4, 1, 1, 1]"),
              HasSubstr("key 'box' stands beside 'pixels': expected 'channels'"));
  EXPECT_THAT(Message(images + "channels = 4, lower = [0]"),
              HasSubstr("key 'lower' has 1 elements: expected 2"));
  EXPECT_THAT(Message(images + "channels = 4, lower = [-129, 0]"),
              HasSubstr("a corner of -129 in dimension 1: expected -128 to 127"));
  EXPECT_THAT(Message(images + "channels = 4, upper = [0, -4]"),
              HasSubstr("a lower corner beyond the upper one in dimension 2"));
  EXPECT_THAT(Message(images + "channels = 3"), HasSubstr("a row of the box has 12 bytes"));
  EXPECT_THAT(Message("element_bytes = 4, shape = [16, 5], pixels = 12, channels = 8"),
              HasSubstr("key 'shape' has 2 elements: expected 3 to 5 with 'pixels'"));
}

TEST(ParseTensorMap, HasStridesAndOffsetsOfWholeUnitsOfSixteenBytes) {
  EXPECT_EQ(MapOf("element_bytes = 4, shape = [20, 5], strides = [96], box = [4, 1]").strides[1],
            96U);
  EXPECT_THAT(Message("element_bytes = 4, shape = [20, 5], strides = [88], box = [4, 1]"),
              HasSubstr("dimension 1 has a stride of 88 bytes: expected a multiple of 16"));
  EXPECT_THAT(Message("element_bytes = 4, shape = [21, 5], box = [4, 1]"),
              HasSubstr("dimension 1 has a stride of 84 bytes"));
  EXPECT_THAT(Message("element_bytes = 4, shape = [20, 5], strides = [96, 16], box = [4, 1]"),
              HasSubstr("key 'strides' has 2 elements: expected 1"));
  EXPECT_THAT(Message("offset = 8, element_bytes = 4, shape = [20], box = [4]"),
              HasSubstr("key 'offset' is 8: expected a multiple of 16"));
  EXPECT_THAT(Message(fmt::format("offset = {}, element_bytes = 4, shape = [20], box = [4]",
                                  (int64_t{1} << 40) + 16)),
              HasSubstr("key 'offset' is 1099511627792"));
}

TEST(ParseTensorMap, HasRowsOfTheBoxOfWholeUnitsThatASwizzleHasRoomFor) {
  EXPECT_THAT(Message("element_bytes = 4, shape = [20], box = [5]"),
              HasSubstr("a row of the box has 20 bytes: expected a multiple of 16"));
  for (const auto& [name, bytes] : {std::pair("32B", 32), {"64B", 64}, {"128B", 128}}) {
    const auto keys = [name = name](int row) {
      return fmt::format("element_bytes = 4, shape = [100], box = [{}], swizzle = '{}'", row / 4,
                         name);
    };
    EXPECT_EQ(MapOf(keys(bytes)).BoxBytes(), static_cast<uint64_t>(bytes)) << name;
    EXPECT_THAT(Message(keys(bytes + 16)),
                HasSubstr(fmt::format("expected at most {} with this swizzle", bytes)));
  }
  EXPECT_THAT(Message("element_bytes = 4, shape = [20], box = [4], swizzle = '16B'"),
              HasSubstr("expected one of none, 32B, 64B, 128B"));
}

TEST(ParseTensorMap, ReadsNansOfFloatsAlone) {
  EXPECT_THAT(Message("element_bytes = 1, shape = [20], box = [16], outside = 'nan'"),
              HasSubstr("expected floats, of 2 bytes or more"));
  EXPECT_FALSE(MapOf("element_bytes = 1, shape = [20], box = [16]").nan);
  EXPECT_THAT(Message("element_bytes = 4, shape = [20], box = [4], outside = 'one'"),
              HasSubstr("key 'outside' is 'one': expected one of zero, nan"));
}

TEST(ParseTensorMap, TakesOneToFiveDimensionsAndElementsOfAPowerOfTwo) {
  EXPECT_EQ(MapOf("element_bytes = 8, shape = [2, 1, 1, 1, 1], box = [2, 1, 1, 1, 1]").dimensions,
            5);
  EXPECT_THAT(Message("element_bytes = 4, shape = [], box = []"),
              HasSubstr("key 'shape' has 0 elements: expected 1 to 5"));
  EXPECT_THAT(Message("element_bytes = 4, shape = [4, 1, 1, 1, 1, 1], box = [4, 1, 1, 1, 1, 1]"),
              HasSubstr("key 'shape' has 6 elements: expected 1 to 5"));
  EXPECT_THAT(Message("element_bytes = 6, shape = [20], box = [8]"),
              HasSubstr("key 'element_bytes' is 6: expected 1, 2, 4 or 8"));
  EXPECT_THAT(Message("element_bytes = 4, shape = [20, 4], box = [4]"),
              HasSubstr("key 'box' has 1 elements: expected 2"));
  EXPECT_THAT(Message("element_bytes = 4, shape = [20]"), HasSubstr("missing key 'box'"));
}

TEST(ParseTensorMap, EndsInsideItsBuffer) {
  // 40 rows of 100 bytes, with 16 between them, would be 4,624; a last row needs no rest.
  EXPECT_EQ(MapOf("element_bytes = 4, shape = [25, 35], strides = [112], box = [4, 1]").shape[1],
            35U);
  EXPECT_EQ(MapOf("offset = 3200, element_bytes = 4, shape = [200], box = [4]").shape[0], 200U);
  EXPECT_THAT(Message("offset = 3216, element_bytes = 4, shape = [200], box = [4]"),
              HasSubstr("a tensor map of 'A' ends after 4016 bytes: expected at most 4000 ('A')"));
}

}  // namespace tensor_map_test
}  // namespace flagstone
