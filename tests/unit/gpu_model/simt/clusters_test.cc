// Clusters: where TBs stand in them, their barrier, and accesses to one another's shared memory.
#include "gpu_model/simt/clusters.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/gpu_model/simt/single_block.h"
#include "tests/unit/gpu_model/simt/stepped_launch.h"

namespace flagstone::simt {
namespace clusters_test {

using Words = std::vector<uint32_t>;

constexpr Dim3 kGrid = {4, 6, 8}, kCluster = {2, 3, 4};

TEST(Clusters, TellWhereATbStandsInTheGridsClustersAndInItsOwn) {
  uint64_t tb = 0;
  for (uint32_t z = 0; z < kGrid.z; ++z) {
    for (uint32_t y = 0; y < kGrid.y; ++y) {
      for (uint32_t x = 0; x < kGrid.x; ++x, ++tb) {
        const ClusterPlace place = PlaceInCluster(tb, kGrid, kCluster);
        EXPECT_EQ((std::vector{place.cluster.x, place.cluster.y, place.cluster.z}),
                  (Words{x / 2, y / 3, z / 4}));
        EXPECT_EQ((std::vector{place.within.x, place.within.y, place.within.z}),
                  (Words{x % 2, y % 3, z % 4}));
        EXPECT_EQ(place.rank, x % 2 + 2 * (y % 3) + 6 * (z % 4));
        EXPECT_EQ(place.index, x / 2 + 2 * (y / 3) + 4 * (z / 4));
        EXPECT_EQ(PeerOf(tb, place.rank, kGrid, kCluster), tb);
        const ClusterPlace last = PlaceInCluster(PeerOf(tb, 23, kGrid, kCluster), kGrid, kCluster);
        EXPECT_EQ(last.index, place.index);
        EXPECT_EQ(last.rank, 23U);
      }
    }
  }
}

TEST(Clusters, FollowOneAnotherRankByRankInTheOrderOfTbs) {
  const std::vector<uint32_t> order = ClusterOrder(kGrid, kCluster);
  ASSERT_EQ(order.size(), kGrid.Count());
  for (uint64_t i = 0; i < order.size(); ++i) {
    const ClusterPlace place = PlaceInCluster(order[i], kGrid, kCluster);
    EXPECT_EQ(place.index, i / 24);
    EXPECT_EQ(place.rank, i % 24);
  }
  EXPECT_TRUE(ClusterOrder({4, 6, 8}, {4, 1, 1}).empty()) << "rows are in this order already";
  EXPECT_FALSE(ClusterOrder({4, 6, 8}, {1, 2, 1}).empty());
  EXPECT_FALSE(ClusterOrder({4, 6, 8}, {1, 1, 2}).empty());
}

TEST(Clusters, EndAPhaseOfTheBarrierWhenAllThreadsHaveComeOrLeft) {
  KernelRun run = KernelRun::FromText(KernelText("", "ret;"), {4, 1, 1}, {40, 1, 1});
  run.Cluster({2, 1, 1});
  Clusters clusters(run.launch());
  ASSERT_EQ(clusters.barriers.size(), 2U);
  EXPECT_EQ(clusters.barriers[1].expected, 80U);
  clusters.Arrive(1, 79, false);
  EXPECT_EQ(clusters.barriers[1].phase, 0U);
  clusters.Arrive(1, 1, false);
  EXPECT_EQ(clusters.barriers[1].phase, 1U);
  clusters.Arrive(1, 30, true);
  EXPECT_EQ(clusters.barriers[1].phase, 1U) << "nobody waits";
  clusters.Arrive(1, 49, false);
  EXPECT_EQ(clusters.barriers[1].phase, 1U);
  clusters.Arrive(1, 1, true);
  EXPECT_EQ(clusters.barriers[1].phase, 2U) << "the last one has left";
  EXPECT_EQ(clusters.barriers[0].phase, 0U);
}

// TBs of 32 threads, each of which has its number in the grid in `words`; %r4 is that number, %r5
// its word's address, and %rd1 its four words of `out`.
std::string Kernel(const std::string& body) {
  return KernelText(".param .u64 out",
                    ".shared .align 16 .b32 words[64];\n"
                    "ld.param.u64 %rd1, [out];\nmov.u32 %r1, %laneid;\nmov.u32 %r2, %ctaid.x;\n"
                    "shl.b32 %r4, %r2, 5;\nadd.u32 %r4, %r4, %r1;\nshl.b32 %r3, %r1, 2;\n"
                    "mov.u32 %r5, words;\nadd.u32 %r5, %r5, %r3;\nst.shared.u32 [%r5], %r4;\n"
                    "mul.wide.u32 %rd2, %r4, 16;\nadd.s64 %rd1, %rd1, %rd2;\n"
                    "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n" +
                        body +
                        "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\nret;");
}

Words Outputs(const std::string& body, uint32_t tbs, uint32_t cluster, bool stepped) {
  KernelRun run = KernelRun::FromText(Kernel(body), {tbs, 1, 1});
  run.Cluster({cluster, 1, 1}).Buffer("out", Words(tbs * 32 * 4));
  if (stepped) {
    SteppedLaunch(run).Run();
  } else {
    run.Run();
  }
  return run.Contents<uint32_t>("out");
}

// Lane i of a group of four reads the words of four lanes from the TB of rank i % 4.
constexpr char kLoads[] =
    "and.b32 %r6, %r1, 3;\nand.b32 %r7, %r3, 112;\nmov.u32 %r8, words;\nadd.u32 %r8, %r8, %r7;\n"
    "mov.u32 %r10, 1;\nmapa.shared::cluster.u32 %r9, %r8, %r6;\n"
    "ld.shared::cluster.v4.u32 {%r10, _, %r11, %r12}, [%r9];\n"
    "getctarank.shared::cluster.u32 %r13, %r9;\n"
    "st.global.v4.u32 [%rd1], {%r10, %r11, %r12, %r13};\n";

TEST(Clusters, LetEachLaneReadFromTheTbThatItsAddressNames) {
  for (const bool stepped : {false, true}) {
    const Words out = Outputs(kLoads, 8, 4, stepped);
    for (uint32_t thread = 0; thread < 8 * 32; ++thread) {
      const uint32_t rank = thread % 4;
      const uint32_t first = thread / 128 * 128 + rank * 32 + thread % 32 / 4 * 4;
      const Words got(out.begin() + thread * 4, out.begin() + thread * 4 + 4);
      ASSERT_EQ(got, (Words{first, first + 2, first + 3, rank})) << thread << " " << stepped;
    }
  }
}

TEST(Clusters, ExtendTheSignOfNarrowElementsThatComeFromAnotherTb) {
  const Words out = Outputs(
      "neg.s32 %r6, %r4;\nst.shared.u32 [%r5+128], %r6;\n"
      "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n"
      "mov.u32 %r7, %cluster_ctarank;\nxor.b32 %r7, %r7, 1;\n"
      "mapa.shared::cluster.u32 %r9, %r5, %r7;\nld.shared::cluster.s8 %r10, [%r9+128];\n"
      "ld.shared::cluster.u8 %r11, [%r9+128];\nld.shared::cluster.s32 %rd3, [%r9+128];\n"
      "cvt.u32.u64 %r12, %rd3;\nshr.u64 %rd3, %rd3, 32;\ncvt.u32.u64 %r13, %rd3;\n"
      "st.global.v4.u32 [%rd1], {%r10, %r11, %r12, %r13};\n",
      2, 2, true);
  for (uint32_t thread = 1; thread < 64; ++thread) {
    if (thread == 32) continue;
    const uint32_t negative = -(thread ^ 32);
    const Words got(out.begin() + thread * 4, out.begin() + thread * 4 + 4);
    EXPECT_EQ(got, (Words{negative, negative & 0xff, negative, 0xffffffff})) << thread;
  }
}

// A load from one's own memory is there at once, one from another TB's at the commit.
TEST(Clusters, DeferWhatIsReadFromAnotherTbAlone) {
  KernelRun run = KernelRun::FromText(
      KernelText(".param .u64 out",
                 ".shared .align 4 .b32 word[1];\nld.param.u64 %rd1, [out];\n"
                 "mov.u32 %r1, %cluster_ctarank;\nadd.u32 %r2, %r1, 70;\n"
                 "st.shared.u32 [word], %r2;\nmov.u32 %r3, word;\nmov.u32 %r9, 5;\n"
                 "mapa.shared::cluster.u32 %r4, %r3, 1;\nld.shared::cluster.u32 %r5, [%r3];\n"
                 "ld.shared::cluster.u32 %r6, [%r4];\nst.global.v2.u32 [%rd1], {%r5, %r6};\nret;"),
      {2, 1, 1}, {1, 1, 1});
  run.Cluster({2, 1, 1}).Buffer("out", Words(2));
  const Program program(run.launch());
  Executor executor(program, &run.memory(), 0, 1);
  ThreadBlock first(program), second(program);
  first.Start(0);
  second.Start(1);
  while (second.pc(0) != 5) executor.Step(&second, 0);
  while (!first.exited(0)) executor.Step(&first, 0);
  executor.Commit();
  EXPECT_EQ(run.Contents<uint32_t>("out"), (Words{70, 0})) << "stored before the load's commit";
  first.Start(0);
  while (!first.exited(0)) {
    executor.Step(&first, 0);
    executor.Commit();
  }
  EXPECT_EQ(run.Contents<uint32_t>("out"), (Words{70, 71}));
}

TEST(Clusters, TakeAtomicsAndStoresOfOtherTbs) {
  const Words out = Outputs(
      "xor.b32 %r6, %r1, 1;\nand.b32 %r6, %r6, 1;\nmov.u32 %r7, words;\n"
      "mapa.shared::cluster.u32 %r8, %r7, %r6;\nred.shared::cluster.add.u32 [%r8+128], 3;\n"
      "mov.u32 %r10, %cluster_ctarank;\nmapa.shared::cluster.u32 %r9, %r5, 0;\n"
      "setp.eq.u32 %p1, %r10, 1;\n@%p1 st.shared::cluster.u32 [%r9], %r4;\n"
      "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n"
      "ld.shared.u32 %r11, [words+128];\nld.shared.u32 %r12, [%r5];\n"
      "st.global.v2.u32 [%rd1], {%r11, %r12};\n",
      2, 2, true);
  for (uint32_t thread = 0; thread < 64; ++thread) {
    EXPECT_EQ(out[thread * 4], 32 * 3U);
    EXPECT_EQ(out[thread * 4 + 1], 32 + thread % 32) << "TB 1's number stands in both";
  }
}

TEST(Clusters, FailAtATbThatIsNotThereAndHaveOneTbWithoutAShape) {
  const auto message = [](const std::string& body) {
    return MessageOf(ErrorKind::kRunFailed, [&] {
      KernelRun run = KernelRun::FromText(
          KernelText("", ".shared .b32 word[1];\nmov.u32 %r1, word;\n" + body + "ret;"), {2, 1, 1});
      SteppedLaunch(run).Run();
    });
  };
  EXPECT_NE(message("mapa.shared::cluster.u32 %r2, %r1, 1;\n").find("rank 1 in a cluster of 1"),
            std::string::npos);
  const auto far = [](const std::string& body) {
    return MessageOf(ErrorKind::kRunFailed, [&] { Outputs(body, 4, 2, true); });
  };
  EXPECT_NE(far("mapa.shared::cluster.u32 %r6, %r5, 2;\n").find("rank 2 in a cluster of 2"),
            std::string::npos);
  EXPECT_NE(far("add.u32 %r6, %r5, 0x3000000;\nld.shared::cluster.u32 %r7, [%r6];\n")
                .find("an access to a TB that is not in the cluster"),
            std::string::npos);
}

}  // namespace clusters_test
}  // namespace flagstone::simt
