#include "kernels/launch/overlay.h"

#include <gtest/gtest.h>

#include "kernels/launch/workload.h"
#include "tests/unit/base/error_message.h"

namespace flagstone {
namespace overlay_test {

constexpr std::string_view kBase = R"(name = "demo"
[buffer.a]
type = "f32"
count = 1000
fill = "uniform"
seed = 7
[[launch]]
ptx = "k.ptx"
entry = "first"
grid = [9]
block = [256]
args = ["a", { s32 = 1000 }]
[check.a]
file = "expected.bin"
rtol = 0.5
)";

Workload Parse(std::string_view overlay, std::string_view size) {
  return Workload::Parse(std::string(kBase) + std::string(overlay), "w.toml", size);
}

TEST(Overlay, ChangesNothingForASizeWithoutATable) {
  EXPECT_EQ(Parse("", "test").input_hash, Parse("", "paper").input_hash);
  EXPECT_EQ(Parse("[size.test]\nbuffer.a.count = 3\n", "paper").buffers[0].count, 1000U);
}

TEST(Overlay, TheSizeIsTheOneThatTheValuesAreOf) {
  const std::string small = "[size.test]\nbuffer.a.count = 3\n";
  EXPECT_EQ(Parse(small, "test").size, "test");
  EXPECT_EQ(Parse(small, "paper").size, "paper");   // the file as it stands
  EXPECT_EQ(Parse(small, "medium").size, "paper");  // the same, and another than was asked for
  EXPECT_EQ(Parse(small, "medium").asked_size, "medium");
  EXPECT_EQ(Parse(small + "[size.paper]\nbuffer.a.count = 9\n", "medium").size, "base");
  EXPECT_EQ(Parse("", "medium").size, "");
}

TEST(Overlay, MergesTablesKeyByKey) {
  const Workload workload = Parse("[size.test]\nname = 'small'\nbuffer.a.count = 3\n", "test");
  EXPECT_EQ(workload.name, "small");
  EXPECT_EQ(workload.buffers[0].count, 3U);
  EXPECT_EQ(workload.buffers[0].fill.seed, 7U);
}

TEST(Overlay, MergesLaunchesElementByElement) {
  const Workload workload = Parse(
      "[[size.test.launch]]\ngrid = [2]\nargs = ['a']\n"
      "[[size.test.launch]]\nptx='k.ptx'\nentry='second'\ngrid=[1]\nblock=[32]\nargs=[]\n",
      "test");
  ASSERT_EQ(workload.launches.size(), 2U);
  EXPECT_EQ(workload.launches[0].entry, "first");
  EXPECT_EQ(workload.launches[0].grid.x, 2U);
  EXPECT_EQ(workload.launches[0].block.x, 256U);
  EXPECT_EQ(workload.launches[0].arguments.size(), 1U) << "arguments are replaced, not merged";
  EXPECT_EQ(workload.launches[1].entry, "second");
}

TEST(Overlay, DropsTheOldFillsKeysWithTheFill) {
  const Workload workload =
      Parse("[size.test]\nbuffer.a = { fill = 'constant', value = 2 }\n", "test");
  EXPECT_EQ(workload.buffers[0].fill.kind, Fill::Kind::kConstant);
  EXPECT_EQ(workload.buffers[0].count, 1000U);
}

TEST(Overlay, ReplacesAFileByAReference) {
  const Workload workload = Parse("[size.test]\ncheck.a.reference = 'demo'\n", "test");
  EXPECT_TRUE(workload.checks[0].file.empty());
  EXPECT_EQ(workload.checks[0].reference, "demo");
  EXPECT_EQ(workload.checks[0].rtol, 0.5);
}

TEST(Overlay, AddsBuffersAndChecks) {
  const Workload workload = Parse(
      "[size.test.buffer.Z]\ntype = 'u8'\ncount = 1\nfill = 'zero'\n"
      "[size.test.check.Z]\nreference = 'demo'\n",
      "test");
  ASSERT_EQ(workload.buffers.size(), 2U);
  EXPECT_EQ(workload.buffers[1].name, "Z") << "in the order of the file";
  EXPECT_EQ(workload.checks.size(), 2U);
}

TEST(Overlay, KeepsThePlaceOfAMistakeInASizeTable) {
  EXPECT_EQ(BadInputMessage([] { Parse("[size.test]\nbuffer.a.cont = 3\n", "test"); }),
            "w.toml:17:10: unknown key 'cont': expected one of type, count, fill, seed, min, max, "
            "address, from, until");
  EXPECT_EQ(BadInputMessage([] { Parse("[[size.test.launch]]\ngrid = [0]\n", "test"); }),
            "w.toml:17:9: grid.x is 0: expected an integer from 1 to 2147483647");
  EXPECT_EQ(BadInputMessage([] { Parse("[[size.test.launch]]\n[[size.test.launch]]\n", "test"); }),
            "w.toml:17:1: missing key 'ptx' in [[launch]]");
}

TEST(Overlay, RejectsSizesThatAreNeitherTestNorPaper) {
  EXPECT_EQ(BadInputMessage([] { Parse("", "huge"); }),
            "unknown size 'huge': expected one of test, medium, ladm, paper");
  EXPECT_EQ(BadInputMessage([] { Parse("[size.tset]\nname = 'x'\n", "test"); }),
            "w.toml:16:7: unknown key 'tset': expected one of test, medium, ladm, paper");
  EXPECT_EQ(BadInputMessage([] { Parse("[size]\ntest = 3\n", "test"); }),
            "w.toml:17:8: key 'test' is an integer: expected a table");
  EXPECT_EQ(BadInputMessage([] { Parse("[size.test.size.test]\nname = 'x'\n", "test"); }),
            "w.toml:16:12: key 'size' inside [size.test]: expected keys of the file itself");
}

TEST(Overlay, ReplacesATableBySomethingElseAndSaysWhatIsWrong) {
  EXPECT_EQ(BadInputMessage([] { Parse("[size.test]\nlaunch = 3\n", "test"); }),
            "w.toml:17:10: key 'launch' is an integer: expected an array");
  EXPECT_EQ(BadInputMessage([] { Parse("[size.test]\nlaunch = [3]\n", "test"); }),
            "w.toml:17:11: [[launch]] is an integer: expected a table");
}

}  // namespace overlay_test
}  // namespace flagstone
