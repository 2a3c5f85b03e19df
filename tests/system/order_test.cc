// `flagstone order`: candidates ranked, simulated, and written back into the kernel.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "base/file.h"
#include "tests/system/command.h"

namespace flagstone {
namespace order_test {

using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

Json OrderJson(const std::string& arguments) {
  const CommandResult result = RunFlagstone("order " + arguments + " --json -q");
  EXPECT_EQ(result.exit_code, 0) << arguments << "\n" << result.err;
  return Json::parse(result.out, nullptr, false);
}

TEST(Order, RanksCandidatesAmongThemIdentity) {
  const Json json = OrderJson("matmul --size paper --machine volta");
  EXPECT_EQ(json["schema"], "flagstone.order/1");
  std::set<std::string> names;
  for (const Json& candidate : json["candidates"]) {
    names.insert(candidate["name"].get<std::string>());
    EXPECT_TRUE(candidate["simulated"].is_null());
    EXPECT_GT(candidate["predicted"]["l2_bytes"].get<double>(), 0);
    EXPECT_EQ(candidate["order"].size(), 169U);
  }
  EXPECT_EQ(names.size(), json["candidates"].size());
  EXPECT_EQ(names.count("identity"), 1U);
  EXPECT_EQ(names.count("column"), 1U);
  EXPECT_EQ(json["advice"], json["candidates"][0]["name"]);
}

TEST(Order, VerifiesOnAMachineWithFourTimesTheTbsThatFit) {
  const Json json = OrderJson("matmul --machine tiny --order column,tile:2x2 --verify");
  EXPECT_GE(16U, 4 * json["launches"][0]["tbs_in_flight"].get<uint64_t>());
  for (const Json& candidate : json["candidates"]) {
    EXPECT_GT(candidate["simulated"]["cycles"].get<uint64_t>(), 0U);
    EXPECT_GT(candidate["simulated"]["l2_bytes"].get<uint64_t>(), 0U);
  }
}

// A run under identity is a run without an order.
TEST(Order, SimulatesIdentityAsRunDoes) {
  const Json order = OrderJson("matmul --size paper --machine tiny --order column --verify");
  const CommandResult run = RunFlagstone("run matmul --size paper --machine tiny --json -q");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  for (const Json& candidate : order["candidates"]) {
    if (candidate["name"] != "identity") continue;
    EXPECT_EQ(candidate["simulated"]["cycles"], Json::parse(run.out)["totals"]["cycles"]);
  }
}

TEST(Order, WritesPtxThatGivesTheSameResults) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "order";
  std::filesystem::create_directories(folder);
  for (const char* name : {"band:2", "hilbert", "tile:2x2+wave"}) {
    const std::string file = (folder / "ordered.ptx").string();
    const CommandResult result =
        RunFlagstone(std::string("order matmul --machine tiny --level l2 ") + "--order " + name +
                     " --emit ptx -o " + file);
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.err, HasSubstr("equal to the original's in every bit"));
    EXPECT_TRUE(std::filesystem::exists(file));
  }
}

TEST(Order, HasTheAnalyzersGroupsWhereTheyAreAskedFor) {
  const Json json = OrderJson("matmul --size paper --machine volta --groups");
  for (const char* name : {"rb", "traffic", "rb+wave"}) {
    const auto found =
        std::find_if(json["candidates"].begin(), json["candidates"].end(),
                     [&](const Json& candidate) { return candidate["name"] == name; });
    ASSERT_NE(found, json["candidates"].end()) << name;
    std::set<uint32_t> tbs;
    for (const Json& tb : (*found)["order"]) tbs.insert(tb.get<uint32_t>());
    EXPECT_EQ(tbs.size(), 169U) << name;
    EXPECT_EQ(*tbs.rbegin(), 168U) << name;
    EXPECT_FALSE((*found)["closed_form"].get<bool>());
  }
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "groups.ptx";
  const CommandResult emitted = RunFlagstone(
      "order matmul --machine tiny --order rb+wave "
      "--emit ptx -o " +
      file.string());
  EXPECT_EQ(emitted.exit_code, 0) << emitted.err;
  EXPECT_THAT(emitted.err, HasSubstr("equal to the original's in every bit"));
}

TEST(Order, NamesAKernelThatDependsOnTheOrderOfItsTbs) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "order_atomic";
  std::filesystem::create_directories(folder);
  WriteFileAtomically((folder / "last.ptx").string(),
                      ".version 6.0\n.target sm_35\n.address_size 64\n"
                      ".visible .entry last(.param .u64 p)\n{\n"
                      "\t.reg .b32 %r<3>;\n\t.reg .b64 %rd<2>;\n"
                      "\tld.param.u64 %rd1, [p];\n\tmov.u32 %r1, %ctaid.y;\n"
                      "\tst.global.u32 [%rd1], %r1;\n\tret;\n}\n");
  WriteFileAtomically((folder / "workload.toml").string(),
                      "name = \"last\"\n[buffer.a]\ntype = \"u32\"\ncount = 1\nfill = \"zero\"\n"
                      "[[launch]]\nptx = \"last.ptx\"\nentry = \"last\"\ngrid = [4, 4, 1]\n"
                      "block = [32, 1, 1]\nargs = [\"a\"]\n");
  const CommandResult result = RunFlagstone("order " + (folder / "workload.toml").string() +
                                            " --machine tiny --order hilbert --emit ptx -o " +
                                            (folder / "out.ptx").string());
  EXPECT_EQ(result.exit_code, 1) << result.out;
  EXPECT_THAT(result.err, HasSubstr("kernel 'last' depends on the order of its TBs"));
  EXPECT_FALSE(std::filesystem::exists(folder / "out.ptx"));
}

TEST(Order, RefusesBadUseInOneLine) {
  const std::pair<const char*, const char*> cases[] = {
      {"order matmul --order band:0", "order 'band:0' is unknown: expected identity"},
      {"order matmul --level l3", "--level: unknown level 'l3': expected l1, l2 or both"},
      {"order matmul --emit ptx", "--emit ptx writes a file: expected -o FILE"},
      {"order matmul --emit sass -o a", "--emit: unknown form 'sass': expected ptx"},
      {"order matmul -o a.ptx", "nothing is written there: expected --emit too"},
      {"order vecadd --tiles 4", "--tiles 4: expected WxH or WxHxD"},
      {"order vecadd --tiles 4x0", "--tiles 4x0: expected WxH or WxHxD"},
      {"order vecadd --tiles 3x7", "--tiles 3x7x1: expected 16 tiles, one for each TB of"},
      {"order vecadd --tiles ''", "expected WxH or WxHxD, found nothing"},
      {"order nothing", "nothing"},
  };
  for (const auto& [arguments, expected] : cases) {
    const CommandResult result = RunFlagstone(arguments);
    EXPECT_EQ(result.exit_code, 2) << arguments;
    EXPECT_THAT(result.err, HasSubstr(expected));
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  }
}

}  // namespace order_test
}  // namespace flagstone
