// Each CPU reference on a case small enough to be worked out by hand, and on bad arguments.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/base/error_message.h"
#include "tests/unit/workloads/reference_case.h"

namespace flagstone {
namespace references_test {

TEST(References, VecaddAddsUpToNAndLeavesTheRest) {
  const Workload workload = Demo(Iota("a", 4, 1) + Iota("b", 4, 10, 10) + Iota("c", 4, 7, 0),
                                 "'a', 'b', 'c', { s32 = 3 }");
  EXPECT_EQ(Result(workload, Named("vecadd"), "c"), (std::vector<float>{11, 22, 33, 7}));
}

TEST(References, MatmulMultipliesRowsByColumns) {
  // [1 2; 3 4] * [5 6; 7 8]
  const Workload workload =
      Demo(Iota("a", 4, 1) + Iota("b", 4, 5) + Iota("c", 4, 0), "'a', 'b', 'c', { s32 = 2 }");
  EXPECT_EQ(Result(workload, Named("matmul"), "c"), (std::vector<float>{19, 22, 43, 50}));
}

TEST(References, SyrkMultipliesByTheTransposedAndScales) {
  // A = [1 2 3; 4 5 6], A * A^T = [14 32; 32 77], C = [1 2; 3 4]
  const Workload workload = Demo(Iota("a", 6, 1) + Iota("c", 4, 1),
                                 "'a', 'c', { f32 = 2 }, { f32 = 0.5 }, { s32 = 2 }, { s32 = 3 }");
  EXPECT_EQ(Result(workload, Named("syrk"), "c"), (std::vector<float>{28.5, 65, 65.5, 156}));
}

constexpr const char* kHotspotArgs =
    "'t', 'p', 'r', { s32 = 3 }, { s32 = 2 }, { s32 = 1 }, { f32 = 0.5 }, { f32 = 0.25 }, "
    "{ f32 = 0.5 }, { f32 = 0.125 }, { f32 = 8 }";

TEST(References, HotspotMovesHeatToNeighboursAndAmbientButNotOverTheEdge) {
  // Cells [0 8 16; 24 32 40], power 1: next = t + 0.5 * (1 + 0.25 * (west + east - 2t)
  //   + 0.5 * (north + south - 2t) + 0.125 * (8 - t)), a missing neighbour equals t.
  const Workload workload =
      Demo(Iota("t", 6, 0, 8) + Iota("p", 6, 1, 0) + Iota("r", 6, 0, 0), kHotspotArgs);
  EXPECT_EQ(Result(workload, Named("hotspot"), "r"),
            (std::vector<float>{0 + 0.5F * (1 + 2 + 12 + 1), 8 + 0.5F * (1 + 0 + 12 + 0),
                                16 + 0.5F * (1 - 2 + 12 - 1), 24 + 0.5F * (1 + 2 - 12 - 2),
                                32 + 0.5F * (1 + 0 - 12 - 3), 40 + 0.5F * (1 - 2 - 12 - 4)}));
}

TEST(References, HotspotDoesSeveralStepsAndCarriesOnFromLaunchToLaunch) {
  const std::string buffers = Iota("t", 6, 0, 8) + Iota("p", 6, 1, 0) + Iota("r", 6, 0, 0);
  std::string two_steps = kHotspotArgs;
  two_steps.replace(two_steps.find("{ s32 = 1 }"), 11, "{ s32 = 2 }");
  std::string back = kHotspotArgs;
  back.replace(0, 13, "'r', 'p', 't'");
  const Workload once = Demo(buffers, two_steps);
  const Workload twice = Workload::Parse(
      "name = 'demo'\n" + buffers + "[[launch]]\nptx='k'\nentry='k'\ngrid=[1]\nblock=[1]\nargs=[" +
          kHotspotArgs + "]\n[[launch]]\nptx='k'\nentry='k'\ngrid=[1]\nblock=[1]\nargs=[" + back +
          "]\n",
      "w.toml", "test");
  const auto expected = Result(once, Named("hotspot"), "r");
  EXPECT_EQ(Result(twice, Named("hotspot"), "t"), expected) << "all values are exact in f32";
  EXPECT_NE(Result(twice, Named("hotspot"), "r"), expected);
}

TEST(References, SpmvMultipliesTheStoredElements) {
  const Workload one = Demo(Iota("s", 2, 0, 1, "s32") + Iota("c", 1, 0, 1, "s32") +
                                Iota("v", 1, 3) + Iota("x", 1, 5) + Iota("y", 1, 0),
                            "'s', 'c', 'v', 'x', 'y', { s32 = 1 }");
  EXPECT_EQ(Result(one, Named("spmv"), "y"), (std::vector<float>{15}));
  // Starts 0 2 4 6 and columns 5 4 3 2 1 0: rows (5 4), (3 2), (1 0).
  const Workload reversed = Demo(
      "[buffer.s]\ntype='s32'\ncount=4\nfill='iota'\nstep=2\n"
      "[buffer.c]\ntype='s32'\ncount=6\nfill='iota'\nstart=5\nstep=-1\n" +
          Iota("v", 6, 1) + Iota("x", 6, 10, 10) + Iota("y", 3, 0),
      "'s', 'c', 'v', 'x', 'y', { s32 = 3 }");
  EXPECT_EQ(Result(reversed, Named("spmv"), "y"),
            (std::vector<float>{1 * 60 + 2 * 50, 3 * 40 + 4 * 30, 5 * 20 + 6 * 10}));
}

TEST(References, RejectArgumentsThatDoNotFitTheBuffers) {
  const auto message = [](const Workload& workload, void (*compute)(ReferenceData&)) {
    return BadInputMessage([&] {
      ReferenceData data(workload);
      compute(data);
    });
  };
  const std::string buffers = Iota("a", 4, 1) + Iota("b", 4, 1) + Iota("c", 4, 1);
  EXPECT_EQ(message(Demo(buffers, "'a', 'b', 'c', { s32 = 5 }"), Named("vecadd")),
            "w.toml:25:7: argument 1 is 'a': the reference expected a buffer of 5 elements of 4 "
            "bytes");
  EXPECT_EQ(message(Demo(buffers, "'a', 'b', 'c', { s32 = -1 }"), Named("matmul")),
            "w.toml:25:22: argument 4 is a scalar s32: the reference expected a value from 0 to "
            "2147483647");
  const std::string indices =
      "[buffer.s]\ntype='s32'\ncount=2\nfill='iota'\n"
      "[buffer.k]\ntype='s32'\ncount=1\nfill='constant'\nvalue=9\n";
  EXPECT_EQ(message(Demo(indices + buffers, "'s', 'k', 'a', 'b', 'c', { s32 = 1 }"), Named("spmv")),
            "reference 'spmv': column is 9: expected 0 or more, below 4");
}

}  // namespace references_test
}  // namespace flagstone
