// Every workload in the folder, in both sizes: it loads, binds, and means what its page says.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <tuple>

#include "kernels/launch/workload.h"
#include "workloads/reference.h"

namespace flagstone {
namespace workloads_test {

// A workload's name and size.
class EveryWorkload : public testing::TestWithParam<std::tuple<std::string, std::string>> {
 protected:
  static Workload Load() {
    return Workload::Load(FindWorkload(std::get<0>(GetParam())), std::get<1>(GetParam()));
  }
};

INSTANTIATE_TEST_SUITE_P(Workloads, EveryWorkload,
                         testing::Combine(testing::ValuesIn(ListWorkloads()),
                                          testing::Values("test", "medium", "ladm", "paper")),
                         [](const auto& instance) {
                           return std::get<0>(instance.param) + "_" + std::get<1>(instance.param);
                         });

TEST_P(EveryWorkload, LoadsAndBinds) {
  const Workload workload = Load();
  EXPECT_EQ(workload.name, std::get<0>(GetParam()));
  EXPECT_FALSE(workload.description.empty());
  EXPECT_FALSE(workload.checks.empty());
  RequireReferences(workload, References());
  const BoundWorkload bound = Bind(workload);
  EXPECT_EQ(bound.launches.size(), workload.launches.size());
}

// At the test size only: references of the largest problems take longer than a test may.
class EveryCheck : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Workloads, EveryCheck, testing::ValuesIn(ListWorkloads()),
                         [](const auto& instance) { return instance.param; });

TEST_P(EveryCheck, RejectsTheContentsAtTheStart) {
  // A run that computed nothing must not pass.
  const Workload workload = Workload::Load(FindWorkload(GetParam()), "test");
  const BoundWorkload bound = Bind(workload);
  for (const CheckResult& result : RunChecks(workload, bound.memory, References())) {
    EXPECT_FALSE(result.passed) << result.buffer;
    // Some results are mostly what the buffer began with: padding, unreached nodes, empty bins.
    EXPECT_GE(result.mismatches,
              std::max<uint64_t>(1, workload.FindBuffer(result.buffer)->count / 20))
        << result.buffer;
  }
}

// Those that are measured beside GPGPU-Sim.
TEST(PeerWorkloads, RejectTheContentsAtTheStart) {
  size_t checks = 0;
  for (const auto& file : std::filesystem::directory_iterator("experiments/peer")) {
    if (file.path().extension() != ".toml") continue;
    const Workload workload = Workload::Load(file.path(), "test");
    const BoundWorkload bound = Bind(workload);
    for (const CheckResult& result : RunChecks(workload, bound.memory, References())) {
      EXPECT_FALSE(result.passed) << workload.name << ": " << result.buffer;
      ++checks;
    }
  }
  EXPECT_EQ(checks, 24U);
}

// Those that judge the predictor: they load, fit their kernels, and have TBs to order.
TEST(HeldOutKernels, LoadAndBind) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator("experiments/held_out")) {
    if (entry.path().extension() != ".toml") continue;
    const Workload workload = Workload::Load(entry.path(), "paper");
    const std::string folder = entry.path().parent_path().filename().string();
    EXPECT_TRUE(workload.name.starts_with("held_out_" + folder)) << workload.name;
    EXPECT_FALSE(workload.description.empty()) << workload.name;
    EXPECT_EQ(Bind(workload).launches.size(), workload.launches.size()) << workload.name;
    uint64_t tbs = 0;
    for (const LaunchSpec& launch : workload.launches) tbs = std::max(tbs, launch.grid.Count());
    EXPECT_GE(tbs, 120U) << workload.name;
  }
}

TEST_P(EveryWorkload, GivesTwoSmsSeveralTbsEach) {
  // A program's small launches (the top of a scan) may have fewer TBs; its main one may not.
  uint64_t tbs = 0;
  for (const LaunchSpec& launch : Load().launches) tbs = std::max(tbs, launch.grid.Count());
  EXPECT_GE(tbs, 16U);
}

uint64_t PaperTbs(const std::string& name, size_t launch = 0) {
  return Workload::Load(FindWorkload(name), "paper").launches.at(launch).grid.Count();
}

TEST(Workloads, HaveAsManyTbsAsInPaversTable2) {
  EXPECT_EQ(PaperTbs("bfs"), 3907U);
  EXPECT_EQ(PaperTbs("backprop"), 4096U);
  EXPECT_EQ(PaperTbs("blackscholes"), 480U);
  EXPECT_EQ(PaperTbs("btree_findk"), 10000U);
  EXPECT_EQ(PaperTbs("dwt53"), 4096U);
  EXPECT_EQ(PaperTbs("heartwall"), 51U);
  EXPECT_EQ(PaperTbs("hotspot"), 1849U);
  EXPECT_EQ(PaperTbs("matmul"), 169U);
  EXPECT_EQ(PaperTbs("md5"), 384U);
  EXPECT_EQ(PaperTbs("md5", 1), 384U);
  EXPECT_EQ(PaperTbs("mergesort", 3), 32768U);
  EXPECT_EQ(PaperTbs("mummer"), 196U);
  EXPECT_EQ(PaperTbs("pathfinder"), 463U);
  EXPECT_EQ(PaperTbs("sad"), 1584U);
  EXPECT_EQ(PaperTbs("sha1"), 384U);
  EXPECT_EQ(PaperTbs("spmv"), 765U);
  EXPECT_EQ(PaperTbs("srad"), 16384U);
  EXPECT_EQ(PaperTbs("syr2k"), 256U);
  EXPECT_EQ(PaperTbs("tpacf"), 201U);
  EXPECT_EQ(PaperTbs("syrk"), 256U);
}

TEST(Workloads, HaveTheShapeOfTheCoalescingPapersTable2) {
  for (const char* micro : {"stride_32", "stride_4", "same_location", "coalescing"}) {
    const LaunchSpec launch = Workload::Load(FindWorkload(micro), "paper").launches.at(0);
    EXPECT_EQ(launch.grid.Count(), 32U) << micro;
    EXPECT_EQ(launch.block.Count(), 64U) << micro;
  }
  const auto shape = [](const char* name) {
    const LaunchSpec launch = Workload::Load(FindWorkload(name), "test").launches.at(0);
    return std::array{launch.grid.x, launch.grid.y, launch.block.x, launch.block.y};
  };
  EXPECT_EQ(shape("conv2d"), (std::array<uint32_t, 4>{2, 8, 32, 8}));
  EXPECT_EQ(shape("conv3d"), (std::array<uint32_t, 4>{4, 16, 16, 4}));
  EXPECT_EQ(shape("gemm"), (std::array<uint32_t, 4>{2, 8, 32, 8}));
}

TEST(Workloads, HaveAsManyTbsAsInLadmsTable4) {
  EXPECT_EQ(PaperTbs("conv_separable"), 18432U);
  EXPECT_EQ(PaperTbs("fwt"), 4096U);
  EXPECT_EQ(PaperTbs("hotspot3d"), 1024U);
  EXPECT_EQ(PaperTbs("kmeans"), 1936U);
  EXPECT_EQ(PaperTbs("reduction_k6"), 2048U);
  EXPECT_EQ(PaperTbs("scalarprod"), 2048U);
  EXPECT_EQ(PaperTbs("sgemm"), 2048U);
  EXPECT_EQ(PaperTbs("sgemm_alexnet_fc2"), 2048U);
  EXPECT_EQ(PaperTbs("sgemm_vgg_fc2"), 8192U);
  EXPECT_EQ(PaperTbs("sgemm_resnet50_fc"), 16384U);
  EXPECT_EQ(PaperTbs("sgemm_lstm1"), 4096U);
  EXPECT_EQ(PaperTbs("sgemm_lstm2"), 2048U);
  EXPECT_EQ(PaperTbs("random_loc"), 41013U);
  EXPECT_EQ(PaperTbs("lbm"), 18000U);
  EXPECT_EQ(PaperTbs("bfs_relax"), 2048U);
  EXPECT_EQ(PaperTbs("sssp"), 4131U);
  EXPECT_EQ(PaperTbs("spmv_jds"), 4585U);
}

TEST(Workloads, HaveAsManyTbsAsTheirSuitesLaunch) {
  EXPECT_EQ(PaperTbs("cp"), 16U * 32U);
  EXPECT_EQ(PaperTbs("laplace3d"), 4U * 25U);
  EXPECT_EQ(PaperTbs("matmul_tiled"), 40U * 20U);
  EXPECT_EQ(PaperTbs("stencil"), 126U * 30U);
  EXPECT_EQ(PaperTbs("conv2d"), 128U * 512U);
  EXPECT_EQ(PaperTbs("conv3d"), 8U * 32U);
  EXPECT_EQ(PaperTbs("gemm"), 16U * 64U);
  EXPECT_EQ(PaperTbs("transpose"), 32U * 32U);
  EXPECT_EQ(PaperTbs("conv"), 256U * 256U);
  EXPECT_EQ(PaperTbs("demosaic"), 256U * 256U);
  EXPECT_EQ(PaperTbs("imregionmax"), 256U * 256U);
  EXPECT_EQ(PaperTbs("streamcluster"), 128U);
}

TEST(Workloads, ReadAsManyElementsAsInPaversTable2) {
  const auto elements = [](const std::string& name, std::initializer_list<const char*> buffers) {
    const Workload workload = Workload::Load(FindWorkload(name), "paper");
    uint64_t count = 0;
    for (const char* buffer : buffers) count += workload.FindBuffer(buffer)->count;
    return count;
  };
  EXPECT_EQ(elements("blackscholes", {"price", "strike", "years"}), 6000000U);
  EXPECT_EQ(elements("sad", {"frame"}), 25344U);
  EXPECT_EQ(elements("syr2k", {"a", "b", "c"}), 196608U);
  EXPECT_EQ(elements("syrk", {"a", "c"}), 131072U);
  EXPECT_EQ(elements("hotspot", {"temperature", "power"}), 524288U);
}

}  // namespace workloads_test
}  // namespace flagstone
