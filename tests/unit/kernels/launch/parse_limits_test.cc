// The least and the largest values that keys of workload.toml take, and what they are without them.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "kernels/launch/workload.h"
#include "tests/unit/base/error_message.h"

namespace flagstone {
namespace parse_limits_test {

using testing::HasSubstr;

// A workload with these tables, and with these keys in its launch.
Workload Parse(const std::string& tables, const std::string& keys = "args = []") {
  return Workload::Parse("name = 'demo'\n" + tables + "\n[[launch]]\nptx = 'k'\nentry = 'k'\n" +
                             "grid = [1]\nblock = [1]\n" + keys + "\n",
                         "w.toml", "test");
}
std::string Message(const std::string& tables, const std::string& keys = "args = []") {
  return BadInputMessage([&] { Parse(tables, keys); });
}
const SparseMatrix& MatrixOf(const Workload& workload) { return workload.inputs.at(0)->Matrix(); }

TEST(InputLimits, TakeTheSmallestOfEachKind) {
  const auto elements = [](const std::string& keys) {
    return MatrixOf(Parse("[input.g]\n" + keys)).Elements();
  };
  EXPECT_EQ(elements("kind = 'rmat'\nnodes = 2\nedge_factor = 1"), 2U);
  EXPECT_EQ(elements("kind = 'uniform'\nnodes = 2\ndegree = 1"), 2U);
  EXPECT_EQ(elements("kind = 'mesh2d'\nwidth = 1\nheight = 2"), 2U);
  EXPECT_EQ(elements("kind = 'mesh2d'\nwidth = 2\nheight = 1"), 2U);
  EXPECT_EQ(elements("kind = 'banded'\nrows = 1\ncolumns = 1\nper_row = 1"), 1U);
  for (const char* const keys :
       {"kind = 'rmat'\nnodes = 2\nedge_factor = 0", "kind = 'uniform'\nnodes = 2\ndegree = 0",
        "kind = 'mesh2d'\nwidth = 0\nheight = 2", "kind = 'mesh2d'\nwidth = 2\nheight = 0",
        "kind = 'banded'\nrows = 0\ncolumns = 1\nper_row = 1",
        "kind = 'banded'\nrows = 1\ncolumns = 0\nper_row = 1",
        "kind = 'banded'\nrows = 1\ncolumns = 1\nper_row = 0"}) {
    EXPECT_THAT(Message(std::string("[input.g]\n") + keys), HasSubstr("expected an integer from 1"))
        << keys;
  }
}

TEST(InputLimits, HaveTheSeedOneUnlessAnotherIsGiven) {
  const auto columns = [](const std::string& seed) {
    const Workload workload =
        Parse("[input.g]\nkind = 'uniform'\nnodes = 100\ndegree = 3\n" + seed);
    return MatrixOf(workload).column;
  };
  EXPECT_EQ(columns(""), columns("seed = 1"));
  EXPECT_NE(columns("seed = 0"), columns("seed = 1"));
  EXPECT_NE(columns("seed = 9"), columns("seed = 1"));
  EXPECT_NE(columns("seed = 9"), columns("seed = 0"));
}

TEST(InputLimits, GiveGraphsNoValues) {
  EXPECT_TRUE(
      MatrixOf(Parse("[input.g]\nkind = 'rmat'\nnodes = 9\nedge_factor = 2")).values.empty());
  EXPECT_TRUE(MatrixOf(Parse("[input.g]\nkind = 'uniform'\nnodes = 9\ndegree = 2")).values.empty());
}

TEST(MemoryLimits, BoundTheGapAndThePlacesOfVariables) {
  EXPECT_EQ(Parse(fmt::format("[memory]\ngap = {}", 1 << 20)).layout->gap, 1U << 20);
  EXPECT_EQ(Parse("[memory]\ngap = 0").layout->gap, 0U);
  EXPECT_THAT(Message(fmt::format("[memory]\ngap = {}", (1 << 20) + 256)),
              HasSubstr("key 'gap' is 1048832: expected an integer from 0 to 1048576"));
  const auto variable = [](int64_t place) {
    return fmt::format("[memory.variables]\n'k.ptx:x' = {}", place);
  };
  EXPECT_EQ(Parse(variable(int64_t{1} << 38)).variables.at("k.ptx:x"), uint64_t{1} << 38);
  EXPECT_EQ(Parse(variable(4096)).variables.at("k.ptx:x"), 4096U);
  EXPECT_THAT(Message(variable((int64_t{1} << 38) + 1)), HasSubstr("to 274877906944"));
  EXPECT_THAT(Message(variable(4095)), HasSubstr("expected an integer from 4096"));
}

TEST(BufferLimits, TakeNamesWithTheFirstAndLastLetterAndDigit) {
  for (const char* const name : {"A", "Z", "a", "z", "_", "A0", "Z9", "aAzZ"}) {
    EXPECT_NE(Parse(fmt::format("[buffer.{}]\ntype = 'u8'\ncount = 1\nfill = 'zero'", name))
                  .FindBuffer(name),
              nullptr);
  }
  for (const char* const name : {"0A", "a@", "a[", "a`", "a{", "a/", "a:", ""}) {
    EXPECT_THAT(Message(fmt::format("[buffer.'{}']\ntype = 'u8'\ncount = 1\nfill = 'zero'", name)),
                HasSubstr("expected letters, digits and '_', no digit first"));
  }
}

TEST(BufferLimits, RefuseARangeThatADoubleCannotHold) {
  const auto uniform = [](const std::string& type, const std::string& range) {
    return "[buffer.a]\ntype = '" + type + "'\ncount = 1\nfill = 'uniform'\n" + range;
  };
  EXPECT_THAT(Message(uniform("f64", "min = -1e308\nmax = 1e308")),
              HasSubstr("expected a range below 1.8e308"));
  EXPECT_EQ(Parse(uniform("f64", "min = 1e308\nmax = 1.5e308")).buffers[0].fill.max, 1.5e308);
  EXPECT_EQ(Parse(uniform("f32", "min = -3e38\nmax = 3e38")).buffers[0].fill.min, -3e38);
}

TEST(ArgumentLimits, GiveEachScalarItsTypeAndSize) {
  const struct {
    const char* text;
    ptx::Type type;
    size_t bytes;
  } cases[] = {{"u8 = 255", ptx::Type::kU8, 1},          {"s8 = -128", ptx::Type::kS8, 1},
               {"u16 = 65535", ptx::Type::kU16, 2},      {"s16 = -32768", ptx::Type::kS16, 2},
               {"u32 = 4294967295", ptx::Type::kU32, 4}, {"s32 = -1", ptx::Type::kS32, 4},
               {"u64 = 1", ptx::Type::kU64, 8},          {"s64 = -1", ptx::Type::kS64, 8},
               {"f32 = 0.5", ptx::Type::kF32, 4},        {"f64 = inf", ptx::Type::kF64, 8},
               {"bytes = 'aFf0A9'", ptx::Type::kB8, 3}};
  for (const auto& row : cases) {
    const Workload workload = Parse("", fmt::format("args = [{{ {} }}]", row.text));
    EXPECT_EQ(workload.launches[0].arguments[0].type, row.type) << row.text;
    EXPECT_EQ(workload.launches[0].arguments[0].bytes.size(), row.bytes) << row.text;
  }
  for (const char* const text : {"u8 = 256", "s8 = -129", "u16 = -1", "s32 = 2147483648"}) {
    EXPECT_THAT(Message("", fmt::format("args = [{{ {} }}]", text)),
                HasSubstr("expected an integer"));
  }
  for (const char* const digits : {"0g", "g0", "0G", "/0", ":0", "@1", "`1", "0", ""}) {
    EXPECT_THAT(Message("", fmt::format("args = [{{ bytes = '{}' }}]", digits)),
                HasSubstr("expected pairs of hexadecimal digits"))
        << digits;
  }
}

TEST(ArgumentLimits, EndBeforeTheBufferAlsoWhereItHasNoElement) {
  const auto message = [](const std::string& count, const std::string& argument) {
    return Message("[buffer.a]\ntype = 'u8'\ncount = " + count + "\nfill = 'zero'",
                   "args = ['" + argument + "']");
  };
  EXPECT_THAT(message("0", "a+1"), HasSubstr("offset 1 is past buffer 'a': expected less than 0"));
  EXPECT_THAT(message("16", "a+16"), HasSubstr("offset 16 is past buffer 'a'"));
  // A count that follows from a file's rows comes later.
  const Workload jagged = Parse(
      "[input.g]\nkind = 'uniform'\nnodes = 9\ndegree = 2\n[buffer.a]\ntype = 's32'\n"
      "fill = 'jds-permutation'\ninput = 'g'",
      "args = ['a+4']");
  EXPECT_EQ(jagged.launches[0].arguments[0].offset, 4U);
}

TEST(LaunchLimits, RepeatUntilAFlagIsZeroTenThousandTimesAtMost) {
  const std::string flag = "[buffer.flag]\ntype = 's32'\ncount = 1\nfill = 'zero'";
  EXPECT_EQ(Parse(flag, "args = []\nuntil_zero = 'flag'").loops.at(0).repeat, 10'000U);
  EXPECT_EQ(Parse(flag, "args = []\nuntil_zero = 'flag'\nrepeat = 7").loops.at(0).repeat, 7U);
  EXPECT_EQ(Parse(flag, "args = []").loops.at(0).repeat, 1U);
  EXPECT_EQ(Parse(flag, "args = []\nrepeat = 1").loops.at(0).repeat, 1U);
  EXPECT_EQ(Parse(flag, "args = []\nrepeat = 100000").loops.at(0).repeat, 100'000U);
  EXPECT_THAT(Message(flag, "args = []\nrepeat = 0"), HasSubstr("expected an integer from 1"));
}

TEST(TextureLimits, BeginAtAWholeElement) {
  const auto texture = [](int offset, int width) {
    return fmt::format(
        "[buffer.a]\ntype = 'f32'\ncount = 8\nfill = 'zero'\n[texture.t]\nbuffer = 'a'\n"
        "offset = {}\nwidth = {}\n",
        offset, width);
  };
  EXPECT_EQ(Parse(texture(4, 7)).textures[0].offset, 4U);
  EXPECT_EQ(Parse(texture(0, 8)).textures[0].offset, 0U);
  EXPECT_THAT(Message(texture(2, 4)),
              HasSubstr("texture 't' has offset 2: expected a multiple of 4"));
  EXPECT_THAT(Message(texture(4, 8)), HasSubstr("texture 't' has 9 elements: expected at most 8"));
}

}  // namespace parse_limits_test
}  // namespace flagstone
