// cp.async: what it copies, and what the scoreboard is told of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "gpu_model/simt/program.h"
#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone {
namespace async_copy_test {

using Words = std::vector<uint32_t>;

KernelRun RunOf(const std::string& body) {
  KernelRun run = KernelRun::FromText(
      KernelText(".param .u64 in, .param .u64 out",
                 ".shared .align 16 .b8 other[64];\n.shared .align 16 .b8 tile[64];\n"
                 "ld.param.u64 %rd1, [in];\nld.param.u64 %rd2, [out];\n" +
                     body + "\nret;"),
      {1, 1, 1}, {1, 1, 1});
  Words in(16);
  std::iota(in.begin(), in.end(), 100U);
  run.Buffer("in", in).Buffer("out", Words(8));
  return run;
}

constexpr char kOut[] =
    "cp.async.wait_all;\nld.shared.v4.u32 {%r1, %r2, %r3, %r4}, [tile];\n"
    "ld.shared.v4.u32 {%r5, %r6, %r7, %r8}, [tile+16];\n"
    "st.global.v4.u32 [%rd2], {%r1, %r2, %r3, %r4};\n"
    "st.global.v4.u32 [%rd2+16], {%r5, %r6, %r7, %r8};";

TEST(AsyncCopy, TakesItsBytesToANamedPlaceOrToOneInARegister) {
  for (const char* const place : {"tile+16", "%r9+16", "%rd9+16"}) {
    KernelRun run = RunOf(std::string("mov.u32 %r9, tile;\nmov.u64 %rd9, tile;\n") +
                          "cp.async.ca.shared.global [" + place + "], [%rd1+16], 16;\n" +
                          "cp.async.ca.shared.global [tile+8], [%rd1+4], 4;\n" + kOut);
    run.Run();
    EXPECT_EQ(run.Contents<uint32_t>("out"), (Words{0, 0, 101, 0, 104, 105, 106, 107})) << place;
  }
}

TEST(AsyncCopy, FillsWithZerosWhatIsNotRead) {
  KernelRun run = RunOf(
      "st.shared.u32 [tile+4], 9;\nst.shared.u32 [tile+8], 9;\nmov.u32 %r9, 4;\n"
      "cp.async.cg.shared.global [tile], [%rd1+16], 16, %r9;\n" +
      std::string(kOut));
  run.Run();
  EXPECT_EQ(run.Contents<uint32_t>("out"), (Words{104, 0, 0, 0, 0, 0, 0, 0}));
}

TEST(AsyncCopy, IsALoadWhoseNumberAWaitForAllOfThemWaitsFor) {
  KernelRun run = RunOf(
      "cp.async.ca.shared.global [tile], [%rd1], 8;\ncp.async.ca.shared.global [tile+8], [%rd1], "
      "4;\ncp.async.commit_group;\ncp.async.wait_group 1;\ncp.async.wait_group 0;\n"
      "cp.async.wait_all;");
  const Program program(run.launch());
  const InstructionInfo& first = program.info(2);
  const InstructionInfo& second = program.info(3);
  EXPECT_TRUE(first.is_load && !first.is_store);
  EXPECT_EQ(first.bytes, 8);
  EXPECT_EQ(second.bytes, 4);
  ASSERT_EQ(first.destination_count, 1);
  ASSERT_EQ(second.destination_count, 1);
  EXPECT_NE(first.destinations[0], second.destinations[0]);
  EXPECT_EQ(program.info(4).source_count, 0) << "a commit waits for nothing";
  EXPECT_EQ(program.info(5).source_count, 0) << "one group may be under way";
  for (const uint32_t pc : {6U, 7U}) {
    const InstructionInfo& wait = program.info(pc);
    const std::vector<uint16_t> sources(wait.sources.begin(),
                                        wait.sources.begin() + wait.source_count);
    EXPECT_EQ(sources, (std::vector<uint16_t>{first.destinations[0], second.destinations[0]}))
        << pc;
  }
}

TEST(AsyncCopy, OfManyBytesTakesNamedPlaces) {
  KernelRun run = RunOf(
      ".shared .align 8 .b64 bar[2];\nmbarrier.init.shared.b64 [bar+8], 1;\n"
      "mbarrier.arrive.expect_tx.shared.b64 _, [bar+8], 32;\nmov.u32 %r9, 32;\n"
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd1+16], %r9, "
      "[bar+8];\nTRY: mbarrier.try_wait.parity.shared.b64 %p1, [bar+8], 0;\n@!%p1 bra TRY;\n" +
      std::string(kOut));
  run.Run();
  EXPECT_EQ(run.Contents<uint32_t>("out"), (Words{104, 105, 106, 107, 108, 109, 110, 111}));
}

}  // namespace async_copy_test
}  // namespace flagstone
