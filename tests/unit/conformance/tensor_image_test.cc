// Tensor copies of pixels of images and of four rows (PTX ISA, sections 5.5.3.3, 5.5.4 and
// 9.7.9.27.1), against loops of the host.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "tests/unit/conformance/reduction_oracle.h"
#include "tests/unit/conformance/tensor_run.h"
#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone::conformance {
namespace tensor_image_test {

using ::testing::HasSubstr;

// Channels, width, perhaps height and depth, and images; corners are off by one pixel.
TensorMap Images(uint32_t dimensions, uint32_t element) {
  TensorMap map;
  map.images = true;
  map.dimensions = static_cast<uint8_t>(dimensions);
  map.type = element == 2 ? TensorType::kF16 : TensorType::kU32;
  map.strides[0] = element;
  map.box = {static_cast<uint16_t>(32 / element), 37, 1, 1, 1};
  const std::vector<uint32_t> shape = dimensions == 3   ? std::vector<uint32_t>{24, 11, 4}
                                      : dimensions == 4 ? std::vector<uint32_t>{24, 7, 5, 3}
                                                        : std::vector<uint32_t>{24, 5, 4, 3, 2};
  for (uint32_t d = 0; d < dimensions; ++d) {
    map.shape[d] = shape[d];
    if (d > 0) map.strides[d] = d == 1 ? 112 : map.strides[d - 1] * shape[d - 1];
    if (d > 0 && d + 1 < dimensions) {
      map.lower[d - 1] = -1;
      map.upper[d - 1] = -1;
    }
  }
  return map;
}

// Where in the tensor each element of the box lies, or -1: all places that the box's corners leave,
// in the order of images, depths, heights and widths, from the first pixel on.
std::vector<int64_t> PlacesOf(const TensorMap& map, const std::vector<int32_t>& at,
                              const std::vector<uint32_t>& offsets) {
  const uint32_t last = map.dimensions - 1U;
  std::vector<std::vector<int64_t>> pixels;  // width, height, depth, image
  const auto range = [&](uint32_t d) {
    std::vector<int64_t> places;
    const bool spatial = d > 0 && d < last;
    if (!spatial) return std::vector<int64_t>{0};
    for (int64_t x = map.lower[d - 1]; x <= int64_t{map.shape[d]} - 1 + map.upper[d - 1];
         x += map.steps[d]) {
      places.push_back(x);
    }
    return places;
  };
  for (int64_t image = at[last]; image < int64_t{map.shape[last]} + 40; ++image) {
    for (const int64_t z : range(3)) {
      for (const int64_t y : range(2)) {
        for (const int64_t x : range(1)) {
          std::vector<int64_t> pixel = {0, x, y, z};
          pixel.resize(map.dimensions);
          pixel[last] = image;
          pixels.push_back(pixel);
        }
      }
    }
  }
  size_t first = 0;
  const auto is_first = [&](const std::vector<int64_t>& pixel) {
    bool same = true;
    for (uint32_t d = 1; d <= last; ++d) same &= pixel[d] == at[d];
    return same;
  };
  while (!is_first(pixels[first])) ++first;
  std::vector<int64_t> places;
  for (uint32_t i = 0; i < map.box[1]; ++i) {
    const std::vector<int64_t>& pixel = pixels[first + i];
    for (uint32_t channel = 0; channel < map.box[0]; ++channel) {
      const int64_t c = at[0] + int64_t{channel};
      int64_t place = c * static_cast<int64_t>(map.strides[0]);
      bool inside = c >= 0 && c < int64_t{map.shape[0]};
      for (uint32_t d = 1; d <= last; ++d) {
        const int64_t x = pixel[d] + (d < last ? int64_t{offsets[d - 1]} : 0);
        inside &= x >= 0 && x < int64_t{map.shape[d]};
        place += x * static_cast<int64_t>(map.strides[d]);
      }
      places.push_back(inside ? place : -1);
    }
  }
  return places;
}

std::string OffsetList(const std::vector<uint32_t>& offsets) {
  return CoordinateList({offsets.begin(), offsets.end()});
}

void CheckLoad(const TensorMap& map, const std::vector<int32_t>& at,
               const std::vector<uint32_t>& offsets, bool multicast = false) {
  const TensorState before = {RandomBytes(TensorBytes(map), 3), RandomBytes(kTensorRoom, 4)};
  const std::string copy = fmt::format(
      "cp.async.bulk.tensor.{}d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes{} "
      "[%r10], [%rd4, {{{}}}], [%r11], {{{}}}{};",
      map.dimensions, multicast ? ".multicast::cluster" : "", CoordinateList(at),
      OffsetList(offsets), multicast ? ", %rs1" : "");
  const TensorState got = RunTensorCopy(map, copy, map.BoxBytes(), before);
  TensorState expected = before;
  const uint64_t width = map.ElementBytes();
  uint64_t element = 0;
  for (const int64_t place : PlacesOf(map, at, offsets)) {
    for (uint64_t byte = 0; byte < width; ++byte) {
      const uint8_t nan = byte + 1 == width ? 0x7f : 0xff;
      expected.room[SwizzledByte(element * width + byte, map.swizzle)] =
          place >= 0 ? before.tensor[static_cast<uint64_t>(place) + byte]
          : map.nan  ? nan
                     : 0;
    }
    ++element;
  }
  EXPECT_EQ(got.room, expected.room) << copy;
}

TEST(TensorImages, LoadPixelsInTheirOrderFromCornerToCorner) {
  for (const uint32_t element : {2U, 4U}) {
    CheckLoad(Images(3, element), {8, 2, 0}, {1});
    CheckLoad(Images(3, element), {-3, -1, 2}, {0}, true);
    CheckLoad(Images(4, element), {0, 3, 2, 1}, {1, 2});
    CheckLoad(Images(4, element), {20, -1, -1, 2}, {0, 1}, true);
    CheckLoad(Images(5, element), {4, 1, 0, 1, 0}, {1, 0, 2});
    CheckLoad(Images(5, element), {4, 3, 2, 1, 1}, {0, 0, 0}, true);
  }
}

TEST(TensorImages, LoadWithSwizzlesStepsAndNans) {
  TensorMap map = Images(4, 2);
  map.nan = true;
  map.swizzle = TensorSwizzle::k32;
  map.steps = {1, 2, 3, 1, 1};
  CheckLoad(map, {0, 3, 2, 0}, {1, 1});
  map.swizzle = TensorSwizzle::k64;
  map.box[0] = 32;
  map.lower = {0, -2, 0};
  map.upper = {-2, 0, 0};
  CheckLoad(map, {0, 2, 1, 1}, {2, 2});
}

// With the example of the ISA (Figure 13): 64 pixels of 8 channels from (7, 7, 4, 0) on.
TEST(TensorImages, LoadTheIsasExample) {
  TensorMap map;
  map.images = true;
  map.dimensions = 4;
  map.type = TensorType::kU32;
  map.shape = {64, 9, 14, 64, 1};
  map.strides = {4, 256, 2304, 32256, 0};
  map.box = {8, 64, 1, 1, 1};
  map.lower = {-1, -1, 0};
  map.upper = {-1, -1, 0};
  CheckLoad(map, {7, 7, 4, 0}, {0, 0});
}

void CheckStore(const TensorMap& map, const std::vector<int32_t>& at, bool reduce,
                const std::string& operation = "", ptx::AtomicOp op = ptx::AtomicOp::kNone) {
  const uint64_t width = map.ElementBytes();
  TensorState before = {RandomBytes(TensorBytes(map), 5), RandomBytes(kTensorRoom, 6)};
  TensorState expected = before;
  uint64_t element = 0;
  for (const int64_t place : PlacesOf(map, at, {0, 0, 0})) {
    if (place >= 0) {
      uint64_t old = 0, operand = 0;
      std::memcpy(&old, before.tensor.data() + place, width);
      std::memcpy(&operand, before.room.data() + element * width, width);
      if (reduce) operand = Reduced(op, ptx::Type::kU32, old, operand);
      std::memcpy(expected.tensor.data() + place, &operand, width);
    }
    ++element;
  }
  const std::string copy = fmt::format(
      "cp.{}async.bulk.tensor.{}d.global.shared::cta{}.im2col_no_offs.bulk_group [%rd4, {{{}}}], "
      "[%r10];",
      reduce ? "reduce." : "", map.dimensions, reduce ? "." + operation : "", CoordinateList(at));
  EXPECT_EQ(RunTensorCopy(map, copy, 0, before).tensor, expected.tensor) << copy;
}

TEST(TensorImages, StoreAndReduceWithoutOffsets) {
  using ptx::AtomicOp;
  const std::vector<std::vector<int32_t>> at = {{8, 2, 0}, {0, 3, 2, 1}, {4, 1, 0, 1, 0}};
  for (uint32_t dimensions = 3; dimensions <= 5; ++dimensions) {
    const std::vector<int32_t>& first = at[dimensions - 3];
    CheckStore(Images(dimensions, 2), first, false);
    const std::pair<const char*, AtomicOp> operations[] = {
        {"add", AtomicOp::kAdd}, {"min", AtomicOp::kMin}, {"max", AtomicOp::kMax},
        {"inc", AtomicOp::kInc}, {"dec", AtomicOp::kDec}, {"and", AtomicOp::kAnd},
        {"or", AtomicOp::kOr},   {"xor", AtomicOp::kXor}};
    for (const auto& [name, op] : operations) {
      CheckStore(Images(dimensions, 4), first, true, name, op);
    }
  }
}

// The message of a load or prefetch that breaks a rule.
std::string MessageOfLoad(const TensorMap& map, const std::string& at, const std::string& offsets) {
  return MessageOf(ErrorKind::kRunFailed, [&] {
    RunTensorCopy(map,
                  fmt::format("cp.async.bulk.prefetch.tensor.{}d.L2.global{} [%rd4, {{{}}}]{};",
                              map.dimensions, offsets.empty() ? "" : ".im2col", at,
                              offsets.empty() ? "" : ", {" + offsets + "}"),
                  0, {Bytes(TensorBytes(Images(4, 4))), Bytes(kTensorRoom)});
  });
}

TEST(TensorImages, AreCheckedWhereTheyAreUsed) {
  EXPECT_THAT(MessageOfLoad(Images(4, 4), "0, 6, 0, 0", "0, 0"),
              HasSubstr("a first pixel at 6 in dimension 1: expected -1 to 5"));
  EXPECT_THAT(MessageOfLoad(Images(4, 4), "0, 0, -2, 0", "0, 0"),
              HasSubstr("a first pixel at -2 in dimension 2: expected -1 to 3"));
  EXPECT_THAT(MessageOfLoad(Images(4, 4), "0, 0, 0, 0", "0, 256"),
              HasSubstr("an offset of 256 in dimension 2: expected at most 255"));
  EXPECT_THAT(MessageOfLoad(Images(4, 4), "0, 0, 0, 0", ""),
              HasSubstr("a map of images: expected one of tiles"));
  TensorMap map = Images(4, 4);
  map.images = false;
  map.box = {8, 1, 1, 1, 1};
  EXPECT_THAT(MessageOfLoad(map, "0, 0, 0, 0", "0, 0"),
              HasSubstr("a map of tiles: expected images"));
  map = Images(4, 4);
  map.lower[0] = -200;
  EXPECT_THAT(MessageOfLoad(map, "0, 0, 0, 0", "0, 0"),
              HasSubstr("a corner of -200 in dimension 1: expected -128 to 127"));
  map.lower[0] = 6;
  EXPECT_THAT(MessageOfLoad(map, "0, 0, 0, 0", "0, 0"),
              HasSubstr("a lower corner beyond the upper one in dimension 1"));
}

// Rows 4, 0, 11 (outside) and 2 of 8 columns.
TEST(TensorRows, AreGatheredAndScattered) {
  TensorMap map;
  map.dimensions = 2;
  map.strides = {4, 96, 0, 0, 0};
  map.shape = {20, 9, 1, 1, 1};
  map.box = {8, 1, 1, 1, 1};
  const std::vector<int64_t> rows = {4, 0, 11, 2};
  const TensorState before = {RandomBytes(TensorBytes(map), 7), RandomBytes(kTensorRoom, 8)};
  TensorState loaded = before, stored = before;
  for (uint64_t i = 0; i < 4 * 8; ++i) {
    const auto column = static_cast<int64_t>(i % 8) + 14;
    const int64_t row = rows[i / 8];
    const bool inside = column < 20 && row < 9;
    const int64_t place = row * 96 + column * 4;
    std::memset(loaded.room.data() + 4 * i, 0, 4);
    if (!inside) continue;
    std::memcpy(loaded.room.data() + 4 * i, before.tensor.data() + place, 4);
    std::memcpy(stored.tensor.data() + place, before.room.data() + 4 * i, 4);
  }
  const std::string place = "[%rd4, {14, 4, 0, 11, 2}]";
  EXPECT_EQ(RunTensorCopy(map,
                          "cp.async.bulk.tensor.2d.shared::cluster.global.tile::gather4.mbarrier::"
                          "complete_tx::bytes [%r10], " +
                              place + ", [%r11];",
                          4 * 32, before)
                .room,
            loaded.room);
  EXPECT_EQ(RunTensorCopy(map,
                          "cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group " +
                              place + ", [%r10];",
                          0, before)
                .tensor,
            stored.tensor);
  map.box[1] = 2;
  EXPECT_THAT(
      MessageOf(ErrorKind::kRunFailed,
                [&] {
                  RunTensorCopy(
                      map,
                      "cp.async.bulk.prefetch.tensor.2d.L2.global.tile::gather4 " + place + ";", 0,
                      before);
                }),
      HasSubstr("a box of 2 rows: expected 1"));
}

}  // namespace tensor_image_test
}  // namespace flagstone::conformance
