// The CPU references of PAVER's benchmarks, each on a case worked out by hand or published.
#include <gtest/gtest.h>

#include <vector>

#include "tests/unit/workloads/literal_case.h"

namespace flagstone {
namespace paver_references_test {

using Floats = std::vector<float>;
using Ints = std::vector<int32_t>;

TEST(PaverReferences, Syr2kAddsTheProductAndItsTransposed) {
  // A = [1 2; 3 4], B = [1 0; 2 1]: A * B^T = [1 4; 3 10], so P + P^T = [2 7; 7 20].
  LiteralCase syr2k("syr2k");
  syr2k.Buffer<float>("a", {1, 2, 3, 4})
      .Buffer<float>("b", {1, 0, 2, 1})
      .Buffer<float>("c", {2, 4, 6, 8})
      .Launch("'a', 'b', 'c', { f32 = 2 }, { f32 = 0.5 }, { s32 = 2 }, { s32 = 2 }");
  EXPECT_EQ(syr2k.Result<float>("c"), (Floats{5, 16, 17, 44}));
}

TEST(PaverReferences, PathfinderTakesTheCheapestOfThreeAndStaysOnTheGrid) {
  // Row 0: 5 1 9 2; rows below: 1 1 1 1 and 4 0 7 0.
  LiteralCase way("pathfinder");
  way.Buffer<int32_t>("wall", {1, 1, 1, 1, 4, 0, 7, 0})
      .Buffer<int32_t>("even", {5, 1, 9, 2})
      .Buffer<int32_t>("odd", {0, 0, 0, 0})
      .Launch("'wall', 'even', 'odd', {s32=4}, {s32=0}, {s32=1}")
      .Launch("'wall', 'odd', 'even', {s32=4}, {s32=1}, {s32=1}");
  EXPECT_EQ(way.Result<int32_t>("odd"), (Ints{2, 2, 2, 3}));
  EXPECT_EQ(way.Result<int32_t>("even"), (Ints{6, 2, 9, 2}));
}

TEST(PaverReferences, BackpropSumsSixteenInputsAndMovesTheWeights) {
  // One hidden unit, 16 inputs of 2 with weights 1 to 16 (rows: bias and weight).
  std::vector<float> weights(34);
  for (int i = 1; i <= 16; ++i) weights[static_cast<size_t>(2 * i + 1)] = static_cast<float>(i);
  std::vector<float> input(17, 2.0F);
  LiteralCase step("backprop");
  step.Buffer<float>("input", input)
      .Buffer<float>("weights", weights)
      .Buffer<float>("products", Floats(34))
      .Buffer<float>("sums", {0})
      .Buffer<float>("delta", {9, 0.5})
      .Buffer<float>("change", Floats(34, 1))
      .Launch("'input', 'weights', 'products', 'sums', {s32=1}")
      .Launch("'delta', 'input', 'weights', 'change', {s32=1}, {f32=0.5}, {f32=0.25}");
  EXPECT_EQ(step.Result<float>("sums"), (Floats{272}));  // 2 * (1 + ... + 16)
  const Floats products = step.Result<float>("products");
  EXPECT_EQ(products[3], 272);          // row 0 of the tile: all 16
  EXPECT_EQ(products[5], 4);            // row 1: itself
  EXPECT_EQ(products[7], 2 * (3 + 4));  // row 2: rows 2 and 3
  EXPECT_EQ(products[19], 2 * 100);     // row 8: weights 9 to 16
  const Floats moved = step.Result<float>("weights");
  EXPECT_EQ(moved[1], 0.5);   // bias: 0.5 * 0.5 * 1 + 0.25 * 1
  EXPECT_EQ(moved[3], 1.75);  // 1 + 0.5 * 0.5 * 2 + 0.25 * 1
  EXPECT_EQ(moved[0], 0);     // of no hidden unit
  EXPECT_EQ(step.Result<float>("change")[3], 0.75);
}

TEST(PaverReferences, BlackscholesGivesHullsTextbookPrices) {
  // Hull, Options, Futures, and Other Derivatives: S = 42, X = 40, r = 10 %, sigma = 20 %, half a
  // year: call 4.76, put 0.81.
  LiteralCase option("blackscholes");
  option.Buffer<float>("call", {0})
      .Buffer<float>("put", {0})
      .Buffer<float>("price", {42})
      .Buffer<float>("strike", {40})
      .Buffer<float>("years", {0.5})
      .Launch("'call', 'put', 'price', 'strike', 'years', {f32=0.1}, {f32=0.2}, {s32=1}");
  EXPECT_NEAR(option.Result<float>("call")[0], 4.76, 0.005);
  EXPECT_NEAR(option.Result<float>("put")[0], 0.81, 0.005);
}

// An image of two pixels side by side, 1 and 2, after one iteration with lambda = 0.5.
void AddSrad(LiteralCase& srad, const char* q0_squared) {
  srad.Buffer<float>("image", {1, 2});
  for (const char* name : {"n", "s", "w", "e", "c"}) srad.Buffer<float>(name, {9, 9});
  srad.Launch(fmt::format("'image','n','s','w','e','c', {{s32=2}}, {{f32={}}}", q0_squared));
  srad.Launch("'n','s','w','e','c','image', {s32=2}, {f32=0.5}");
}

TEST(PaverReferences, SradDiffusesFullyWhereTheEdgeIsWeakerThanTheSpeckle) {
  LiteralCase srad("srad");
  AddSrad(srad, "1.0");
  EXPECT_EQ(srad.Result<float>("e"), (Floats{1, 0}));
  EXPECT_EQ(srad.Result<float>("w"), (Floats{0, -1}));
  EXPECT_EQ(srad.Result<float>("s"), (Floats{0, 0}));
  EXPECT_EQ(srad.Result<float>("c"), (Floats{1, 1}));
  EXPECT_EQ(srad.Result<float>("image"), (Floats{1.125, 1.875}));
}

TEST(PaverReferences, SradDiffusesLittleAcrossAStrongEdge) {
  // Left: q^2 = (1/2 - 1/16) / (5/4)^2 = 0.28; right: (1/8 - 1/64) / (7/8)^2 = 1/7.
  // c = 1 / (1 + (q^2 - 0.04) / (0.04 * 1.04)).
  LiteralCase srad("srad");
  AddSrad(srad, "0.04");
  const Floats c = srad.Result<float>("c");
  EXPECT_NEAR(c[0], 0.0416 / 0.2816, 1e-6);
  EXPECT_NEAR(c[1], 0.0416 / (0.0416 + 1.0 / 7 - 0.04), 1e-6);
  EXPECT_NEAR(srad.Result<float>("image")[1], 2 - 0.125 * 0.0416 / (0.0016 + 1.0 / 7), 1e-6);
}

TEST(PaverReferences, TpacfCountsThePairsOfEachKindOnce) {
  // Data on the x and y axes, one random set on the x axis, both ways. Bins end at 0.1 * 10^(k/5)
  // degrees: 0 degrees are in bin 0, 90 in bin 15 (63 to 100), 180 in the last, 17.
  LiteralCase tpacf("tpacf");
  tpacf.Buffer<float>("x", {1, 0, 1, -1})
      .Buffer<float>("y", {0, 1, 0, 0})
      .Buffer<float>("z", {0, 0, 0, 0})
      .Buffer<uint32_t>("histograms", std::vector<uint32_t>(54))
      .Launch("'x', 'y', 'z', 'histograms', {s32=1}, {s32=2}");
  std::vector<uint32_t> expected(54);
  expected[15] = 1;      // data with data
  expected[18 + 0] = 1;  // data with random
  expected[18 + 15] = 2;
  expected[18 + 17] = 1;
  expected[36 + 17] = 1;  // random with random
  EXPECT_EQ(tpacf.Result<uint32_t>("histograms"), expected);
}

TEST(PaverReferences, HeartwallFollowsAFrameThatMoves) {
  const auto frame = [](int down, int right) {
    std::vector<float> pixels;
    for (int row = 0; row < 460; ++row) {
      for (int column = 0; column < 420; ++column) {
        const int r = row - down + 5;
        const int c = column - right + 5;
        pixels.push_back(static_cast<float>((r * r * 7 + c * c * 13 + r * c) % 101));
      }
    }
    return pixels;
  };
  LiteralCase heartwall("heartwall");
  heartwall.Buffer<float>("first", frame(0, 0))
      .Buffer<float>("second", frame(2, -1))
      .Buffer<int32_t>("rows", Ints(102))
      .Buffer<int32_t>("columns", Ints(102))
      .Buffer<float>("match", Floats(102))
      .Launch("'first', {s32=420}, {s32=0}, {s32=2}, {s32=2}, {f32=0.5}, 'rows','columns','match'")
      .Launch(
          "'second', {s32=420}, {s32=1}, {s32=2}, {s32=2}, {f32=0.5}, 'rows+204', "
          "'columns+204', 'match+204'");
  const Ints rows = heartwall.Result<int32_t>("rows");
  const Ints columns = heartwall.Result<int32_t>("columns");
  const Floats match = heartwall.Result<float>("match");
  EXPECT_EQ(rows[0], 300);  // where the ellipse of radii 95 and 75 around 300, 290 begins
  EXPECT_EQ(columns[0], 365);
  for (size_t i = 0; i < 51; ++i) {
    EXPECT_EQ(rows[51 + i], rows[i] + 2);
    EXPECT_EQ(columns[51 + i], columns[i] - 1);
    EXPECT_NEAR(match[51 + i], 1, 1e-6);
  }
}

}  // namespace paver_references_test
}  // namespace flagstone
