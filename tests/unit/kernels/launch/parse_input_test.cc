// [input.NAME], the fills from it and the values that name it: what they mean, and each mistake.
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "kernels/launch/element.h"
#include "kernels/launch/workload.h"
#include "tests/unit/base/error_message.h"

namespace flagstone {
namespace parse_input_test {

constexpr std::string_view kGood = R"(name = "demo"
[input.graph]
kind = "rmat"
nodes = 300
edge_factor = 4
seed = 2
symmetric = true
[buffer.rows]
type = "s32"
fill = "csr-rows"
input = "graph"
[buffer.ranges]
type = "u32"
fill = "csr-ranges"
input = "graph"
[buffer.weight]
type = "f32"
fill = "csr-values"
input = "graph"
min = 1
max = 2
[buffer.cost]
type = "s32"
count = "graph.nodes + 1"
fill = "zero"
[[launch]]
ptx = "k.ptx"
entry = "k"
grid = ["graph.nodes / 256"]
block = [256]
args = ["rows", { s32 = "graph.edges" }, { u64 = "graph.columns*2-1" }]
)";

Workload Parse(std::string_view text) { return Workload::Parse(text, "dir/w.toml", "test"); }

std::string MessageAfter(std::string_view from, std::string_view to) {
  std::string text(kGood);
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
  return BadInputMessage([&] { Parse(text); });
}

TEST(ParseInput, GivesCountsGridsAndArgumentsThatFollowTheInput) {
  const Workload workload = Parse(kGood);
  EXPECT_EQ(workload.FindBuffer("rows")->count, 301U);
  EXPECT_EQ(workload.FindBuffer("ranges")->count, 600U);
  EXPECT_EQ(workload.FindBuffer("weight")->count, 2400U);
  EXPECT_EQ(workload.FindBuffer("cost")->count, 301U);
  const LaunchSpec& launch = workload.launches[0];
  EXPECT_EQ(launch.grid.x, 2U) << "300 / 256, rounded up";
  EXPECT_EQ(LoadElement<int32_t>(launch.arguments[1].bytes.data(), 0), 2400);
  EXPECT_EQ(LoadElement<uint64_t>(launch.arguments[2].bytes.data(), 0), 599U);
}

TEST(ParseInput, LetsASizeChangeTheInputAlone) {
  const std::string text = std::string(kGood) + "[size.test]\ninput.graph.nodes = 1000\n";
  const Workload workload = Parse(text);
  EXPECT_EQ(workload.FindBuffer("rows")->count, 1001U);
  EXPECT_EQ(workload.launches[0].grid.x, 4U);
  // Another kind starts from its own keys.
  const Workload mesh = Parse(std::string(kGood) +
                              "[size.test]\ninput.graph = { kind = 'mesh2d', width = 5, height = 4 "
                              "}\n");
  EXPECT_EQ(mesh.FindBuffer("rows")->count, 21U);
  EXPECT_EQ(mesh.FindBuffer("weight")->count, 2U * (4 * 4 + 5 * 3));
}

TEST(ParseInput, KnowsTheNumberOfEdgesOfEachKindBeforehand) {
  for (const char* keys :
       {"kind = 'rmat'\nnodes = 77\nedge_factor = 3", "kind = 'uniform'\nnodes = 50\ndegree = 9",
        "kind = 'uniform'\nnodes = 50\ndegree = 9\nsymmetric = true",
        "kind = 'mesh2d'\nwidth = 9\nheight = 4",
        "kind = 'banded'\nrows = 33\ncolumns = 40\nper_row = 5"}) {
    const Workload workload =
        Parse("name = 'x'\n[input.g]\n" + std::string(keys) +
              "\n[[launch]]\nptx = 'k'\nentry = 'k'\ngrid = [1]\nblock = [1]\nargs = []\n");
    const Input& input = *workload.inputs.at(0);
    EXPECT_EQ(input.elements(), input.Matrix().Elements()) << keys;
    EXPECT_EQ(input.rows(), input.Matrix().Rows()) << keys;
    EXPECT_EQ(input.columns(), input.Matrix().columns) << keys;
  }
}

TEST(ParseInput, RejectsInputsThatNoGeneratorTakes) {
  EXPECT_EQ(MessageAfter("\"rmat\"", "\"kronecker\""),
            "dir/w.toml:3:8: unknown kind 'kronecker': expected one of rmat, uniform, mesh2d, "
            "banded, file");
  EXPECT_EQ(MessageAfter("edge_factor", "edges"),
            "dir/w.toml:5:1: unknown key 'edges': expected one of kind, nodes, edge_factor, a, b, "
            "c, seed, symmetric");
  EXPECT_EQ(MessageAfter("nodes = 300", "nodes = 1"),
            "dir/w.toml:4:9: key 'nodes' is 1: expected an integer from 2 to 268435456");
  EXPECT_EQ(MessageAfter("seed = 2", "a = 0.98\nb = 0.01\nc = 0.01"),
            "dir/w.toml:2:1: a + b + c is 1 in [input.graph]: expected at most 0.99");
  EXPECT_EQ(MessageAfter("nodes = 300\nedge_factor = 4", "nodes = 268435456\nedge_factor = 3"),
            "dir/w.toml:2:1: [input.graph] has 1610612736 edges: expected at most 1073741824");
  EXPECT_EQ(MessageAfter("kind = \"rmat\"\nnodes = 300\nedge_factor = 4\nseed = 2\n"
                         "symmetric = true",
                         "kind = 'banded'\nrows = 2\ncolumns = 2\nper_row = 2"),
            "dir/w.toml:6:11: key 'per_row' is 2: rows get up to 3 elements, expected at most 2 "
            "(columns)");
  EXPECT_EQ(MessageAfter("symmetric = true", "symmetric = 1"),
            "dir/w.toml:7:13: key 'symmetric' is an integer: expected true or false");
  EXPECT_EQ(MessageAfter("[input.graph]", "[input.\"a b\"]"),
            "dir/w.toml:2:1: input name 'a b': expected letters, digits and '_', no digit first");
}

TEST(ParseInput, RejectsFillsThatDoNotFit) {
  EXPECT_EQ(MessageAfter("input = \"graph\"", "input = \"grph\""),
            "dir/w.toml:11:9: unknown input 'grph': expected one of graph");
  EXPECT_EQ(MessageAfter("input = \"graph\"", ""),
            "dir/w.toml:8:1: missing key 'input' in [buffer.rows]");
  EXPECT_EQ(MessageAfter("type = \"s32\"", "type = \"s32\"\ncount = 301"),
            "dir/w.toml:10:1: unknown key 'count': expected one of type, fill, input, "
            "address, from, until");
  EXPECT_EQ(MessageAfter("type = \"s32\"", "type = \"u8\""),
            "dir/w.toml:9:8: key 'type' is 'u8': expected an integer type that holds 2400");
  EXPECT_EQ(MessageAfter("type = \"s32\"", "type = \"f64\""),
            "dir/w.toml:9:8: key 'type' is 'f64': expected an integer type that holds 2400");
}

TEST(ParseInput, RejectsValuesThatNameNoSize) {
  const auto with = [](const std::string& count) {
    return MessageAfter("\"graph.nodes + 1\"", "\"" + count + "\"");
  };
  const std::string expected =
      ": expected an integer, or such as 'graph.nodes', 'graph.edges + 1', 'graph.nodes / 256'";
  for (const char* text :
       {"", "graph", "graph.", "graph.node", "g.nodes", "graph.nodes +", "graph.nodes 1",
        "graph.nodes + x", "graph.nodes + -1", "graph.nodes / 0", "graph.nodes % 2", "nodes",
        "graph.nodes * 9223372036854775807", "graph.nodes + 99999999999999999999"}) {
    EXPECT_EQ(with(text), "dir/w.toml:24:9: key 'count' is '" + std::string(text) + "'" + expected);
  }
  EXPECT_EQ(with("graph.nodes - 301"),
            "dir/w.toml:24:9: key 'count' is 'graph.nodes - 301' = -1: expected an integer from 0 "
            "to 4294967296");
  EXPECT_EQ(MessageAfter("{ s32 = \"graph.edges\" }", "{ u8 = \"graph.edges\" }"),
            "dir/w.toml:31:24: u8 is 'graph.edges' = 2400: expected an integer from 0 to 255");
}

}  // namespace parse_input_test
}  // namespace flagstone
