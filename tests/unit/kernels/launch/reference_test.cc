// ReferenceData: what a CPU reference is told of the launches and symbols.
#include "kernels/launch/reference.h"

#include <gtest/gtest.h>

#include <string>

#include "kernels/launch/workload.h"
#include "tests/unit/base/error_message.h"

namespace flagstone {
namespace reference_test {

// One launch for each of `keys`; a launch's only argument is its index.
Workload WithLaunches(const std::vector<std::string>& keys) {
  std::string text =
      "name = 'demo'\n"
      "[buffer.flag]\ntype = 'u8'\ncount = 1\nfill = 'zero'\n"
      "[symbol.table]\ntype = 's16'\ncount = 3\nfill = 'iota'\nstart = 5\n";
  for (size_t i = 0; i < keys.size(); ++i) {
    text +=
        "[[launch]]\nptx='k'\nentry='k'\ngrid=[1]\nblock=[1]\nargs=[{ s32 = " + std::to_string(i) +
        " }]\n" + keys[i] + "\n";
  }
  return Workload::Parse(text, "w.toml", "test");
}

std::vector<int64_t> Launches(const Workload& workload) {
  const ReferenceData data(workload);
  std::vector<int64_t> indices;
  for (size_t i = 0; i < data.LaunchCount(); ++i) indices.push_back(data.Integer(i, 0));
  return indices;
}

TEST(ReferenceData, UnrollsLoopsWithANumberOfRounds) {
  EXPECT_EQ(Launches(WithLaunches({"repeat = 2", "loop = 'l'", "loop = 'l'\nrepeat = 2"})),
            (std::vector<int64_t>{0, 0, 1, 2, 1, 2}));
}

TEST(ReferenceData, CountsTheLaunchesOfALoopThatEndsByAFlagOnce) {
  EXPECT_EQ(Launches(WithLaunches({"loop = 'l'", "loop = 'l'\nuntil_zero = 'flag'\nrepeat = 9"})),
            (std::vector<int64_t>{0, 1}));
}

TEST(ReferenceData, GivesTheContentsOfSymbols) {
  const Workload workload = WithLaunches({""});
  const ReferenceData data(workload);
  const auto table = data.Symbol<int16_t>("table", 2);
  EXPECT_EQ(std::vector<int16_t>(table.begin(), table.end()), (std::vector<int16_t>{5, 6}));
  EXPECT_EQ(BadInputMessage([&] { data.Symbol<int16_t>("table", 4); }),
            "w.toml:6:1: [symbol.table] has 3 s16: the reference expected 4 of 2 bytes");
  EXPECT_EQ(BadInputMessage([&] { data.Symbol<int32_t>("table", 1); }),
            "w.toml:6:1: [symbol.table] has 3 s16: the reference expected 1 of 4 bytes");
  EXPECT_EQ(BadInputMessage([&] { data.Symbol<int16_t>("tabel", 1); }),
            "w.toml: the reference reads [symbol.tabel]: expected this table");
}

TEST(ReferenceData, GivesABuffersFirstElementsByItsName) {
  const Workload workload = WithLaunches({""});
  const ReferenceData data(workload);
  EXPECT_EQ(data.Named<uint8_t>("flag", 1).size(), 1U);
  EXPECT_EQ(data.Named<uint8_t>("flag", 0).size(), 0U);
  EXPECT_EQ(BadInputMessage([&] { data.Named<uint8_t>("flag", 2); }),
            "w.toml:2:1: [buffer.flag] has 1 u8: the reference expected 2 of 1 bytes");
  EXPECT_EQ(BadInputMessage([&] { data.Named<uint16_t>("flag", 1); }),
            "w.toml:2:1: [buffer.flag] has 1 u8: the reference expected 1 of 2 bytes");
  EXPECT_EQ(BadInputMessage([&] { data.Named<uint8_t>("flg", 1); }),
            "w.toml: the reference reads [buffer.flg]: expected this table");
}

// Of one launch with these arguments.
Workload WithArguments(const std::string& arguments) {
  return Workload::Parse(
      "name = 'demo'\n[buffer.a]\ntype = 's16'\ncount = 8\nfill = 'iota'\n"
      "[[launch]]\nptx='k'\nentry='kernel'\ngrid=[1]\nblock=[1]\nargs=[" +
          arguments + "]\n",
      "w.toml", "test");
}

TEST(ReferenceData, GivesScalarArgumentsByTheirKind) {
  const Workload workload = WithArguments(
      "{ u8 = 200 }, { s8 = -2 }, { u16 = 60000 }, { s16 = -3 }, { u32 = 4000000000 }, "
      "{ s32 = -4 }, { u64 = 5 }, { s64 = -6 }, { f32 = 0.5 }, { f64 = 0.25 }, 'a'");
  const ReferenceData data(workload);
  EXPECT_EQ(data.Entry(0), "kernel");
  const std::vector<int64_t> expected = {200, -2, 60'000, -3, 4'000'000'000, -4, 5, -6};
  for (size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(data.Integer(0, i), expected[i]);
  EXPECT_EQ(data.Real(0, 8), 0.5);
  EXPECT_EQ(data.Real(0, 9), 0.25);
  EXPECT_EQ(data.BufferName(0, 10), "a");
  EXPECT_EQ(BadInputMessage([&] { data.Integer(0, 8); }),
            "w.toml:11:128: argument 9 is a scalar f32: the reference expected an integer scalar");
  EXPECT_NE(BadInputMessage([&] { data.Real(0, 0); }).find("expected an f32 or f64 scalar"),
            std::string::npos);
  EXPECT_NE(BadInputMessage([&] { data.BufferName(0, 0); }).find("the reference expected a buffer"),
            std::string::npos);
  EXPECT_NE(BadInputMessage([&] { data.Integer(0, 11); }).find("expected at least 12 arguments"),
            std::string::npos);
}

TEST(ReferenceData, TakesAnExtentOfThirtyOneBits) {
  const Workload workload =
      WithArguments("{ s32 = 0 }, { s64 = 2147483647 }, { s64 = 2147483648 }, { s32 = -1 }");
  const ReferenceData data(workload);
  EXPECT_EQ(data.Extent(0, 0), 0U);
  EXPECT_EQ(data.Extent(0, 1), 2'147'483'647U);
  for (const size_t index : {2U, 3U}) {
    EXPECT_NE(BadInputMessage([&] { data.Extent(0, index); }).find("a value from 0 to 2147483647"),
              std::string::npos);
  }
}

TEST(ReferenceData, GivesTheElementsOfABufferFromAnArgumentsOffsetOn) {
  const Workload workload = WithArguments("'a', 'a+4', 'a+3'");
  ReferenceData data(workload);
  EXPECT_EQ(data.Buffer<int16_t>(0, 0).size(), 8U);
  const auto rest = data.Buffer<int16_t>(0, 1);
  EXPECT_EQ(std::vector<int16_t>(rest.begin(), rest.end()),
            (std::vector<int16_t>{2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(data.Buffer<int16_t>(0, 1, 6)[5], 7);
  const auto refused = [](const auto& read) {
    return BadInputMessage(read).find("a buffer of") != std::string::npos;
  };
  EXPECT_TRUE(refused([&] { data.Buffer<int16_t>(0, 1, 7); }));
  EXPECT_TRUE(refused([&] { data.Buffer<int32_t>(0, 0, 1); }));
  EXPECT_TRUE(refused([&] { data.Buffer<int16_t>(0, 2, 1); }));
}

}  // namespace reference_test
}  // namespace flagstone
