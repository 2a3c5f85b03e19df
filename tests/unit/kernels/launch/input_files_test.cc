// Files in the place of inputs and buffers: [input] of kind "file", and the command's --input.
#include <gtest/gtest.h>

#include <string>

#include "kernels/launch/element.h"
#include "kernels/launch/fill.h"
#include "kernels/launch/workload.h"
#include "tests/unit/base/error_message.h"
#include "tests/unit/base/temporary_folder.h"

namespace flagstone {
namespace input_files_test {

constexpr std::string_view kToml = R"(name = "demo"
[input.graph]
kind = "mesh2d"
width = 3
height = 3
[buffer.rows]
type = "u16"
fill = "csr-rows"
input = "graph"
[buffer.weight]
type = "s32"
fill = "csr-values"
input = "graph"
[buffer.bytes]
type = "u8"
count = 3
fill = "uniform"
max = 9
[[launch]]
ptx = "k.ptx"
entry = "k"
grid = ["graph.nodes / 2"]
block = [2]
args = []
)";

class InputFilesTest : public testing::Test {
 protected:
  InputFilesTest() {
    folder_.Write("k.ptx", ".version 6.0\n.target sm_35\n.address_size 64\n.entry k() { ret; }\n");
  }
  Workload Load(const InputFiles& files, std::string_view toml = kToml) {
    return Workload::Load(folder_.Write("w.toml", toml), "test", files);
  }
  std::string Message(const InputFiles& files) {
    return BadInputMessage([&] { Load(files); });
  }
  std::filesystem::path Write(const std::string& name, std::string_view text) {
    return folder_.Write(name, text);
  }
  static std::vector<int32_t> Weights(const Workload& workload) {
    const BufferSpec& spec = *workload.FindBuffer("weight");
    std::vector<int32_t> weights(spec.count);
    FillBuffer(spec, std::as_writable_bytes(std::span(weights)));
    return weights;
  }
  TemporaryFolder folder_;
};

TEST_F(InputFilesTest, TakeThePlaceOfAGenerator) {
  const Workload workload = Load({{"graph", Write("g.gr", "p sp 5 2\na 1 5 7\na 2 1 -3\n")}});
  EXPECT_EQ(workload.FindBuffer("rows")->count, 6U);
  EXPECT_EQ(workload.launches[0].grid.x, 3U) << "the grid follows the file";
  EXPECT_EQ(Weights(workload), (std::vector<int32_t>{7, -3}));
}

TEST_F(InputFilesTest, GiveRandomValuesWhereTheFileHasNone) {
  const auto weights = Weights(Load({{"graph", Write("g.txt", "0 1\n1 2\n")}}));
  ASSERT_EQ(weights.size(), 2U);
  for (const int32_t weight : weights) EXPECT_TRUE(weight == 0 || weight == 1);
}

TEST_F(InputFilesTest, StaySymmetricWhereTheInputIs) {
  std::string toml(kToml);
  toml.replace(toml.find("kind = \"mesh2d\"\nwidth = 3\nheight = 3"), 36,
               "kind = 'uniform'\nnodes = 4\ndegree = 1\nsymmetric = true");
  const Workload workload = Load({{"graph", Write("g.txt", "0 1\n1 2\n")}}, toml);
  EXPECT_EQ(workload.FindBuffer("weight")->count, 4U);
}

TEST_F(InputFilesTest, MayBeNamedByTheWorkloadItself) {
  std::string toml(kToml);
  toml.replace(toml.find("kind = \"mesh2d\"\nwidth = 3\nheight = 3"), 36,
               "kind = 'file'\nfile = 'g.mtx'");
  Write("g.mtx", "%%MatrixMarket matrix coordinate integer general\n2 2 1\n2 1 9\n");
  EXPECT_EQ(Weights(Load({}, toml)), (std::vector<int32_t>{9}));
}

TEST_F(InputFilesTest, TakeThePlaceOfABuffersFill) {
  const Workload workload = Load({{"bytes", Write("b.bin", "abc")}});
  std::string bytes(3, ' ');
  FillBuffer(*workload.FindBuffer("bytes"), std::as_writable_bytes(std::span(bytes)));
  EXPECT_EQ(bytes, "abc");
}

TEST_F(InputFilesTest, ChangeTheInputHashByTheirContentsNotTheirNames) {
  const uint64_t none = Load({}).input_hash;
  const uint64_t one = Load({{"graph", Write("a.txt", "0 1\n")}}).input_hash;
  EXPECT_NE(one, none);
  EXPECT_EQ(Load({{"graph", Write("b.txt", "0 1\n")}}).input_hash, one);
  EXPECT_NE(Load({{"graph", Write("b.txt", "0 2\n")}}).input_hash, one);
}

TEST_F(InputFilesTest, AreRejectedWhereTheyDoNotFit) {
  const std::string toml = (folder_.path() / "w.toml").string();
  EXPECT_EQ(Message({{"grph", "x.gr"}}),
            "input 'grph': expected one of graph, bytes, rows, weight");
  const auto odd = Write("g.csv", "0,1\n");
  EXPECT_EQ(Message({{"graph", odd}}),
            toml + ": cannot tell the format of '" + odd.string() +
                "': expected a name that ends in .mtx (Matrix Market), .gr (DIMACS), .el, .edges "
                "or .txt (edge list)");
  const auto half = Write("g.txt", "0 1 0.5\n");
  EXPECT_EQ(Message({{"graph", half}}),
            toml + ":11:8: key 'type' is 's32': expected a type that holds 0.5 of '" +
                half.string() + "'");
  EXPECT_EQ(Message({{"graph", Write("g.gr", "p sp 2 1\na 1 3 1\n")}}),
            (folder_.path() / "g.gr").string() +
                ":2: the target is '3': expected an integer from 1 to 2");
  const auto absent = folder_.path() / "none.gr";
  EXPECT_EQ(Message({{"graph", absent}}),
            "cannot read '" + absent.string() + "': No such file or directory");
  const auto large = Write("l.txt", "0 70000\n");
  EXPECT_EQ(Load({{"graph", large}}).FindBuffer("rows")->count, 70002U);
}

}  // namespace input_files_test
}  // namespace flagstone
