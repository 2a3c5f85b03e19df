// The CPU references of CAPS's and LADM's regular benchmarks, each on a case worked out by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/unit/workloads/literal_case.h"

namespace flagstone {
namespace caps_references_test {

using Floats = std::vector<float>;
using Ints = std::vector<int32_t>;
using Words = std::vector<uint32_t>;
using Bytes = std::vector<uint8_t>;

TEST(CapsReferences, Jacobi1dTakesTheMeanOfThreeAndKeepsTheEnds) {
  LiteralCase relax("jacobi1d");
  relax.Buffer<float>("now", {0, 3, 6, 27, 0})
      .Buffer<float>("next", Floats(5))
      .Launch("'now', 'next', {s32=5}")
      .Launch("'now', 'next', {s32=5}");
  EXPECT_EQ(relax.Result<float>("now"), (Floats{0, 3, 12, 11, 0}));
  EXPECT_EQ(relax.Result<float>("next"), (Floats{0, 3, 12, 11, 0}));
}

TEST(CapsReferences, Fft512OfAnImpulseIsAWaveAndOfAConstantAnImpulse) {
  Floats points(2048);
  points[2 * 128] = 1;                                            // x[128] of the first
  for (size_t n = 0; n < 512; ++n) points[1024 + 2 * n + 1] = 2;  // all of the second 2i
  LiteralCase fft("fft512");
  fft.Buffer("data", points).Launch("'data'");
  const Floats result = fft.Result<float>("data");
  // e^(-2 pi i 128 k / 512) = (-i)^k
  const Floats wave = {1, 0, 0, -1, -1, 0, 0, 1};
  for (size_t i = 0; i < 1024; ++i) ASSERT_NEAR(result[i], wave[i % 8], 1e-12) << i;
  EXPECT_EQ(result[1024 + 1], 1024);
  for (size_t i = 2; i < 1024; ++i) ASSERT_NEAR(result[1024 + i], 0, 1e-10) << i;
}

TEST(CapsReferences, ScanStartsAnewWithEachArrayAndWraps) {
  // Two arrays of a block each, and the same elements as one array of two blocks.
  Words source(2048, 1);
  source[0] = 0xffffffff;
  const auto scan = [&](const std::string& blocks_per_array) {
    LiteralCase sums("scan");
    sums.Buffer("source", source)
        .Buffer("result", Words(2048))
        .Buffer("totals", Words(2))
        .Launch("'result', 'source', {u32=256}")
        .Launch("'totals', 'result', 'source', {u32=2}, {u32=" + blocks_per_array + "}");
    Words result = sums.Result<uint32_t>("result");
    const Words totals = sums.Result<uint32_t>("totals");
    return Words{result[0],    result[1],    result[2], result[1023],
                 result[1024], result[1025], totals[0], totals[1]};
  };
  EXPECT_EQ(scan("1"), (Words{0, 0xffffffff, 0, 1021, 0, 1, 0, 0}));
  EXPECT_EQ(scan("2"), (Words{0, 0xffffffff, 0, 1021, 1022, 1023, 0, 1022}));
}

TEST(CapsReferences, Laplace3dKeepsTheSurfaceAndStaysOffThePadding) {
  // 3 x 3 x 3 cells in rows of 4: one inner cell, whose neighbours are 1, 2, 4, 8, 16 and 29.
  Floats before(36, 7);
  const size_t inner = 12 + 4 + 1;
  before[inner - 1] = 1;
  before[inner + 1] = 2;
  before[inner - 4] = 4;
  before[inner + 4] = 8;
  before[inner - 12] = 16;
  before[inner + 12] = 29;
  LiteralCase laplace("laplace3d");
  laplace.Buffer("u1", before)
      .Buffer("u2", Floats(36))
      .Launch("{s32=3}, {s32=3}, {s32=3}, {s32=4}, 'u1', 'u2'");
  Floats expected = before;
  expected[inner] = 10;
  for (size_t padding = 3; padding < 36; padding += 4) expected[padding] = 0;
  EXPECT_EQ(laplace.Result<float>("u2"), expected);
}

TEST(CapsReferences, StencilWeighsNeighboursAndCell) {
  Floats now(27);
  now[13] = 4;
  now[12] = 1;
  now[14] = 2;
  now[10] = 3;
  now[16] = 4;
  now[4] = 5;
  now[22] = 6;
  LiteralCase step("stencil");
  step.Buffer("now", now)
      .Buffer("next", Floats(27, 9))
      .Launch("{f32=0.5}, {f32=2}, 'now', 'next', {s32=3}, {s32=3}, {s32=3}");
  Floats expected(27, 9);
  expected[13] = 2 * 21 - 0.5F * 4;
  EXPECT_EQ(step.Result<float>("next"), expected);
}

TEST(CapsReferences, HistogramsCountBytesWholeAndByTheirUpperSixBits) {
  const Words words = {0x00000001, 0xff040507, 0xff0404ff, 0};
  LiteralCase bytes("histogram256");
  bytes.Buffer("words", words)
      .Buffer("partial", Words(256))
      .Buffer("histogram", Words(256, 9))
      .Launch("'partial', 'words', {u32=4}")
      .Launch("'histogram', 'partial', {u32=1}");
  Words expected(256);
  expected[0] = 7;
  expected[1] = 1;
  expected[4] = 3;
  expected[5] = 1;
  expected[7] = 1;
  expected[255] = 3;
  EXPECT_EQ(bytes.Result<uint32_t>("histogram"), expected);

  LiteralCase bits("histogram64");
  bits.Buffer("data", words)
      .Buffer("partial", Words(64))
      .Buffer("histogram", Words(64, 9))
      .Launch("'partial', 'data', {u32=1}")
      .Launch("'histogram', 'partial', {u32=1}");
  expected.assign(64, 0);
  expected[0] = 8;
  expected[1] = 5;
  expected[63] = 3;
  EXPECT_EQ(bits.Result<uint32_t>("histogram"), expected);
}

TEST(CapsReferences, MatmulTiledMultipliesMatricesThatAreNotSquare) {
  // [1 2; 3 4; 5 6] * [1 0 2 1; 0 1 1 3]
  LiteralCase product("matmul_tiled");
  product.Buffer<float>("a", {1, 2, 3, 4, 5, 6})
      .Buffer<float>("b", {1, 0, 2, 1, 0, 1, 1, 3})
      .Buffer("c", Floats(12))
      .Launch("'c', 'a', 'b', {s32=2}, {s32=4}");
  EXPECT_EQ(product.Result<float>("c"), (Floats{1, 2, 4, 7, 3, 4, 10, 15, 5, 6, 16, 23}));
}

TEST(CapsReferences, ScalarprodMultipliesPairByPair) {
  LiteralCase products("scalarprod");
  products.Buffer<float>("a", {1, 2, 3, 4, 5, 6})
      .Buffer<float>("b", {1, 1, 1, 1, 0, 2})
      .Buffer("result", Floats(2))
      .Launch("'result', 'a', 'b', {s32=2}, {s32=3}");
  EXPECT_EQ(products.Result<float>("result"), (Floats{6, 16}));
}

TEST(CapsReferences, ReductionK6CutsTheArrayInPiecesThatTbsTakeInTurn) {
  // Pieces of 512: TB 0 has the first and the third, TB 1 the second.
  Floats in(1030, 1);
  in[512] = 3;
  in[1024] = 5;
  LiteralCase sum("reduction_k6");
  sum.Buffer("in", in)
      .Buffer("partial", Floats(2))
      .Buffer("out", Floats(1))
      .Launch("'in', 'partial', {u32=1030}")
      .Launch("'partial', 'out', {u32=2}");
  EXPECT_EQ(sum.Result<float>("partial"), (Floats{512 + 10, 514}));
  EXPECT_EQ(sum.Result<float>("out"), (Floats{1036}));
}

TEST(CapsReferences, FwtMultipliesByTheHadamardMatrix) {
  LiteralCase transform("fwt");
  transform.Buffer<float>("data", {1, 0, 1, 0, 0, 1, 1, 0}).Launch("'data', {s32=3}");
  // Each result k is the sum of the elements n with sign (-1)^(bits that k and n share).
  EXPECT_EQ(transform.Result<float>("data"), (Floats{4, 2, 0, -2, 0, 2, 0, 2}));
}

TEST(CapsReferences, Hotspot3dTakesTheCellItselfForAMissingNeighbour) {
  // Cells 10 and 20 in x, one in y and z: 4 * own, west + east, 2 * and 8 * twice the cell.
  LiteralCase step("hotspot3d");
  step.Buffer<float>("power", {1, 2})
      .Buffer<float>("before", {10, 20})
      .Buffer<float>("after", {0, 0})
      .Launch(
          "'power', 'before', 'after', {f32=100}, {s32=2}, {s32=1}, {s32=1}, {f32=1}, {f32=2}, "
          "{f32=8}, {f32=4}, {f32=0.5}, {f32=6}");
  EXPECT_EQ(step.Result<float>("after"), (Floats{40 + (10 + 20) + 2 * 20 + 8 * 20 + 100 * 1 + 3,
                                                 80 + (10 + 20) + 2 * 40 + 8 * 40 + 100 * 2 + 3}));
}

TEST(CapsReferences, HistoStopsAt255AndSplitsTheBins) {
  Words image(300, 6145);
  image.push_back(6144 * 2 + 7);
  image.push_back(3);
  LiteralCase histogram("histo");
  histogram.Buffer("image", image)
      .Buffer<uint32_t>("bounds", {0xffffffff, 0})
      .Buffer("halves", Words(302))
      .Buffer("counts", Words(12296))
      .Buffer("result", Bytes(12296))
      .Launch("'image', {s32=302}, 'bounds'")
      .Launch("'image', 'halves', {s32=151}")
      .Launch("'halves', {s32=302}, 'bounds', 'counts'")
      .Launch("'counts', 'result', {s32=3074}");
  EXPECT_EQ(histogram.Result<uint32_t>("bounds"), (Words{3, 12295}));
  const Words halves = histogram.Result<uint32_t>("halves");
  EXPECT_EQ(halves[0], 0x10001U);
  EXPECT_EQ(halves[300], 0x20007U);
  Bytes expected(12296);
  expected[6145] = 255;
  expected[12295] = 1;
  expected[3] = 1;
  EXPECT_EQ(histogram.Result<uint8_t>("result"), expected);
}

TEST(CapsReferences, PageviewrankCopiesAddressesTightlyAndReadsNumbers) {
  std::string log(192, ':');
  log.replace(0, 6, "ab-12:");         // a number that a colon ends
  log.replace(64, 11, "-123456789-");  // no address, a number cut at eight digits
  log.replace(128 + 53, 3, "34:");     // no dash: 52 bytes, the number after the 53rd
  LiteralCase map("pageviewrank");
  map.Buffer("log", Bytes(log.begin(), log.end()))
      .Buffer("directory", Ints(12))
      .Buffer("sizes", Ints(3))
      .Buffer("places", Ints(3))
      .Buffer("views", Words(3))
      .Buffer("pages", Bytes(156))
      .Launch("'log', 'directory', {s32=3}")
      .Launch("'directory', 'sizes', {s32=3}")
      .Launch("'sizes', 'places', {s32=3}")
      .Launch("'log', 'directory', 'places', 'views', 'pages', {s32=3}, {s32=1}");
  EXPECT_EQ(map.Result<uint32_t>("views"), (Words{12, 12345678, 34}));
  const std::string pages = "ab" + std::string(52, ':');
  Bytes expected(156);
  std::copy(pages.begin(), pages.end(), expected.begin());
  EXPECT_EQ(map.Result<uint8_t>("pages"), expected);
}

TEST(CapsReferences, CpAddsChargeOverDistanceToWhatIsThere) {
  // Points (0, 0), (1, 0), (0, 1), (1, 1). Charge 8 at (0, 0), 4 off the plane, and charge 10 at
  // (1, 0), 5 off it; the third atom is not counted.
  LiteralCase potential("cp");
  potential.Symbol<float>("atoms", {0, 0, 16, 8, 1, 0, 25, 10, 0, 0, 1, 99})
      .Buffer<float>("energy", {1, 0, 0, 0})
      .Launch("{s32=2}, {f32=1}, 'energy', {s32=2}");
  const Floats energy = potential.Result<float>("energy");
  ASSERT_EQ(energy.size(), 4U);
  EXPECT_FLOAT_EQ(energy[0], 1 + 8 / 4.0F + 10 / std::sqrt(26.0F));
  EXPECT_FLOAT_EQ(energy[1], 8 / std::sqrt(17.0F) + 10 / 5.0F);
  EXPECT_FLOAT_EQ(energy[2], 8 / std::sqrt(17.0F) + 10 / std::sqrt(27.0F));
  EXPECT_FLOAT_EQ(energy[3], 8 / std::sqrt(18.0F) + 10 / std::sqrt(26.0F));
}

TEST(CapsReferences, MriQTurnsEachSampleByItsAngleAndGoesOnWithTheNext) {
  // One voxel at (1, 2, 4): samples of 1/4, 1/2 and 2 turns with magnitudes 3, 5 and 7.
  LiteralCase q("mri_q");
  q.Symbol<float>("samples", {0.25, 0, 0, 3, 0, 0.25, 0, 5, 0, 0, 0.5, 7})
      .Buffer<float>("real", {3, 1})
      .Buffer<float>("imaginary", {4, 0})
      .Buffer<float>("magnitude", {0, 0})
      .Buffer<float>("x", {1})
      .Buffer<float>("y", {2})
      .Buffer<float>("z", {4})
      .Buffer<float>("q_real", {0})
      .Buffer<float>("q_imaginary", {0})
      .Launch("'real', 'imaginary', 'magnitude', {s32=2}")
      .Launch("{s32=0}, {s32=2}, 'x', 'y', 'z', 'q_real', 'q_imaginary'")
      .Launch("{s32=2}, {s32=1}, 'x', 'y', 'z', 'q_real', 'q_imaginary'");
  EXPECT_EQ(q.Result<float>("magnitude"), (Floats{25, 1}));
  EXPECT_FLOAT_EQ(q.Result<float>("q_real")[0], -5 + 7);
  EXPECT_FLOAT_EQ(q.Result<float>("q_imaginary")[0], 3);
}

TEST(CapsReferences, ConvSeparableWeighsFromTheFarSideAndSeesNothingOutside) {
  // Weight 0 stands for the element 8 further on, weight 8 for the pixel, weight 9 for the one
  // before. The image of 10 x 3 has a 1 at (column 8, row 1) and one in its corner (0, 0).
  Floats weights(17);
  weights[0] = 2;
  weights[8] = 3;
  weights[9] = 5;
  Floats image(30);
  image[10 + 8] = 1;
  image[0] = 1;
  LiteralCase filter("conv_separable");
  filter.Symbol("weights", weights)
      .Buffer("image", image)
      .Buffer("rows", Floats(30))
      .Buffer("result", Floats(30))
      .Launch("'rows', 'image', {s32=10}")
      .Launch("'result', 'rows', {s32=10}, {s32=3}");
  Floats rows(30);
  rows[0] = 3;
  rows[1] = 5;
  rows[10 + 0] = 2;
  rows[10 + 8] = 3;
  rows[10 + 9] = 5;
  EXPECT_EQ(filter.Result<float>("rows"), rows);
  Floats result(30);
  for (size_t x = 0; x < 10; ++x) {
    result[x] = 3 * rows[x];
    result[10 + x] = 3 * rows[10 + x] + 5 * rows[x];
    result[20 + x] = 5 * rows[10 + x];
  }
  EXPECT_EQ(filter.Result<float>("result"), result);
}

TEST(CapsReferences, KmeansTransposesAndTakesTheFirstOfTheNearest) {
  // Points (0, 0), (4, 0), (9, 9); centres (0, 1), (4, 1), (0, -1), (8, 8).
  LiteralCase round("kmeans");
  round.Symbol<float>("centers", {0, 1, 4, 1, 0, -1, 8, 8})
      .Buffer<float>("points", {0, 0, 4, 0, 9, 9})
      .Buffer("features", Floats(6))
      .Buffer("membership", Ints(3, -1))
      .Launch("'points', 'features', {s32=3}, {s32=2}")
      .Launch("'features', {s32=2}, {s32=3}, {s32=4}, 'membership'");
  EXPECT_EQ(round.Result<float>("features"), (Floats{0, 4, 9, 0, 0, 9}));
  EXPECT_EQ(round.Result<int32_t>("membership"), (Ints{0, 1, 3}));
}

}  // namespace caps_references_test
}  // namespace flagstone
