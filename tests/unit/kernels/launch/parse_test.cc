// Workload::Parse: the values of workload.toml and the message for each kind of mistake in it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "kernels/launch/workload.h"
#include "tests/unit/base/error_message.h"

namespace flagstone {
namespace parse_test {

constexpr std::string_view kGood = R"(name = "demo"
description = "what it is"
[buffer.b]
type = "f32"
count = 8
fill = "uniform"
seed = 7
min = -2
max = 2.5
[buffer.a]
type = "s32"
count = 4
fill = "iota"
[[launch]]
ptx = "k.ptx"
entry = "k"
grid = [2, 3]
block = [32, 2, 1]
shared = 64
args = ["a", "b+16", { s32 = -1 }, { f32 = 0.5 }, { bytes = "00fF" }]
registers = 40
repeat = 3
[check.b]
reference = "demo"
rtol = 1e-5
)";

Workload Parse(std::string_view text) { return Workload::Parse(text, "dir/w.toml", "test"); }

// kGood with one piece of text replaced, and the message that this gives.
std::string MessageAfter(std::string_view from, std::string_view to) {
  std::string text(kGood);
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
  return BadInputMessage([&] { Parse(text); });
}

TEST(Parse, ReadsEveryKey) {
  const Workload workload = Parse(kGood);
  EXPECT_EQ(workload.name, "demo");
  EXPECT_EQ(workload.description, "what it is");
  EXPECT_EQ(workload.asked_size, "test");
  EXPECT_EQ(workload.size, "");
  ASSERT_EQ(workload.buffers.size(), 2U);
  EXPECT_EQ(workload.buffers[0].name, "b") << "in the order of the file, not of the alphabet";
  EXPECT_EQ(workload.buffers[0].type, ElementType::kF32);
  EXPECT_EQ(workload.buffers[0].count, 8U);
  EXPECT_EQ(workload.buffers[0].fill.kind, Fill::Kind::kUniform);
  EXPECT_EQ(workload.buffers[0].fill.seed, 7U);
  EXPECT_EQ(workload.buffers[0].fill.min, -2);
  EXPECT_EQ(workload.buffers[0].fill.max, 2.5);
  EXPECT_EQ(workload.buffers[1].fill.step, 1);
  ASSERT_EQ(workload.launches.size(), 1U);
  const LaunchSpec& launch = workload.launches[0];
  EXPECT_EQ(launch.ptx, "dir/k.ptx");
  EXPECT_EQ(launch.entry, "k");
  EXPECT_EQ(launch.grid.x, 2U);
  EXPECT_EQ(launch.grid.y, 3U);
  EXPECT_EQ(launch.grid.z, 1U);
  EXPECT_EQ(launch.block.Count(), 64U);
  EXPECT_EQ(launch.shared, 64U);
  EXPECT_EQ(launch.registers, 40U);
  EXPECT_EQ(launch.repeat, 3U);
  ASSERT_EQ(launch.arguments.size(), 5U);
  EXPECT_EQ(launch.arguments[0].buffer, "a");
  EXPECT_EQ(launch.arguments[1].buffer, "b");
  EXPECT_EQ(launch.arguments[1].offset, 16U);
  EXPECT_EQ(launch.arguments[2].type, ptx::Type::kS32);
  EXPECT_EQ(launch.arguments[2].bytes, std::vector<std::byte>(4, std::byte{0xff}));
  EXPECT_EQ(launch.arguments[3].bytes,
            (std::vector<std::byte>{std::byte{0}, std::byte{0}, std::byte{0}, std::byte{0x3f}}));
  EXPECT_EQ(launch.arguments[4].bytes, (std::vector<std::byte>{std::byte{0}, std::byte{0xff}}));
  ASSERT_EQ(workload.checks.size(), 1U);
  EXPECT_EQ(workload.checks[0].buffer, "b");
  EXPECT_EQ(workload.checks[0].reference, "demo");
  EXPECT_EQ(workload.checks[0].rtol, 1e-5);
  EXPECT_EQ(workload.checks[0].atol, 0);
}

TEST(Parse, HashesValuesButNotCommentsOrOrder) {
  const uint64_t hash = Parse(kGood).input_hash;
  EXPECT_EQ(Parse("# a comment\n" + std::string(kGood)).input_hash, hash);
  std::string other(kGood);
  other.replace(other.find("seed = 7"), 8, "seed = 8");
  EXPECT_NE(Parse(other).input_hash, hash);
}

TEST(Parse, RejectsWhatIsNotToml) {
  EXPECT_THAT(MessageAfter("grid = [2, 3]", "grid = [2, 3"),
              testing::StartsWith("dir/w.toml:18:1: not TOML: "));
  EXPECT_THAT(BadInputMessage([] { Parse(std::string_view("\0\1\xff\xfe", 4)); }),
              testing::StartsWith("dir/w.toml:1:"));
  EXPECT_EQ(BadInputMessage([] { Parse(""); }), "dir/w.toml:1:1: missing key 'name' in the file");
}

TEST(Parse, RejectsUnknownKeysAtEveryLevel) {
  EXPECT_EQ(MessageAfter("description", "descripton"),
            "dir/w.toml:2:1: unknown key 'descripton': expected one of name, description, papers, "
            "input, memory, buffer, symbol, texture, launch, check, size");
  EXPECT_EQ(MessageAfter("fill = \"iota\"", "fil = \"iota\""),
            "dir/w.toml:13:1: unknown key 'fil': expected one of type, count, fill, address, "
            "from, until");
  EXPECT_EQ(MessageAfter("seed = 7", "sed = 7"),
            "dir/w.toml:7:1: unknown key 'sed': expected one of type, count, fill, seed, min, max, "
            "address, from, until");
  EXPECT_EQ(MessageAfter("shared = 64", "smem = 64"),
            "dir/w.toml:19:1: unknown key 'smem': expected one of ptx, entry, grid, block, shared, "
            "args, registers, repeat, until_zero, loop, write, textures, cluster, stack");
  EXPECT_EQ(MessageAfter("rtol", "tol"),
            "dir/w.toml:25:1: unknown key 'tol': expected one of file, reference, rtol, atol");
}

TEST(Parse, RejectsMissingKeys) {
  EXPECT_EQ(MessageAfter("name = \"demo\"", ""), "dir/w.toml:1:1: missing key 'name' in the file");
  EXPECT_EQ(MessageAfter("type = \"s32\"", ""),
            "dir/w.toml:10:1: missing key 'type' in [buffer.a]");
  EXPECT_EQ(MessageAfter("fill = \"iota\"", ""),
            "dir/w.toml:10:1: missing key 'fill' in [buffer.a]");
  EXPECT_EQ(MessageAfter("entry = \"k\"", ""),
            "dir/w.toml:14:1: missing key 'entry' in [[launch]]");
  EXPECT_EQ(MessageAfter("fill = \"iota\"", "fill = \"constant\""),
            "dir/w.toml:10:1: missing key 'value' in [buffer.a]");
  EXPECT_EQ(BadInputMessage([] { Parse("name = 'x'"); }),
            "dir/w.toml:1:1: missing key 'launch' in the file");
  EXPECT_EQ(BadInputMessage([] { Parse("name = 'x'\nlaunch = []"); }),
            "dir/w.toml:2:10: key 'launch' is empty: expected at least one [[launch]]");
}

TEST(Parse, RejectsWrongTypesOfValues) {
  EXPECT_EQ(MessageAfter("count = 8", "count = 8.0"),
            "dir/w.toml:5:9: key 'count' is a float: expected an integer from 0 to 4294967296");
  EXPECT_EQ(MessageAfter("count = 8", "count = -8"),
            "dir/w.toml:5:9: key 'count' is -8: expected an integer from 0 to 4294967296");
  EXPECT_EQ(MessageAfter("grid = [2, 3]", "grid = 6"),
            "dir/w.toml:17:8: key 'grid' is an integer: expected an array");
  EXPECT_EQ(BadInputMessage([] { Parse("name = 'x'\nbuffer = 3"); }),
            "dir/w.toml:2:10: key 'buffer' is an integer: expected a table");
  EXPECT_EQ(BadInputMessage([] { Parse("name = 'x'\nbuffer.a = 3"); }),
            "dir/w.toml:2:12: [buffer.a] is an integer: expected a table");
  EXPECT_EQ(BadInputMessage([] { Parse("name = 'x'\nlaunch = [3]"); }),
            "dir/w.toml:2:11: [[launch]] is an integer: expected a table");
  EXPECT_EQ(MessageAfter("name = \"demo\"", "name = \"de\\nmo\""),
            "dir/w.toml:1:8: key 'name' is 'de\\x0amo': expected text on one line");
}

TEST(Parse, RejectsUnknownTypesAndFills) {
  EXPECT_EQ(MessageAfter("\"s32\"", "\"int\""),
            "dir/w.toml:11:8: unknown type 'int': expected one of u8, s8, u16, s16, u32, s32, u64, "
            "s64, f32, f64");
  EXPECT_EQ(
      MessageAfter("\"iota\"", "\"random\""),
      "dir/w.toml:13:8: unknown fill 'random': expected one of zero, constant, iota, uniform, "
      "sorted, permutation, file, sphere, btree, suffix-tree, reads, csr-rows, csr-columns, "
      "csr-sources, csr-values, csr-lengths, csr-ranges, jds-permutation, jds-starts, jds-lengths, "
      "jds-columns, jds-values");
}

TEST(Parse, RejectsFillsThatTheTypeCannotHold) {
  EXPECT_EQ(MessageAfter("fill = \"iota\"", "fill = \"constant\"\nvalue = 2147483648"),
            "dir/w.toml:14:9: key 'value' is 2147483648: expected a number from -2147483648 to "
            "2147483647");
  EXPECT_EQ(MessageAfter("fill = \"iota\"", "fill = \"constant\"\nvalue = 0.5"),
            "dir/w.toml:14:9: key 'value' is 0.5: expected an integer for type s32");
  EXPECT_EQ(
      MessageAfter("fill = \"iota\"", "fill = \"iota\"\nstart = 2147483645"),
      "dir/w.toml:10:1: the last element of [buffer.a] is 2147483648: expected -2147483648 to "
      "2147483647 for s32");
  EXPECT_EQ(MessageAfter("fill = \"iota\"", "fill = \"iota\"\nstep = 0.5"),
            "dir/w.toml:14:8: key 'step' is 0.5: expected an integer for type s32");
  EXPECT_EQ(MessageAfter("max = 2.5", "max = -3"),
            "dir/w.toml:3:1: min -2 is above max -3 in [buffer.b]: expected min <= max");
  EXPECT_EQ(MessageAfter("max = 2.5", "max = inf"),
            "dir/w.toml:9:7: key 'max' is inf: expected a number from -3.4028234663852886e+38 to "
            "3.4028234663852886e+38");
}

TEST(Parse, RejectsGridsAndBlocksThatNoMachineRuns) {
  EXPECT_EQ(MessageAfter("grid = [2, 3]", "grid = [2, 0]"),
            "dir/w.toml:17:12: grid.y is 0: expected an integer from 1 to 65535");
  EXPECT_EQ(MessageAfter("grid = [2, 3]", "grid = [2147483648]"),
            "dir/w.toml:17:9: grid.x is 2147483648: expected an integer from 1 to 2147483647");
  EXPECT_EQ(MessageAfter("grid = [2, 3]", "grid = [1, 1, 65536]"),
            "dir/w.toml:17:15: grid.z is 65536: expected an integer from 1 to 65535");
  EXPECT_EQ(MessageAfter("grid = [2, 3]", "grid = [1, 1, 1, 1]"),
            "dir/w.toml:17:8: key 'grid' has 4 elements: expected 1 to 3 (x, y, z)");
  EXPECT_EQ(MessageAfter("block = [32, 2, 1]", "block = []"),
            "dir/w.toml:18:9: key 'block' has 0 elements: expected 1 to 3 (x, y, z)");
  EXPECT_EQ(MessageAfter("block = [32, 2, 1]", "block = [0]"),
            "dir/w.toml:18:10: block.x is 0: expected an integer from 1 to 1024");
  EXPECT_EQ(MessageAfter("block = [32, 2, 1]", "block = [32, 33]"),
            "dir/w.toml:18:9: key 'block' has 1056 threads: expected at most 1024");
  EXPECT_EQ(MessageAfter("registers = 40", "registers = 256"),
            "dir/w.toml:21:13: key 'registers' is 256: expected an integer from 1 to 255");
  EXPECT_EQ(MessageAfter("repeat = 3", "repeat = 0"),
            "dir/w.toml:22:10: key 'repeat' is 0: expected an integer from 1 to 100000");
}

TEST(Parse, RejectsArgumentsThatAreNone) {
  EXPECT_EQ(MessageAfter("\"a\",", "\"c\","),
            "dir/w.toml:20:9: unknown buffer 'c': expected one of b, a");
  EXPECT_EQ(MessageAfter("b+16", "b+32"),
            "dir/w.toml:20:14: offset 32 is past buffer 'b': expected less than 32");
  EXPECT_EQ(MessageAfter("b+16", "b+x"),
            "dir/w.toml:20:14: argument 'b+x': expected a buffer's name, or name+offset in bytes: "
            "\"A+1024\"");
  EXPECT_EQ(MessageAfter("{ s32 = -1 }", "{ u32 = -1 }"),
            "dir/w.toml:20:30: u32 is -1: expected an integer from 0 to 4294967295");
  EXPECT_EQ(MessageAfter("{ s32 = -1 }", "{ s32 = 0.5 }"),
            "dir/w.toml:20:30: s32 is a float: expected an integer from -2147483648 to 2147483647");
  EXPECT_EQ(MessageAfter("{ s32 = -1 }", "{ int = 1 }"),
            "dir/w.toml:20:24: unknown argument type 'int': expected a buffer's name or one of u8, "
            "s8, u16, s16, u32, s32, u64, s64, f32, f64, bytes, texture, surface, tensor_map");
  EXPECT_EQ(MessageAfter("{ s32 = -1 }", "{ s32 = 1, u32 = 1 }"),
            "dir/w.toml:20:22: argument has 2 keys: expected one, as in { s32 = 256 }");
  EXPECT_EQ(MessageAfter("{ s32 = -1 }", "256"),
            "dir/w.toml:20:22: argument is an integer: expected a buffer's name or a table such as "
            "{ s32 = 256 }");
  EXPECT_EQ(MessageAfter("00fF", "00f"),
            "dir/w.toml:20:61: bytes are '00f': expected pairs of hexadecimal digits");
}

TEST(Parse, RejectsChecksThatCannotBeDone) {
  EXPECT_EQ(MessageAfter("[check.b]", "[check.c]"),
            "dir/w.toml:23:8: check of unknown buffer 'c': expected one of b, a");
  EXPECT_EQ(MessageAfter("reference = \"demo\"", "reference = \"demo\"\nfile = \"f\""),
            "dir/w.toml:23:1: [check.b] has both file and reference: expected exactly one of file, "
            "reference");
  EXPECT_EQ(MessageAfter("reference = \"demo\"", ""),
            "dir/w.toml:23:1: [check.b] has neither file nor reference: expected exactly one of "
            "file, reference");
  EXPECT_EQ(
      MessageAfter("rtol = 1e-5", "rtol = -1"),
      "dir/w.toml:25:8: key 'rtol' is -1: expected a number from 0 to 1.7976931348623157e+308");
}

TEST(Parse, RejectsBufferNamesThatArgumentsCannotName) {
  EXPECT_EQ(MessageAfter("[buffer.a]", "[buffer.\"a+1\"]"),
            "dir/w.toml:10:1: buffer name 'a+1': expected letters, digits and '_', no digit first");
}

}  // namespace parse_test
}  // namespace flagstone
