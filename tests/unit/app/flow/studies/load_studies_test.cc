// The studies of loads: strides between warps on loads made by hand, repetition on real kernels.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/flow/studies/load_iterations.h"
#include "app/flow/studies/load_study.h"
#include "app/flow/studies/warp_distance.h"
#include "base/toml_reader.h"
#include "kernels/launch/workload.h"
#include "tests/unit/base/error_message.h"

namespace flagstone {
namespace load_studies_test {

using testing::HasSubstr;

Workload Load(const std::string& name) { return Workload::Load(FindWorkload(name), "test"); }

// Two TBs of four warps; the warps of each load 512 bytes apart, ten cycles after one another.
WarpDistance TwoTbs(uint64_t second_base) {
  WarpDistance distance(5);
  for (uint8_t warp = 0; warp < 8; ++warp) {
    const uint64_t base = warp < 4 ? 0 : second_base;
    distance.Add({.cycle = 10U * warp,
                  .address = base + 512U * warp,
                  .tb = warp / 4U,
                  .pc = 7,
                  .warp = warp});
  }
  return distance;
}

TEST(WarpDistance, IsRightAtEveryDistanceWhereOneStrideHoldsForAllWarps) {
  const WarpDistance distance = TwoTbs(0);
  // Warps 2 to 7 predict, the stride having been seen twice at warp 2.
  for (uint32_t d = 1; d <= 5; ++d) {
    const WarpDistanceFigures& figures = distance.figures()[d - 1];
    EXPECT_EQ(figures.targets, 6 - d) << d;
    EXPECT_EQ(figures.correct, figures.targets) << d;
    EXPECT_EQ(figures.cycles, 10 * d * figures.targets) << d;
  }
  EXPECT_EQ(distance.figures()[0].same_tb, 4U) << "3 from 2, 5 from 4, 6 from 5, 7 from 6";
}

TEST(WarpDistance, IsWrongAcrossTbsWhoseBasesLieElsewhere) {
  const WarpDistance distance = TwoTbs(0x100000);
  const WarpDistanceFigures& next = distance.figures()[0];
  // Warp 4 breaks the stride and warp 5 has it once: 2, 3, 6 and 7 predict. 3 and 7 are right.
  EXPECT_EQ(next.targets, 3U);
  EXPECT_EQ(next.correct, 2U);
  EXPECT_EQ(next.same_tb_correct, 2U);
  EXPECT_EQ(next.same_tb, 2U);
  const WarpDistanceFigures& far = distance.figures()[3];
  EXPECT_EQ(far.targets, 2U) << "6 from 2 and 7 from 3";
  EXPECT_EQ(far.correct, 0U);
  EXPECT_EQ(far.same_tb, 0U);
}

TEST(WarpDistance, SetsTheSameTripOfALoopAgainstEachOther) {
  WarpDistance distance(1);
  // Warp 2 does its second trip before warp 3 does its first.
  const LoadEvent loads[] = {{0, 0x0000, 0, 7, 0}, {1, 0x0200, 0, 7, 1},  {2, 0x0400, 0, 7, 2},
                             {3, 0x9400, 0, 7, 2}, {50, 0x0600, 0, 7, 3}, {60, 0x9600, 0, 7, 3}};
  for (const LoadEvent& load : loads) distance.Add(load);
  EXPECT_EQ(distance.figures()[0].targets, 1U) << "the second trip of warp 2 has no stride";
  EXPECT_EQ(distance.figures()[0].correct, 1U);
  EXPECT_EQ(distance.figures()[0].cycles, 48U);
}

TEST(WarpDistance, DropsWhatWasPredictedForATbThatHasEnded) {
  WarpDistance distance(1);
  // TB 1's warp in place 3 does one trip and ends, as TB 0 does its second.
  const LoadEvent loads[] = {{0, 0x0600, 1, 7, 3}, {1, 0x0000, 0, 7, 0}, {2, 0x0200, 0, 7, 1},
                             {3, 0x0400, 0, 7, 2}, {4, 0x1000, 0, 7, 0}, {5, 0x1200, 0, 7, 1},
                             {6, 0x1400, 0, 7, 2}, {8, 0x0c00, 2, 7, 3}, {9, 0x1600, 2, 7, 3}};
  for (const LoadEvent& load : loads) distance.Add(load);
  EXPECT_EQ(distance.figures()[0].targets, 1U) << "warp 1's first trip told of warp 2's";
}

TEST(WarpDistance, TellsLoadsApart) {
  WarpDistance distance(1);
  for (uint8_t warp = 0; warp < 4; ++warp) {
    distance.Add({.cycle = warp, .address = 512U * warp, .pc = warp % 2U, .warp = warp});
  }
  EXPECT_EQ(distance.figures()[0].targets, 0U) << "two warps each: no stride twice";
}

TEST(LoadIterations, CountsTheTripsOfALoopPerWarp) {
  // C = A * B in tiles of 16: each warp loads its part of both tiles once a tile of the inner
  // dimension.
  const LoadIterations matmul = CountLoadIterations(Load("matmul_tiled"));
  EXPECT_EQ(matmul.loads, 2U);
  EXPECT_EQ(matmul.repeated, 2U);
  ASSERT_EQ(matmul.iterations.size(), 2U);
  EXPECT_EQ(matmul.iterations[0], matmul.iterations[1]);
  EXPECT_GT(matmul.iterations[0], 1.5);
}

TEST(LoadIterations, DoesNotCountAnotherLaunchAsARepetition) {
  const LoadIterations jacobi = CountLoadIterations(Load("jacobi1d"));  // 4 rounds, no loop
  EXPECT_EQ(jacobi.loads, 4U);
  EXPECT_EQ(jacobi.repeated, 0U);
  for (const double iterations : jacobi.iterations) EXPECT_EQ(iterations, 1);
}

// Of a workload at test size on `tiny`.
Json RowsOf(LoadStudy::Kind kind, const std::string& workload) {
  LoadStudy study;
  study.kind = kind;
  study.warps = 8;
  RunOptions& run = study.runs.emplace_back();
  run.workload = workload;
  run.size = "test";
  run.machine = MachineConfig::Load("tiny", {});
  run.engine = Engine::kModel;
  return RunLoadStudy(study, 0, Load(workload))["rows"];
}

TEST(LoadStudy, FollowsTheLoadsOfARun) {
  const Json rows = RowsOf(LoadStudy::Kind::kWarpDistance, "matmul_tiled");
  ASSERT_EQ(rows.size(), 8U);
  for (const Json& row : rows) EXPECT_GT(row["targets"], 0) << row;
  // TBs of 8 warps.
  EXPECT_GT(rows[0]["accuracy_in_tb"], 0.5) << rows[0];
  EXPECT_EQ(rows[7]["same_tb"], 0.0) << rows[7];
  EXPECT_GT(rows[6]["gap"], rows[0]["gap"]);
}

// TBs of four warps whose rows are 384 bytes: in TB order x first, 128 bytes a column.
TEST(LoadStudy, FollowsTheBasesOfTheFirstSmsTbs) {
  const Json rows = RowsOf(LoadStudy::Kind::kTbBases, "laplace3d");
  ASSERT_GT(rows.size(), 1U);
  EXPECT_EQ(rows[0]["tb"], 0);
  EXPECT_EQ(rows[0]["base"], 0);
  EXPECT_TRUE(rows[0]["from_previous"].is_null());
  for (size_t i = 0; i < rows.size(); ++i) {
    const int64_t x = rows[i]["coordinates"][0], y = rows[i]["coordinates"][1];
    EXPECT_EQ(rows[i]["tb"], y * 3 + x);
    EXPECT_EQ(rows[i]["base"], x * 128 + y * 4 * 384);
    if (i != 0) {
      EXPECT_EQ(rows[i]["from_previous"],
                rows[i]["base"].get<int64_t>() - rows[i - 1]["base"].get<int64_t>());
    }
    // The last row of TBs has two warps in the grid.
    EXPECT_EQ(rows[i]["warps"], y < 5 ? 4 : 2);
    EXPECT_EQ(rows[i]["stride"], 384);
  }
}

// What changes a row changes the name of a stored result; what does not, does not.
TEST(LoadStudy, ItsStoredNameFollowsFromWhatDeterminesIt) {
  LoadStudy study;
  study.warps = 8;
  RunOptions& run = study.runs.emplace_back();
  run.machine = MachineConfig::Load("tiny", {});
  run.engine = Engine::kModel;
  const std::string iterations = LoadStudyIdentity(study, 0, 1);
  EXPECT_NE(LoadStudyIdentity(study, 0, 2), iterations);
  run.machine.sm.count += 1;
  EXPECT_EQ(LoadStudyIdentity(study, 0, 1), iterations);  // without timing
  study.kind = LoadStudy::Kind::kWarpDistance;
  const std::string distances = LoadStudyIdentity(study, 0, 1);
  EXPECT_NE(distances, iterations);
  run.machine.sm.count += 1;
  EXPECT_NE(LoadStudyIdentity(study, 0, 1), distances);
  run.machine.sm.count -= 1;
  EXPECT_EQ(LoadStudyIdentity(study, 0, 1), distances);
  study.warps = 9;
  EXPECT_NE(LoadStudyIdentity(study, 0, 1), distances);
  study.kind = LoadStudy::Kind::kTbBases;
  const std::string bases = LoadStudyIdentity(study, 0, 1);
  EXPECT_NE(bases, distances);
  run.machine.sm.count += 1;
  EXPECT_NE(LoadStudyIdentity(study, 0, 1), bases);
  study.kind = LoadStudy::Kind::kCoalescing;
  const std::string coalescing = LoadStudyIdentity(study, 0, 1);
  run.machine.sm.count += 1;
  EXPECT_NE(LoadStudyIdentity(study, 0, 1), coalescing);
  study.kind = LoadStudy::Kind::kLadm;
  const std::string ladm = LoadStudyIdentity(study, 0, 1);
  run.machine.sm.count += 1;
  EXPECT_EQ(LoadStudyIdentity(study, 0, 1), ladm);
  EXPECT_NE(ladm, iterations);
}

std::string StudyError(const std::string& text) {
  return BadInputMessage([&] {
    const toml::table table = ParseToml("description = \"d\"\nsource = \"s\"\n" + text, "e.toml");
    LoadStudy::Parse(TomlReader(table, "e.toml", "the file"));
  });
}

constexpr char kLadmKernel[] = R"(study = "ladm"
[[kernel]]
workload = "vecadd"
kernel = "vecadd"
locality = "NL"
scheduler = "align-aware"
)";

TEST(LoadStudy, AWorkloadOfSeveralPublishedKernelsRunsOnce) {
  const std::string text =
      std::string("description = \"d\"\nsource = \"s\"\nsize = \"test\"\n") + kLadmKernel;
  const toml::table table = ParseToml(text + R"(
[[kernel]]
workload = "vecadd"
kernel = "other"
label = "Other"
locality = "RCL"
scheduler = "row-binding"
explained = "why"
)",
                                      "e.toml");
  const LoadStudy study = LoadStudy::Parse(TomlReader(table, "e.toml", "the file"));
  ASSERT_EQ(study.runs.size(), 1U);
  EXPECT_EQ(study.runs[0].size, "test");
  ASSERT_EQ(study.published.size(), 2U);
  EXPECT_EQ(study.published[0].label, "vecadd");
  EXPECT_EQ(study.published[1].label, "Other");
  EXPECT_EQ(study.published[1].explained, "why");
}

TEST(LoadStudy, BadFilesNameTheirLine) {
  EXPECT_EQ(StudyError("study = \"strides\"\nworkloads = [\"syrk\"]"),
            "e.toml:3:9: key 'study' is 'strides': expected one of load-iterations, warp-distance, "
            "tb-bases, coalescing, ladm, tb-sharing");
  EXPECT_THAT(StudyError("study = \"warp-distance\"\nworkloads = [\"syrk\"]\nwarps = 64"),
              HasSubstr("e.toml:5:9: key 'warps' is 64"));
  EXPECT_THAT(StudyError("study = \"warp-distance\"\nworkloads = [\"syrk\"]\nwarps = 8"),
              HasSubstr("machine"));
  EXPECT_THAT(StudyError("study = \"load-iterations\"\nmachines = [\"tiny\"]"),
              HasSubstr("unknown key 'machines'"));
  EXPECT_THAT(StudyError("study = \"ladm\""), HasSubstr("missing key 'kernel'"));
  EXPECT_THAT(StudyError("study = \"ladm\"\nworkloads = [\"syrk\"]"),
              HasSubstr("unknown key 'workloads'"));
  EXPECT_THAT(StudyError(std::string(kLadmKernel) + "degree = 1"),
              HasSubstr("e.toml:9:1: unknown key 'degree'"));
  EXPECT_EQ(StudyError(std::string("size = \"paper\"\n") + kLadmKernel +
                       "[[kernel]]\nworkload = \"vecadd\"\nkernel = \"vecadd\"\nsize = \"test\"\n"
                       "locality = \"NL\"\nscheduler = \"align-aware\""),
            "e.toml:10:1: workload 'vecadd' is in the study at size paper and at test");
}

}  // namespace load_studies_test
}  // namespace flagstone
