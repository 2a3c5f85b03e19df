// Clusters and cooperative launches (PTX ISA, sections 5.1.2, 9.7.9.23 and 9.7.13.4).
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/conformance/coverage.h"
#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone::conformance {
namespace cluster_test {

using ptx::Opcode;

// Each TB has 32 threads and the number of its first one in shared memory's words.
KernelRun Kernel(const std::string& body, Dim3 grid, Dim3 cluster) {
  KernelRun run = KernelRun::FromText(
      KernelText(".param .u64 out",
                 ".shared .align 8 .b32 words[33];\n"
                 "ld.param.u64 %rd0, [out]; mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x;\n"
                 "mov.u32 %r2, %ctaid.y; mov.u32 %r3, %nctaid.x; mad.lo.u32 %r4, %r2, %r3, %r1;\n"
                 "shl.b32 %r5, %r4, 5; add.u32 %r5, %r5, %r0; mul.wide.u32 %rd1, %r5, 8;\n"
                 "add.s64 %rd1, %rd0, %rd1; shl.b32 %r6, %r0, 2; mov.u32 %r7, words;\n"
                 "add.u32 %r8, %r6, %r7; st.shared.u32 [%r8], %r5;\n" +
                     body + "\nret;"),
      grid, {32, 1, 1});
  CoverOpcodes(*run.launch().kernel, {Opcode::kMapa, Opcode::kGetctarank});
  run.Cluster(cluster).Buffer("out", std::vector<uint32_t>(grid.Count() * 64));
  return run;
}

std::vector<uint32_t> Outputs(const std::string& body, Dim3 grid, Dim3 cluster) {
  KernelRun run = Kernel(body, grid, cluster);
  run.Run();
  return run.Contents<uint32_t>("out");
}

constexpr const char* kSync =
    "barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;\n";

TEST(Cluster, TellsTbsWhereTheyStand) {
  const Dim3 grid = {4, 6, 1};
  for (const Dim3 cluster : {Dim3{1, 1, 1}, Dim3{2, 1, 1}, Dim3{2, 3, 1}}) {
    const std::vector<uint32_t> out = Outputs(
        "mov.u32 %r10, %clusterid.x; mov.u32 %r11, %clusterid.y; mov.u32 %r12, %nclusterid.x;\n"
        "mov.u32 %r13, %cluster_ctaid.x; mov.u32 %r14, %cluster_ctaid.y; mov.u32 %r15, "
        "%cluster_ctarank;\nmov.u32 %r16, %cluster_nctarank; mov.u32 %r17, %cluster_nctaid.y;\n"
        "mov.pred %p1, %is_explicit_cluster; selp.u32 %r18, 1, 0, %p1;\n"
        "mad.lo.u32 %r20, %r10, 10, %r11; mad.lo.u32 %r20, %r20, 10, %r12; mad.lo.u32 %r20, "
        "%r20, 10, %r13; mad.lo.u32 %r20, %r20, 10, %r14;\nmad.lo.u32 %r21, %r15, 10, %r16; "
        "mad.lo.u32 %r21, %r21, 10, %r17; mad.lo.u32 %r21, %r21, 10, %r18;\n"
        "st.global.v2.u32 [%rd1], {%r20, %r21};",
        grid, cluster);
    for (uint32_t tb = 0; tb < grid.Count(); ++tb) {
      const uint32_t x = tb % grid.x, y = tb / grid.x;
      const uint32_t in_x = x % cluster.x, in_y = y % cluster.y;
      const uint32_t tbs = cluster.x * cluster.y;
      const uint32_t first = x / cluster.x * 10000 + y / cluster.y * 1000 +
                             grid.x / cluster.x * 100 + in_x * 10 + in_y;
      const uint32_t second =
          (in_y * cluster.x + in_x) * 1000 + tbs * 100 + cluster.y * 10 + (tbs > 1 ? 1 : 0);
      EXPECT_EQ(out[tb * 64], first) << tb;
      EXPECT_EQ(out[tb * 64 + 1], second) << tb;
    }
  }
}

// The next rank's words, and that rank, through addresses of 32 bits and generic ones.
TEST(Cluster, ReadsTheSharedMemoryOfOtherTbs) {
  const std::string next =
      "mov.u32 %r10, %cluster_ctarank; add.u32 %r10, %r10, 1; mov.u32 %r11, %cluster_nctarank;\n"
      "rem.u32 %r10, %r10, %r11;\n";
  const std::string narrow =
      "mapa.shared::cluster.u32 %r12, %r8, %r10; ld.shared::cluster.u32 %r13, [%r12];\n"
      "getctarank.shared::cluster.u32 %r14, %r12;\n";
  const std::string wide =
      "cvt.u64.u32 %rd5, %r8; cvta.shared.u64 %rd5, %rd5; mapa.u64 %rd6, %rd5, %r10;\n"
      "ld.u32 %r13, [%rd6]; getctarank.u64 %r14, %rd6;\n";
  const std::string other =
      "cvt.u64.u32 %rd5, %r8; mapa.shared::cluster.u64 %rd6, %rd5, %r10;\n"
      "ld.shared::cluster.u32 %r13, [%rd6]; getctarank.shared::cluster.u64 %r14, %rd6;\n";
  const std::string generic_narrow =
      "mapa.shared::cluster.u32 %r12, %r8, %r10; ld.shared::cluster.u32 %r13, [%r12];\n"
      "getctarank.u32 %r14, %r12;\n";
  for (const Dim3 cluster : {Dim3{1, 1, 1}, Dim3{4, 1, 1}, Dim3{2, 2, 1}}) {
    const Dim3 grid = {4, 2, 1};
    for (const std::string& read : {narrow, wide, other, generic_narrow}) {
      const std::vector<uint32_t> out = Outputs(
          kSync + next + read + "st.global.v2.u32 [%rd1], {%r13, %r14};\n" + kSync, grid, cluster);
      for (uint32_t tb = 0; tb < grid.Count(); ++tb) {
        const uint32_t x = tb % grid.x, y = tb / grid.x;
        const uint32_t tbs = cluster.x * cluster.y;
        const uint32_t rank = (y % cluster.y * cluster.x + x % cluster.x + 1) % tbs;
        const uint32_t peer = (y / cluster.y * cluster.y + rank / cluster.x) * grid.x +
                              x / cluster.x * cluster.x + rank % cluster.x;
        for (uint32_t lane = 0; lane < 32; ++lane) {
          ASSERT_EQ(out[2 * (tb * 32 + lane)], peer * 32 + lane) << read << tb;
          ASSERT_EQ(out[2 * (tb * 32 + lane) + 1], rank) << read << tb;
        }
      }
    }
  }
}

// Each lane's address may lead to another TB: lane i goes to rank i % 4.
TEST(Cluster, WritesAndCountsInTheSharedMemoryOfOtherTbs) {
  const std::vector<uint32_t> out =
      Outputs("mov.u32 %r9, 0; st.shared.u32 [words+128], %r9;\n" + std::string(kSync) +
                  "and.b32 %r10, %r0, 3; mov.u32 %r11, words; mapa.shared::cluster.u32 %r12, %r11, "
                  "%r10;\nred.shared::cluster.add.u32 [%r12+128], 1;\n"
                  "mov.u32 %r13, %cluster_ctarank; setp.eq.u32 %p1, %r0, %r13;\n"
                  "mapa.shared::cluster.u32 %r14, %r8, %r10; add.u32 %r15, %r5, 1000;\n"
                  "setp.lt.u32 %p2, %r13, 1; @%p2 st.shared::cluster.u32 [%r14], %r15;\n" +
                  kSync +
                  "ld.shared.u32 %r20, [words+128]; ld.shared.u32 %r21, [%r8];\n"
                  "st.global.v2.u32 [%rd1], {%r20, %r21};",
              {8, 1, 1}, {4, 1, 1});
  for (uint32_t tb = 0; tb < 8; ++tb) {
    for (uint32_t lane = 0; lane < 32; ++lane) {
      EXPECT_EQ(out[2 * (tb * 32 + lane)], 4 * 8U);  // eight lanes of each of four TBs
      // The first TB of the cluster has written the words of the lanes that lead here.
      const bool written = lane % 4 == tb % 4;
      const uint32_t first = tb / 4 * 4;
      EXPECT_EQ(out[2 * (tb * 32 + lane) + 1], written ? first * 32 + lane + 1000 : tb * 32 + lane);
    }
  }
}

TEST(Cluster, FailsOutsideOfItselfAndOfItsGrid) {
  EXPECT_NE(MessageOf(ErrorKind::kRunFailed,
                      [] {
                        Outputs("mapa.shared::cluster.u32 %r12, %r8, 2;", {2, 1, 1}, {2, 1, 1});
                      })
                .find("rank 2 in a cluster of 2"),
            std::string::npos);
  EXPECT_NE(MessageOf(ErrorKind::kBadInput,
                      [] {
                        Outputs("", {3, 1, 1}, {2, 1, 1});
                      })
                .find("divide the grid"),
            std::string::npos);
}

// As cooperative groups do it: the upper bit of a word changes when all TBs have come.
TEST(CooperativeLaunch, LetsAllTbsWaitForOneAnother) {
  const std::string body =
      "ld.param.u64 %rd0, [out]; mov.u32 %r1, %ctaid.x; mov.u32 %r0, %tid.x;\n"
      "mov.u32 %r2, %envreg1; mov.u32 %r3, %envreg2; cvt.u64.u32 %rd4, %r2; cvt.u64.u32 %rd5, "
      "%r3;\n"
      "bfi.b64 %rd6, %rd4, %rd5, 32, 32; mul.wide.u32 %rd1, %r1, 4; add.s64 %rd1, %rd0, %rd1;\n"
      "add.u32 %r4, %r1, 10; st.global.u32 [%rd1], %r4; bar.sync 0;\n"
      "setp.ne.u32 %p1, %r0, 0; @%p1 bra JOIN;\n"
      "mov.u32 %r5, %nctaid.x; sub.u32 %r6, 0x80000001, %r5; setp.eq.u32 %p2, %r1, 0;\n"
      "selp.b32 %r7, %r6, 1, %p2; atom.add.release.gpu.u32 %r8, [%rd6+4], %r7;\n"
      "SPIN: ld.acquire.gpu.u32 %r9, [%rd6+4]; xor.b32 %r10, %r9, %r8; setp.gt.s32 %p3, %r10, -1;\n"
      "@%p3 bra SPIN;\nJOIN: bar.sync 0;\n"
      "ld.global.u32 %r11, [%rd0+28]; ld.global.u32 %r12, [%rd0]; add.u32 %r13, %r11, %r12;\n"
      "st.global.u32 [%rd1+64], %r13;\nret;";
  KernelRun run = KernelRun::FromText(KernelText(".param .u64 out", body), {8, 1, 1}, {64, 1, 1});
  run.WithExtras().Buffer("out", std::vector<uint32_t>(32)).Run();
  const std::vector<uint32_t> out = run.Contents<uint32_t>("out");
  for (uint32_t tb = 0; tb < 8; ++tb) EXPECT_EQ(out[16 + tb], 17U + 10U);
}

}  // namespace cluster_test
}  // namespace flagstone::conformance
