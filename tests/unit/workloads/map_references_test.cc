// The CPU references of the CTA-mapping, coalescing and LADM workloads, each on a case small enough
// to be worked out by hand.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/workloads/reference_case.h"

namespace flagstone {
namespace map_references_test {

TEST(MapReferences, MicroKernelsCopyFromTheirLocations) {
  const Workload workload = Demo(Iota("in", 65, 100) + Iota("out", 3, 0, 0), "'in', 'out'");
  const auto out = [&](const char* name) { return Result(workload, Named(name), "out"); };
  EXPECT_EQ(out("stride_32"), (std::vector<float>{100, 132, 164}));
  EXPECT_EQ(out("stride_4"), (std::vector<float>{100, 104, 108}));
  EXPECT_EQ(out("same_location"), (std::vector<float>{100, 100, 100}));
  EXPECT_EQ(out("coalescing"), (std::vector<float>{100, 101, 102}));
}

TEST(MapReferences, NeighbourSumAddsTheBlockToTheRight) {
  // Two rows of 4, blocks 2 wide: 0 1 2 3 4 5, 6 ... 11.
  const Workload workload =
      Demo(Iota("in", 12, 0) + Iota("sum", 8, 0, 0), "'in', 'sum', { s32 = 4 }, { s32 = 2 }");
  EXPECT_EQ(Result(workload, Named("neighbour_sum"), "sum"),
            (std::vector<float>{0 + 2, 1 + 3, 2 + 4, 3 + 5, 6 + 8, 7 + 9, 8 + 10, 9 + 11}));
}

TEST(MapReferences, MatmulNaiveMultipliesRowsByColumns) {
  // [1 2 3; 4 5 6] * [1 2; 3 4; 5 6]
  const Workload workload = Demo(Iota("a", 6, 1) + Iota("b", 6, 1) + Iota("c", 4, 0),
                                 "'a', 'b', 'c', { s32 = 2 }, { s32 = 3 }");
  EXPECT_EQ(Result(workload, Named("matmul_naive"), "c"), (std::vector<float>{22, 28, 49, 64}));
}

TEST(MapReferences, ConvWeighsTheWindowThatStartsAtThePixel) {
  // A 2 x 1 result, a window 2 wide and 1 high with weights 1 and 10, an image of 0 1 2 3, 4 ...
  const Workload workload =
      Demo(Iota("image", 8, 0) + Iota("weights", 2, 1, 9) + Iota("result", 2, 0),
           "'image', 'weights', 'result', { s32 = 2 }, { s32 = 4 }, { s32 = 2 }, { s32 = 1 }");
  EXPECT_EQ(Result(workload, Named("conv"), "result"), (std::vector<float>{10, 21}));
}

TEST(MapReferences, DemosaicTakesThePixelsOwnColourAndItsNeighboursOthers) {
  // Pixels (0, 0) red, (1, 0) green, (0, 1) green, (1, 1) blue, with a border: 0 1 2 3, 4 5 6 7,
  // ...
  const Workload workload =
      Demo(Iota("mosaic", 16, 0) + Iota("colour", 16, 0, 0), "'mosaic', 'colour', { s32 = 2 }");
  EXPECT_EQ(Result(workload, Named("demosaic"), "colour"),
            (std::vector<float>{5, (1 + 4 + 6 + 9) / 4.0F, (0 + 2 + 8 + 10) / 4.0F, 1,  //
                                (5 + 7) / 2.0F, 6, (2 + 10) / 2.0F, 1,                  //
                                (5 + 13) / 2.0F, 9, (8 + 10) / 2.0F, 1,                 //
                                (5 + 7 + 13 + 15) / 4.0F, (6 + 9 + 11 + 14) / 4.0F, 10, 1}));
}

TEST(MapReferences, ImregionmaxMarksWhatNoNeighbourExceeds) {
  // Rising values: both pixels have a higher neighbour. All equal: none has.
  const std::string args = "'image', 'peak', { s32 = 2 }";
  const auto peaks = [&](double step) {
    return Result(Demo(Iota("image", 12, 0, step) + Iota("peak", 2, 7, 0), args),
                  Named("imregionmax"), "peak");
  };
  EXPECT_EQ(peaks(1), (std::vector<float>{0, 0}));
  EXPECT_EQ(peaks(0), (std::vector<float>{1, 1}));
}

TEST(MapReferences, TransposeSwapsRowsAndColumns) {
  const Workload workload =
      Demo(Iota("in", 6, 1) + Iota("out", 6, 0), "'in', 'out', { s32 = 3 }, { s32 = 2 }");
  EXPECT_EQ(Result(workload, Named("transpose"), "out"), (std::vector<float>{1, 4, 2, 5, 3, 6}));
}

TEST(MapReferences, Conv2dLeavesTheBorder) {
  // 3 x 3 values 0 to 8: 0.2 * 0 - 0.3 * 1 + 0.4 * 2 + 0.5 * 3 + 0.6 * 4 + 0.7 * 5 - 0.8 * 6
  //   - 0.9 * 7 + 0.1 * 8
  const Workload workload =
      Demo(Iota("in", 9, 0) + Iota("out", 9, 7, 0), "'in', 'out', { s32 = 3 }");
  EXPECT_EQ(Result(workload, Named("conv2d"), "out"),
            (std::vector<float>{7, 7, 7, 7, -2.4F, 7, 7, 7, 7}));
}

TEST(MapReferences, Conv3dDoesTheInnerPointsOfItsPlane) {
  // 3 x 3 x 3 values z + y + x as 9z + 3y + x: the window around 13 in the middle is
  //   2.5 * 0 - 0.4 * 18 - 0.3 * 10 + 0.6 * 13 - 0.9 * 16 + 0.2 * 2 + 0.4 * 20 + 0.5 * 5 + 0.7 * 23
  //   - 0.8 * 8 + 0.1 * 26
  const Workload workload =
      Demo(Iota("in", 27, 0) + Iota("out", 27, 7, 0), "'in', 'out', { s32 = 1 }, { s32 = 3 }");
  std::vector<float> expected(27, 7);
  expected[13] = 6.4F;
  EXPECT_EQ(Result(workload, Named("conv3d"), "out"), expected);
}

TEST(MapReferences, GemmScalesTheProductAndTheOldValue) {
  // [1 2 3; 4 5 6] * [1 2; 3 4; 5 6] = [22 28; 49 64], C = [1 2; 3 4]
  const Workload workload = Demo(Iota("a", 6, 1) + Iota("b", 6, 1) + Iota("c", 4, 1),
                                 "'a', 'b', 'c', { f32 = 2 }, { f32 = 0.5 }, { s32 = 2 }, "
                                 "{ s32 = 2 }, { s32 = 3 }");
  EXPECT_EQ(Result(workload, Named("gemm"), "c"), (std::vector<float>{44.5, 57, 99.5, 130}));
}

TEST(MapReferences, RandomLocSumsTheRunAtEachIndex) {
  const Workload workload =
      Demo(Iota("start", 3, 4, -2, "s32") + Iota("data", 6, 10) + Iota("sum", 3, 0),
           "'start', 'data', 'sum', { s32 = 3 }, { s32 = 2 }");
  EXPECT_EQ(Result(workload, Named("random_loc"), "sum"), (std::vector<float>{29, 25, 21}));
}

// One fluid cell between its border cells: rows of 1 + 8, layers of 3 rows, 3 layers.
std::vector<float> LbmStep(int kind) {
  const Workload workload = Demo(
      Iota("from", 19 * 81, 1, 0) + Iota("to", 19 * 81, 0, 0) + Iota("kind", 81, kind, 0, "u32"),
      "'from', 'to', 'kind', { s32 = 9 }, { s32 = 27 }, { s32 = 81 }, { f32 = 0.5 }, "
      "{ f32 = 0.25 }, { f32 = 0 }");
  return Result(workload, Named("lbm"), "to");
}

TEST(MapReferences, LbmConservesTheFluidAndMovesItByItsVelocities) {
  const std::vector<float> to = LbmStep(2);
  // At rest, density 19: half way to the equilibrium 19 / 3, 19 / 18 and 19 / 36.
  const size_t cell = 27 + 9;
  EXPECT_FLOAT_EQ(to[cell], 0.5F * (1 + 19 / 3.0F));
  EXPECT_FLOAT_EQ(to[81 + cell + 1], 0.5F * (1 + 19 / 18.0F)) << "towards x";
  EXPECT_FLOAT_EQ(to[size_t{18} * 81 + cell - 9 + 27], 0.5F * (1 + 19 / 36.0F)) << "-y, z";
  float sum = 0;
  for (const float f : to) sum += f;
  EXPECT_FLOAT_EQ(sum, 19);
}

TEST(MapReferences, LbmDrivesMarkedCellsAndTurnsRoundInObstacles) {
  // Driven along x at 1/4: the equilibrium towards x is 19 / 18 * (1 + 3/4 + 4.5/16 - 1.5/16).
  EXPECT_FLOAT_EQ(LbmStep(1)[81 + 37], 0.5F * (1 + 19 / 18.0F * (1 + 0.75F + 3.0F / 16)));
  const Workload obstacle =
      Demo(Iota("from", 19 * 81, 0) + Iota("to", 19 * 81, 0, 0) + Iota("kind", 81, 0, 0, "u32"),
           "'from', 'to', 'kind', { s32 = 9 }, { s32 = 27 }, { s32 = 81 }, { f32 = 0.5 }, "
           "{ f32 = 0 }, { f32 = 0 }");
  const std::vector<float> to = Result(obstacle, Named("lbm"), "to");
  EXPECT_EQ(to[81 + 36 + 1], 2 * 81 + 36) << "towards x leaves what came from there";
  EXPECT_EQ(to[36], 36);
}

TEST(MapReferences, StreamclusterMovesWhatIsCheaperAtTheCandidate) {
  // Points at 0 1 2, the candidate at 0: squared distances 0 1 4. The records are 0 1 2 3 4 5,
  // ... of weights 0 6 12 and costs 4 10 16 (scaled by 1/8): changes (0 - 4) / 8, (6 - 10) / 8, and
  // point 2 pays 48 at the candidate: it stays, at centre 14 / 8 * 1 = 1 of the table.
  const Workload workload =
      Demo(Iota("x", 3, 0) + Iota("points", 18, 0, 0.125) + Iota("table", 2, 0, 0, "s32") +
               Iota("work", 6, 100, 0) + Iota("moves", 3, 0, 0, "u8"),
           "'x', 'points', 'table', 'work', 'moves', { s32 = 3 }, { s32 = 1 }, { s32 = 0 }, "
           "{ s32 = 1 }, { s32 = 1 }");
  EXPECT_EQ(Result(workload, Named("streamcluster"), "work"),
            (std::vector<float>{100, 99.5, 100, 99.5, 96, 100}));
  EXPECT_EQ(Result<uint8_t>(workload, Named("streamcluster"), "moves"),
            (std::vector<uint8_t>{1, 1, 0}));
}

}  // namespace map_references_test
}  // namespace flagstone
