// Tensor copies of pixels of images by their width alone, with halos (PTX ISA, section 5.5.5),
// against loops of the host.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/unit/conformance/tensor_run.h"
#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone::conformance {
namespace tensor_width_test {

using ::testing::HasSubstr;

// Channels, width, perhaps height and depth, and images.
TensorMap Images(uint32_t dimensions, TensorSwizzle swizzle) {
  TensorMap map;
  map.images = true;
  map.dimensions = static_cast<uint8_t>(dimensions);
  map.type = TensorType::kF16;
  map.swizzle = swizzle;
  map.strides[0] = 2;
  map.box = {8, 21, 1, 1, 1};
  const std::vector<uint32_t> shape = dimensions == 3   ? std::vector<uint32_t>{8, 9, 24}
                                      : dimensions == 4 ? std::vector<uint32_t>{8, 7, 3, 26}
                                                        : std::vector<uint32_t>{8, 5, 2, 3, 36};
  for (uint32_t d = 0; d < dimensions; ++d) {
    map.shape[d] = shape[d];
    if (d > 0) map.strides[d] = d == 1 ? 32 : map.strides[d - 1] * shape[d - 1];
  }
  map.lower[0] = -1;
  map.upper[0] = -1;
  return map;
}

struct Copy {
  bool fixed = false;  // im2col::w::128
  uint32_t halo = 0, offset = 0;
};

// Where in the tensor each pixel lies that the copy takes, or -1. The walk goes along the widths of
// all images; of the fixed one, four parts of 32 pixels have a halo each.
std::vector<int64_t> PlacesOf(const TensorMap& map, const std::vector<int32_t>& at,
                              const Copy& copy) {
  const uint32_t last = map.dimensions - 1U;
  std::vector<int64_t> walk;
  for (int64_t image = at[last]; walk.size() < 400; ++image) {
    const int64_t first = image == at[last] ? at[1] : map.lower[0];
    for (int64_t x = first; x <= int64_t{map.shape[1]} - 1 + map.upper[0]; x += map.steps[1]) {
      const int64_t moved = x + copy.offset;
      bool inside = moved >= 0 && moved < map.shape[1] && image < map.shape[last];
      int64_t place = moved * static_cast<int64_t>(map.strides[1]) +
                      image * static_cast<int64_t>(map.strides[last]);
      for (uint32_t d = 2; d < last; ++d) {
        inside &= at[d] >= 0 && at[d] < static_cast<int64_t>(map.shape[d]);
        place += at[d] * static_cast<int64_t>(map.strides[d]);
      }
      walk.push_back(inside ? place : -1);
    }
  }
  const size_t pixels = copy.fixed ? 128 : map.box[1];
  std::vector<int64_t> places(walk.begin(), walk.begin() + static_cast<std::ptrdiff_t>(pixels));
  for (size_t k = 0; k < copy.halo; ++k) {
    for (const size_t end :
         copy.fixed ? std::vector<size_t>{32, 64, 96, 128} : std::vector<size_t>{pixels}) {
      places.push_back(walk[end + k]);
    }
  }
  return places;
}

void CheckLoad(const TensorMap& map, const std::vector<int32_t>& at, const Copy& how,
               bool multicast = false) {
  const TensorState before = {RandomBytes(TensorBytes(map), 3), RandomBytes(kTensorRoom, 4)};
  const std::string copy = fmt::format(
      "cp.async.bulk.tensor.{}d.shared::cluster.global.im2col::w{}.mbarrier::complete_tx::bytes{} "
      "[%r10], [%rd4, {{{}}}], [%r11], {{{}, {}}}{};",
      map.dimensions, how.fixed ? "::128" : "", multicast ? ".multicast::cluster" : "",
      CoordinateList(at), how.halo, how.offset, multicast ? ", %rs1" : "");
  const std::vector<int64_t> places = PlacesOf(map, at, how);
  const uint64_t width = map.box[0] * map.ElementBytes();
  const TensorState got = RunTensorCopy(map, copy, places.size() * width, before);
  TensorState expected = before;
  for (size_t pixel = 0; pixel < places.size(); ++pixel) {
    for (uint64_t byte = 0; byte < width; ++byte) {
      const uint64_t channel_end =
          (map.shape[0] - static_cast<uint32_t>(at[0])) * map.ElementBytes();
      const bool inside = places[pixel] >= 0 && byte < channel_end;
      const uint64_t from = static_cast<uint64_t>(places[pixel]) + byte +
                            static_cast<uint64_t>(at[0]) * map.ElementBytes();
      expected.room[SwizzledByte(pixel * width + byte, map.swizzle)] =
          inside ? before.tensor[from] : 0;
    }
  }
  const auto differs = std::mismatch(got.room.begin(), got.room.end(), expected.room.begin());
  EXPECT_EQ(differs.first - got.room.begin(), kTensorRoom) << "the first byte of " << copy;
}

TEST(TensorWidths, LoadPixelsOfOneRowOfEachImageAndTheirHalo) {
  for (const TensorSwizzle swizzle :
       {TensorSwizzle::k32, TensorSwizzle::k64, TensorSwizzle::k128}) {
    CheckLoad(Images(3, swizzle), {0, 2, 1}, {.halo = 2, .offset = 1});
    CheckLoad(Images(3, swizzle), {4, -1, 0}, {.halo = 0, .offset = 0}, true);
    CheckLoad(Images(4, swizzle), {0, 3, 1, 2}, {.halo = 3, .offset = 2});
    CheckLoad(Images(4, swizzle), {0, 0, 2, 5}, {.halo = 1, .offset = 0}, true);
    CheckLoad(Images(5, swizzle), {0, 2, 0, 1, 4}, {.halo = 2, .offset = 1});
    CheckLoad(Images(5, swizzle), {0, 0, 1, 2, 30}, {.halo = 1, .offset = 0}, true);
  }
}

TEST(TensorWidths, Load128PixelsWithTheHalosOfFourPartsBehindThem) {
  CheckLoad(Images(3, TensorSwizzle::k32), {0, 2, 1}, {.fixed = true, .halo = 2, .offset = 1});
  CheckLoad(Images(3, TensorSwizzle::k64), {0, 0, 4}, {.fixed = true, .halo = 0}, true);
  CheckLoad(Images(4, TensorSwizzle::k32), {0, 3, 2, 0}, {.fixed = true, .halo = 31, .offset = 1});
  CheckLoad(Images(4, TensorSwizzle::k64), {0, 3, 0, 1}, {.fixed = true, .halo = 3}, true);
  CheckLoad(Images(5, TensorSwizzle::k64), {0, 0, 1, 2, 0}, {.fixed = true, .halo = 2});
  CheckLoad(Images(5, TensorSwizzle::k128), {0, 1, 1, 0, 3}, {.fixed = true, .halo = 1}, true);
}

TEST(TensorWidths, LoadWithStepsBeforeTheBoxAndOutsideOfTheHeight) {
  TensorMap map = Images(4, TensorSwizzle::k32);
  map.steps[1] = 2;
  CheckLoad(map, {0, 0, 1, 2}, {.halo = 1, .offset = 1});
  map.lower[0] = 1;
  map.upper[0] = 0;
  CheckLoad(map, {0, -3, 0, 0}, {.halo = 2, .offset = 0});  // before the box
  CheckLoad(map, {0, 1, 3, 0}, {.halo = 2, .offset = 0});   // below the images
}

// Figure 18: rows of seven pixels of which the third is the first one, 128 pixels, a halo of two.
TEST(TensorWidths, LoadTheIsasExample) {
  TensorMap map;
  map.images = true;
  map.dimensions = 4;
  map.type = TensorType::kF16;
  map.swizzle = TensorSwizzle::k32;
  map.shape = {8, 7, 9, 32, 1};
  map.strides = {2, 16, 112, 1008, 0};
  map.box = {8, 128, 1, 1, 1};
  const Copy copy = {.halo = 2};
  const std::vector<int64_t> places = PlacesOf(map, {0, 3, 2, 7}, copy);
  ASSERT_EQ(places.size(), 130U);
  EXPECT_EQ(places[0], 7 * 1008 + 2 * 112 + 3 * 16);
  EXPECT_EQ(places[4], 8 * 1008 + 2 * 112);  // the next image, from its first pixel on
  EXPECT_EQ(places[129], 25 * 1008 + 2 * 112 + 6 * 16);
  CheckLoad(map, {0, 3, 2, 7}, copy);
}

std::string MessageOfPrefetch(const TensorMap& map, const std::string& mode, const std::string& at,
                              const std::string& offsets) {
  return MessageOf(ErrorKind::kRunFailed, [&] {
    RunTensorCopy(
        map,
        fmt::format("cp.async.bulk.prefetch.tensor.4d.L2.global.{} [%rd4, {{{}}}], {{{}}};", mode,
                    at, offsets),
        0, {Bytes(TensorBytes(Images(4, TensorSwizzle::k32))), Bytes(kTensorRoom)});
  });
}

TEST(TensorWidths, AreCheckedWhereTheyAreUsed) {
  const TensorMap map = Images(4, TensorSwizzle::k32);
  const std::string at = "0, 0, 0, 0";
  EXPECT_THAT(MessageOfPrefetch(Images(4, TensorSwizzle::kNone), "im2col::w", at, "0, 0"),
              HasSubstr("no swizzle: expected one of 32, 64 or 128 bytes"));
  EXPECT_THAT(MessageOfPrefetch(map, "im2col::w", at, "512, 0"),
              HasSubstr("a halo of 512 pixels: expected less than 512"));
  EXPECT_THAT(MessageOfPrefetch(map, "im2col::w::128", at, "32, 0"),
              HasSubstr("a halo of 32 pixels: expected less than 32"));
  EXPECT_THAT(MessageOfPrefetch(map, "im2col::w", at, "0, 32"),
              HasSubstr("an offset of 32 by the width: expected less than 32"));
  EXPECT_THAT(MessageOfPrefetch(map, "im2col::w", "0, 6, 0, 0", "0, 0"),
              HasSubstr("a first pixel at 6 in dimension 1: expected at most 5"));
  TensorMap tiles = map;
  tiles.images = false;
  tiles.box = {8, 1, 1, 1, 1};
  EXPECT_THAT(MessageOfPrefetch(tiles, "im2col::w", at, "0, 0"),
              HasSubstr("a map of tiles: expected images"));
}

}  // namespace tensor_width_test
}  // namespace flagstone::conformance
