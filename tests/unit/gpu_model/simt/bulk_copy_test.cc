// Bulk copies step by step: which sectors each issue takes, and what waits for a commit.
#include "gpu_model/simt/bulk_copy.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "tests/unit/gpu_model/simt/stepped_launch.h"

namespace flagstone {
namespace bulk_copy_test {

using Words = std::vector<uint32_t>;

constexpr uint32_t kTile = 2048;  // bytes, the last ones of shared memory

// A lane's copy.
struct Copy {
  uint32_t bytes, in_global, in_shared;
};

Words Counting(uint32_t count) {
  Words words(count);
  std::iota(words.begin(), words.end(), 1000U);
  return words;
}

// Each lane takes its bytes, and its places in global and in shared memory, from `plan`.
std::string Planned(const std::string& before, const std::string& copy, const std::string& after) {
  return KernelText(
      ".param .u64 plan, .param .u64 global, .param .u64 out",
      ".shared .align 16 .b64 bar[2];\n" + fmt::format(".shared .align 16 .b8 tile[{}];\n", kTile) +
          "ld.param.u64 %rd1, [plan];\nld.param.u64 %rd2, [global];\nld.param.u64 %rd3, [out];\n"
          "mov.u32 %r1, %laneid;\nmul.wide.u32 %rd4, %r1, 12;\nadd.s64 %rd1, %rd1, %rd4;\n"
          "ld.global.u32 %r2, [%rd1];\nld.global.u32 %r3, [%rd1+4];\n"
          "ld.global.u32 %r4, [%rd1+8];\ncvt.u64.u32 %rd5, %r3;\nadd.s64 %rd5, %rd2, %rd5;\n"
          "mov.u32 %r5, tile;\nadd.u32 %r4, %r4, %r5;\nmov.u32 %r6, bar;\n"
          "setp.eq.u32 %p1, %r1, 0;\nsetp.lt.u32 %p2, %r1, 4;\nshl.b32 %r7, %r1, 2;\n"
          "add.u32 %r8, %r5, %r7;\ncvt.u64.u32 %rd6, %r7;\n" +
          before + "@%p2 " + copy + after);
}

// The words of `tile`, from or to [%rd7], a warp's row at a time.
std::string Rows(const std::string& label, const std::string& move) {
  return fmt::format(
      "add.s64 %rd7, %rd3, %rd6;\nmov.u32 %r10, 0;\n"
      "{0}: {1}add.u32 %r8, %r8, 128;\nadd.s64 %rd7, %rd7, 128;\nadd.u32 %r10, %r10, 128;\n"
      "setp.lt.u32 %p3, %r10, {2};\n@%p3 bra {0};\n",
      label, move, kTile);
}

KernelRun RunOf(const std::string& text, const std::vector<Copy>& plan, const Words& global,
                bool writable, const Words& out) {
  KernelRun run = KernelRun::FromText(text);
  Words words(32 * 3);
  for (size_t i = 0; i < plan.size(); ++i) {
    words[3 * i] = plan[i].bytes;
    words[3 * i + 1] = plan[i].in_global;
    words[3 * i + 2] = plan[i].in_shared;
  }
  run.Buffer("plan", words).Buffer("global", global, writable).Buffer("out", out);
  return run;
}

// The sectors of global memory that the copies touch, in order.
std::vector<uint64_t> SectorsOf(const std::vector<Copy>& plan, uint64_t base) {
  std::vector<uint64_t> sectors;
  for (const Copy& copy : plan) {
    const uint64_t begin = (base + copy.in_global) / 32 * 32;
    for (uint64_t at = begin; copy.bytes != 0 && at < base + copy.in_global + copy.bytes;
         at += 32) {
      sectors.push_back(at);
    }
  }
  return sectors;
}

// 17, 0, 16 and 4 sectors; the last copy ends where shared memory does.
const std::vector<Copy> kPlan = {{528, 16, 0}, {0, 64, 528}, {512, 1024, 1024}, {96, 2064, 1952}};

void ExpectIssues(const std::vector<SteppedLaunch::Traffic>& issues,
                  const std::vector<uint64_t>& sectors) {
  ASSERT_EQ(sectors.size(), 37U);
  ASSERT_EQ(issues.size(), 2U);
  EXPECT_EQ(issues[0].lanes, 0xffffffffU);
  EXPECT_EQ(issues[1].lanes, 0x1fU);
  std::vector<uint64_t> touched = issues[0].addresses;
  touched.insert(touched.end(), issues[1].addresses.begin(), issues[1].addresses.end());
  EXPECT_EQ(touched, sectors);
  for (const auto& issue : issues) EXPECT_EQ(issue.space, MemorySpace::kGlobal);
}

TEST(BulkCopy, TakesTheLanesOneAfterTheOtherThirtyTwoSectorsAnIssue) {
  const std::string text = Planned(
      "@%p1 mbarrier.init.shared.b64 [%r6], 1;\n"
      "@%p1 mbarrier.arrive.expect_tx.shared.b64 _, [%r6], 1136;\n",
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r4], [%rd5], %r2, "
      "[%r6];\n",
      "WAIT: mbarrier.try_wait.parity.shared.b64 %p3, [%r6], 0;\n@!%p3 bra WAIT;\n" +
          Rows("ROW", "ld.shared.u32 %r9, [%r8];\nst.global.u32 [%rd7], %r9;\n") + "ret;");
  const Words global = Counting(1024);
  KernelRun run = RunOf(text, kPlan, global, /*writable=*/false, Words(kTile / 4));
  SteppedLaunch launch(run);
  launch.Run();
  Words expected(kTile / 4);
  for (const Copy& copy : kPlan) {
    for (uint32_t at = 0; at < copy.bytes; at += 4) {
      expected[(copy.in_shared + at) / 4] = global[(copy.in_global + at) / 4];
    }
  }
  EXPECT_EQ(run.Contents<uint32_t>("out"), expected);
  ExpectIssues(launch.TrafficOf("@%p2 cp.async.bulk"),
               SectorsOf(kPlan, run.memory().Named("global").address));
}

TEST(BulkCopy, ReachesGlobalMemoryAtTheCommitOfItsIssue) {
  const std::string text =
      Planned(Rows("ROW", "ld.global.u32 %r9, [%rd7];\nst.shared.u32 [%r8], %r9;\n"),
              "cp.async.bulk.global.shared::cta.bulk_group [%rd5], [%r4], %r2;\n",
              "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\nret;");
  const Words tile = Counting(kTile / 4);
  KernelRun run = RunOf(text, kPlan, Words(1024), /*writable=*/true, tile);
  SteppedLaunch launch(run);
  while (launch.TrafficOf("@%p2 cp.async.bulk.global").empty()) launch.StepAll();
  EXPECT_EQ(run.Contents<uint32_t>("global"), Words(1024));
  launch.Commit();
  EXPECT_EQ(run.Contents<uint32_t>("global")[4], tile[0]);
  EXPECT_EQ(run.Contents<uint32_t>("global")[(2064 + 92) / 4], 0U) << "not issued yet";
  launch.Run();
  Words expected(1024);
  for (const Copy& copy : kPlan) {
    for (uint32_t at = 0; at < copy.bytes; at += 4) {
      expected[(copy.in_global + at) / 4] = tile[(copy.in_shared + at) / 4];
    }
  }
  EXPECT_EQ(run.Contents<uint32_t>("global"), expected);
  ExpectIssues(launch.TrafficOf("@%p2 cp.async.bulk.global"),
               SectorsOf(kPlan, run.memory().Named("global").address));
}

TEST(BulkCopy, FailsOneUnitBehindTheEndOfSharedMemoryAndInReadOnlyMemory) {
  const std::string load = Planned("",
                                   "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
                                   "bytes [%r4], [%rd5], %r2, [%r6];\n",
                                   "ret;");
  const std::string store =
      Planned("", "cp.async.bulk.global.shared::cta.bulk_group [%rd5], [%r4], %r2;\n", "ret;");
  const auto message = [](const std::string& text, Copy copy, bool writable) {
    return MessageOf(ErrorKind::kRunFailed, [&] {
      KernelRun run = RunOf(text, {copy}, Words(1024), writable, Words(1));
      SteppedLaunch(run).Run();
    });
  };
  EXPECT_NE(message(load, {32, 0, kTile - 16}, true).find("bulk copy of 32 bytes at shared"),
            std::string::npos);
  EXPECT_NE(message(load, {32, 4080, 0}, true).find("out-of-bounds bulk copy of 32 bytes"),
            std::string::npos);
  EXPECT_NE(message(store, {32, 0, 0}, false).find("bulk copy to read-only memory"),
            std::string::npos);
  EXPECT_NE(message(store, {32, 8, 0}, true).find("expected multiples of 16"), std::string::npos);
}

// A prefetch is the traffic of a load that goes nowhere.
TEST(BulkCopy, PrefetchesSectorsOfGlobalMemoryAlone) {
  const std::string text = Planned("", "cp.async.bulk.prefetch.L2.global [%rd5], %r2;\n", "ret;");
  KernelRun run = RunOf(text, kPlan, Counting(1024), /*writable=*/false, Words(1));
  SteppedLaunch launch(run);
  launch.Run();
  ExpectIssues(launch.TrafficOf("@%p2 cp.async.bulk.prefetch"),
               SectorsOf(kPlan, run.memory().Named("global").address));
  const auto message = MessageOf(ErrorKind::kRunFailed, [&] {
    KernelRun outside = RunOf(text, {{32, 4080, 0}}, Words(1024), false, Words(1));
    outside.Run();
  });
  EXPECT_NE(message.find("out-of-bounds bulk copy of 32 bytes"), std::string::npos) << message;
}

TEST(BulkCopy, FailsWhereAThreadExitsBeforeItsGroupIsCommitted) {
  const std::string copy = "cp.async.bulk.global.shared::cta.bulk_group [%rd5], [%r4], %r2;\n";
  const auto exits = [&](const std::string& after) {
    KernelRun run =
        RunOf(Planned("", copy, after), {{32, 0, 0}, {32, 32, 32}}, Words(1024), true, Words(1));
    run.Run();
  };
  exits("cp.async.bulk.commit_group;\nret;");
  exits("@%p2 cp.async.bulk.commit_group;\nret;");
  for (const std::string after : {"ret;", "@%p1 cp.async.bulk.commit_group;\nret;",
                                  "cp.async.bulk.wait_group 0;\n@%p1 exit;\nret;"}) {
    const std::string message = MessageOf(ErrorKind::kRunFailed, [&] { exits(after); });
    EXPECT_NE(message.find("bulk copy in no group: expected 'cp.async.bulk.commit_group' before "
                           "the thread exits, by thread (" +
                           std::string(after[0] == '@' ? "1" : "0") + ",0,0) of TB (0,0,0)"),
              std::string::npos)
        << message;
    EXPECT_NE(message.find(": @%p2 cp.async.bulk.global"), std::string::npos) << message;
  }
}

// Clusters of 2 x 2 TBs; in each the TB of rank 0 copies 1040 bytes from `in` with `copy`: %rd1 is
// `in`, %r10 the place, %r11 the barrier, %r7 the bytes, %rs1 the mask. TBs in the mask wait.
Words InClusters(uint32_t mask, const std::string& copy) {
  const std::string body =
      ".shared .align 16 .b8 place[1040];\n.shared .align 8 .b64 bar;\n"
      "ld.param.u64 %rd1, [in];\nld.param.u64 %rd2, [out];\nmov.u32 %r1, %laneid;\n"
      "mov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ctaid.y;\nmad.lo.u32 %r2, %r3, 4, %r2;\n"
      "mov.u32 %r3, %cluster_ctarank;\nmov.u32 %r10, place;\nmov.u32 %r11, bar;\n"
      "mov.u32 %r7, 1040;\nsetp.eq.u32 %p1, %r1, 0;\n"
      "@%p1 mbarrier.init.shared.b64 [%r11], 1;\n"
      "@%p1 mbarrier.arrive.expect_tx.shared.b64 _, [%r11], 1040;\n"
      "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n"
      "setp.ne.u32 %p2, %r3, 0;\n@%p2 bra WAIT;\n@!%p1 bra WAIT;\n" +
      fmt::format("mov.u16 %rs1, {0};\n{1}\nWAIT: shr.u32 %r8, {0}, %r3;\n", mask, copy) +
      "and.b32 %r8, %r8, 1;\nsetp.eq.u32 %p3, %r8, 0;\n@%p3 bra DONE;\n"
      "TRY: mbarrier.try_wait.parity.shared.b64 %p4, [%r11], 0;\n@!%p4 bra TRY;\n"
      "DONE: barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n"
      "mul.wide.u32 %rd5, %r2, 1040;\nadd.s64 %rd2, %rd2, %rd5;\nshl.b32 %r5, %r1, 2;\n"
      "NEXT: setp.ge.u32 %p5, %r5, 1040;\n@%p5 bra END;\nadd.u32 %r6, %r10, %r5;\n"
      "ld.shared.u32 %r9, [%r6];\ncvt.u64.u32 %rd6, %r5;\nadd.s64 %rd7, %rd2, %rd6;\n"
      "st.global.u32 [%rd7], %r9;\nadd.u32 %r5, %r5, 128;\nbra NEXT;\nEND: ret;";
  KernelRun run =
      KernelRun::FromText(KernelText(".param .u64 in, .param .u64 out", body), {4, 2, 1});
  run.Cluster({2, 2, 1}).Buffer("in", Counting(260)).Buffer("out", Words(8 * 260));
  SteppedLaunch(run).Run();
  return run.Contents<uint32_t>("out");
}

void ExpectCopiedTo(uint32_t mask, const Words& out) {
  for (uint32_t tb = 0; tb < 8; ++tb) {
    const uint32_t rank = tb / 4 * 2 + tb % 2;
    const bool reached = (mask >> rank & 1) != 0;
    for (uint32_t i = 0; i < 260; ++i) {
      ASSERT_EQ(out[tb * 260 + i], reached ? 1000 + i : 0) << "TB " << tb << ", word " << i;
    }
  }
}

TEST(BulkCopy, ReachesTheTbsOfAMulticastAndTheirBarriersAtTheCommit) {
  for (const uint32_t mask : {0x1U, 0xdU, 0x6U}) {
    ExpectCopiedTo(mask, InClusters(mask,
                                    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
                                    "bytes.multicast::cluster [%r10], [%rd1], %r7, [%r11], %rs1;"));
  }
}

TEST(BulkCopy, GoesFromOnesOwnSharedMemoryToThatOfAnotherTb) {
  ExpectCopiedTo(
      0x9,
      InClusters(0x9,
                 "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r10], "
                 "[%rd1], %r7, [%r11];\nmapa.shared::cluster.u32 %r20, %r10, 3;\n"
                 "mapa.shared::cluster.u32 %r21, %r11, 3;\n"
                 "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r20], "
                 "[%r10], %r7, [%r21];"));
}

}  // namespace bulk_copy_test
}  // namespace flagstone
