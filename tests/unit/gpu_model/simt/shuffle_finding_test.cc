// A shfl that reads a lane which takes no part: 0, and a finding that names the lane.
#include <gtest/gtest.h>

#include <vector>

#include "kernels/launch/findings.h"
#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone {
namespace shuffle_finding_test {

// Lanes 0 to 7 read 16 lanes further; `mask` is what they say takes part.
std::string Shuffle(const std::string& amount, const std::string& mask) {
  return KernelText(".param .u64 out",
                    "mov.u32 %r1, %tid.x;\nadd.u32 %r2, %r1, 100;\nmov.u32 %r3, 1;\n"
                    "setp.gt.u32 %p1, %r1, 7;\n@%p1 bra REST;\n"
                    "shfl.sync.down.b32 %r3, %r2, " +
                        amount + ", 31, " + mask +
                        ";\nREST: ld.param.u64 %rd1, [out];\nmul.wide.u32 %rd2, %r1, 4;\n"
                        "add.s64 %rd1, %rd1, %rd2;\nst.global.u32 [%rd1], %r3;\nret;");
}

TEST(ShuffleFinding, NamesTheLaneThatWasNotThereAndGivesZero) {
  Findings findings;
  KernelRun run = KernelRun::FromText(Shuffle("16", "255"), {3, 1, 1});
  run.Buffer("out", std::vector<uint32_t>(32)).Into(&findings).Run();
  const auto got = run.Contents<uint32_t>("out");
  for (uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(got[lane], lane < 8 ? 0U : 1U) << lane;
  const std::vector<Finding> list = findings.List();
  ASSERT_EQ(list.size(), 1U) << "one for an instruction";
  EXPECT_EQ(list[0].text,
            "test.ptx:18: lane 0 of warp 0 of TB (0,0,0) reads from lane 16, which does not take "
            "part: its value is unpredictable, 0 here: shfl.sync.down.b32 %r3, %r2, 16, 31, 255");
  EXPECT_EQ(list[0].times, 3 * 8U);
  EXPECT_EQ(list[0].kind, FindingKind::kShuffle);
}

TEST(ShuffleFinding, IsNotMadeWhereTheLaneTakesPartOrIsBeyondTheLast) {
  for (const char* const amount : {"0", "2"}) {
    Findings findings;
    KernelRun run = KernelRun::FromText(Shuffle(amount, "1023"));
    run.Buffer("out", std::vector<uint32_t>(32)).Into(&findings).Run();
    // Lanes 6 and 7 read 8 and 9, which are not there.
    EXPECT_EQ(findings.List().size(), std::string(amount) == "2" ? 1U : 0U);
    EXPECT_EQ(run.Contents<uint32_t>("out")[3], *amount == '0' ? 103U : 105U);
  }
  Findings findings;
  KernelRun whole = KernelRun::FromText(
      KernelText("", "mov.u32 %r1, 5;\nshfl.sync.down.b32 %r2, %r1, 16, 31, -1;\nret;"));
  whole.Into(&findings).Run();
  EXPECT_TRUE(findings.List().empty()) << "a lane out of range copies its own value";
}

}  // namespace shuffle_finding_test
}  // namespace flagstone
