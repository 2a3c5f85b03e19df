// `flagstone analyze` where there is little to analyse or too much: what can be said is said, and
// each thing that cannot gets a line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/system/command.h"

namespace flagstone {
namespace analyze_limits_test {

using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

class AnalyzeLimits : public ::testing::Test {
 protected:
  // One buffer A of 64 words, as the only argument.
  std::string Workload(const std::string& grid, const std::string& body,
                       const std::string& arguments = "\"A\"") {
    std::ofstream(scratch_.File("own.ptx"))
        << ".version 6.0\n.target sm_35\n.address_size 64\n"
           ".visible .entry own(.param .u64 own_a)\n{\n.reg .pred %p<4>;\n.reg .b32 %r<8>;\n"
           ".reg .b64 %rd<8>;\nld.param.u64 %rd1, [own_a];\ncvta.to.global.u64 %rd2, %rd1;\n"
           "mov.u32 %r1, %tid.x;\nmul.wide.u32 %rd3, %r1, 4;\nadd.s64 %rd4, %rd2, %rd3;\n" +
               body + "ret;\n}\n";
    std::ofstream(scratch_.File("workload.toml"))
        << "name = \"own\"\n[buffer.A]\ntype = \"u32\"\ncount = 64\nfill = \"zero\"\n"
           "[[launch]]\nptx = \"own.ptx\"\nentry = \"own\"\ngrid = [" +
               grid + "]\nblock = [32]\nargs = [" + arguments + "]\n";
    return scratch_.File("workload.toml");
  }
  static constexpr const char* kLoad = "ld.global.u32 %r2, [%rd4];\n";

  ScratchFolder scratch_;
};

TEST_F(AnalyzeLimits, AGridOfTwoToThe31TbsIsAnalysedButForItsSharing) {
  const std::string workload = Workload("2147483647", kLoad);
  const CommandResult page = RunFlagstone("analyze " + workload);
  EXPECT_EQ(page.exit_code, 0) << page.err;
  EXPECT_THAT(page.out, HasSubstr("not analysed           sharing among 2147483647 TBs"));
  EXPECT_THAT(page.out, HasSubstr("affine"));
  const CommandResult json = RunFlagstone("analyze " + workload + " --json -q");
  const Json launch = Json::parse(json.out, nullptr, false)["launches"][0];
  EXPECT_TRUE(launch["groups"].is_null());
  EXPECT_EQ(launch["coalescing"]["degree"], 1.0);
}

TEST_F(AnalyzeLimits, AGridOfTwoToThe31TbsCannotBeGroupedForARun) {
  const CommandResult run = RunFlagstone("run " + Workload("2147483647", kLoad) + " --policy rb");
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("2147483647"));
}

TEST_F(AnalyzeLimits, OneTbIsOneGroupWithoutEdges) {
  const CommandResult json = RunFlagstone("analyze " + Workload("1", kLoad) + " --json -q");
  EXPECT_EQ(json.exit_code, 0) << json.err;
  const Json launch = Json::parse(json.out, nullptr, false)["launches"][0];
  EXPECT_EQ(launch["graph"]["edges"], 0);
  EXPECT_EQ(launch["groups"], Json::parse("[[0]]"));
}

TEST_F(AnalyzeLimits, AKernelWithoutLoadsHasNoEdgesAndEveryTbInAGroup) {
  const std::string workload = Workload("16", "");
  const CommandResult page = RunFlagstone("analyze " + workload);
  EXPECT_EQ(page.exit_code, 0) << page.err;
  const Json launch = Json::parse(RunFlagstone("analyze " + workload + " --json -q").out, nullptr,
                                  false)["launches"][0];
  EXPECT_EQ(launch["graph"]["edges"], 0);
  EXPECT_TRUE(launch["loads"].empty());
  size_t tbs = 0;
  for (const Json& group : launch["groups"]) tbs += group.size();
  EXPECT_EQ(tbs, 16U);
}

TEST_F(AnalyzeLimits, ALoopWhoseTripCountIsLoadedLeavesItsLoadOut) {
  const CommandResult page =
      RunFlagstone("analyze " + Workload("16",
                                         "ld.global.u32 %r3, [%rd2];\nmov.u32 %r4, 0;\nLOOP:\n"
                                         "ld.global.u32 %r2, [%rd4];\nadd.s64 %rd4, %rd4, 128;\n"
                                         "add.u32 %r4, %r4, 1;\nsetp.lt.u32 %p1, %r4, %r3;\n"
                                         "@%p1 bra LOOP;\n"));
  EXPECT_EQ(page.exit_code, 0) << page.err;
  EXPECT_THAT(page.out, HasSubstr("left out               load in line 17"));
}

TEST_F(AnalyzeLimits, AMissingArgumentIsBadInput) {
  const CommandResult page = RunFlagstone("analyze " + Workload("16", kLoad, ""));
  EXPECT_EQ(page.exit_code, 2);
  EXPECT_THAT(page.err, HasSubstr("workload.toml:"));
}

}  // namespace analyze_limits_test
}  // namespace flagstone
