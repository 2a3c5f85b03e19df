// Bind: buffers and module variables in device memory, parameter blocks, symbols.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "kernels/launch/workload.h"
#include "tests/unit/base/error_message.h"
#include "tests/unit/base/temporary_folder.h"

namespace flagstone {
namespace bind_test {

constexpr std::string_view kPtx = R"(.version 3.2
.target sm_35
.address_size 64
.const .align 4 .b8 weights[8] = {1, 2, 3, 4};
.global .align 8 .u64 pointer = weights;
.visible .entry k(
	.param .u8 k_param_0,
	.param .u64 k_param_1,
	.param .u16 k_param_2,
	.param .f32 k_param_3
)
{
	ret;
}
)";

constexpr std::string_view kToml = R"(name = "demo"
[buffer.b]
type = "u16"
count = 5
fill = "iota"
[buffer.a]
type = "u8"
count = 300
fill = "constant"
value = 9
[[launch]]
ptx = "k.ptx"
entry = "k"
grid = [3, 2]
block = [33]
shared = 16
registers = 20
repeat = 2
args = [{ u8 = 255 }, "b+4", { s16 = -2 }, { f32 = 1.0 }]
[[launch]]
ptx = "k.ptx"
entry = "k"
grid = [1]
block = [1]
args = [{ u8 = 0 }, "a", { s16 = 0 }, { f32 = 0.0 }]
)";

class BindTest : public testing::Test {
 protected:
  BindTest() {
    folder_.Write("k.ptx", kPtx);
    workload_ = Workload::Load(folder_.Write("w.toml", kToml), "test");
  }
  Workload LoadWith(std::string_view more) {
    return Workload::Load(folder_.Write("w.toml", std::string(kToml) + std::string(more)), "test");
  }
  template <class T>
  static T Read(const std::byte* from) {
    T value;
    std::memcpy(&value, from, sizeof(T));
    return value;
  }

  TemporaryFolder folder_;
  Workload workload_;
};

TEST_F(BindTest, PlacesBuffersInTheOrderOfTheFileAndVariablesAfterThem) {
  const BoundWorkload bound = Bind(workload_);
  ASSERT_EQ(bound.memory.regions().size(), 4U);
  EXPECT_EQ(bound.memory.regions()[0].name, "b");
  EXPECT_EQ(bound.memory.regions()[0].address, MemoryLayout().base);
  EXPECT_EQ(bound.memory.regions()[1].name, "a");
  EXPECT_EQ(bound.memory.regions()[1].address, MemoryLayout().base + 512);
  EXPECT_EQ(bound.memory.regions()[2].name, "k.ptx:weights");
  EXPECT_FALSE(bound.memory.regions()[2].writable);
  EXPECT_EQ(bound.memory.regions()[3].name, "k.ptx:pointer");
  EXPECT_TRUE(bound.memory.regions()[3].writable);
}

TEST_F(BindTest, FillsBuffers) {
  const BoundWorkload bound = Bind(workload_);
  EXPECT_EQ(Read<uint16_t>(bound.memory.At(MemoryLayout().base + 8)), 4);
  for (const std::byte byte : bound.memory.Bytes(bound.memory.Named("a"))) {
    ASSERT_EQ(byte, std::byte{9});
  }
}

TEST_F(BindTest, InitialisesVariablesAndThePointersInThem) {
  const BoundWorkload bound = Bind(workload_);
  const auto& symbols = bound.launches[0].symbols;
  ASSERT_EQ(symbols.size(), 2U);
  EXPECT_EQ(Read<uint64_t>(bound.memory.At(symbols.at("weights"))), 0x04030201U);
  EXPECT_EQ(Read<uint64_t>(bound.memory.At(symbols.at("pointer"))), symbols.at("weights"));
}

TEST_F(BindTest, LaysOutTheParameterBlockAsThePtxDoes) {
  const BoundWorkload bound = Bind(workload_);
  const KernelLaunch& launch = bound.launches[0];
  ASSERT_EQ(launch.parameters.size(), 24U);
  EXPECT_EQ(Read<uint8_t>(launch.parameters.data()), 255);
  EXPECT_EQ(Read<uint64_t>(launch.parameters.data() + 8), MemoryLayout().base + 4);
  EXPECT_EQ(Read<int16_t>(launch.parameters.data() + 16), -2);
  EXPECT_EQ(Read<float>(launch.parameters.data() + 20), 1.0F);
}

TEST_F(BindTest, GivesEachLaunchItsShape) {
  const BoundWorkload bound = Bind(workload_);
  ASSERT_EQ(bound.launches.size(), 2U);
  EXPECT_EQ(bound.launches[0].TbCount(), 6U);
  EXPECT_EQ(bound.launches[0].WarpsPerTb(), 2U) << "33 threads";
  EXPECT_EQ(bound.launches[0].SharedBytes(), 16U);
  EXPECT_EQ(bound.launches[0].registers, 20U);
  EXPECT_EQ(bound.launches[1].TbCount(), 1U);
  EXPECT_EQ(bound.launches[1].registers, std::nullopt);
}

TEST_F(BindTest, FillsTheSymbolsOfTheWorkloadOverThePtxsContents) {
  const BoundWorkload bound =
      Bind(LoadWith("[symbol.weights]\ntype = 'u16'\ncount = 3\n"
                    "fill = 'iota'\nstart = 7\n"));
  const std::byte* weights = bound.memory.At(bound.launches[0].symbols.at("weights"));
  EXPECT_EQ(Read<uint64_t>(weights), 0x0000'0009'0008'0007U) << "three u16, then the PTX's zeros";
}

TEST_F(BindTest, RejectsSymbolsThatNoVariableHolds) {
  const std::string file = workload_.path.string();
  EXPECT_EQ(BadInputMessage(
                [&] { LoadWith("[symbol.weight]\ntype = 'u8'\ncount = 1\nfill = 'zero'\n"); }),
            file + ":26:1: no PTX file has a variable 'weight': expected one of weights, pointer");
  EXPECT_EQ(BadInputMessage(
                [&] { LoadWith("[symbol.weights]\ntype = 'f32'\ncount = 3\nfill = 'zero'\n"); }),
            file + ":26:1: [symbol.weights] has 12 bytes: its variable has 8 (" +
                (folder_.path() / "k.ptx").string() + ":4)");
}

TEST_F(BindTest, GivesTheSameBytesEachTime) {
  const BoundWorkload once = Bind(workload_);
  const BoundWorkload again = Bind(workload_);
  for (const auto& region : once.memory.regions()) {
    const auto a = once.memory.Bytes(region);
    const auto b = again.memory.Bytes(region);
    EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end())) << region.name;
  }
  EXPECT_EQ(once.launches[0].parameters, again.launches[0].parameters);
}

TEST_F(BindTest, RejectsAKernelThatNamesAVariableOfAnotherFile) {
  std::string text = std::string(kPtx) + ".extern .global .u32 elsewhere;\n";
  text.insert(text.find(".visible"), ".extern .global .b8 table[];\n");
  folder_.Write("k.ptx", text);
  EXPECT_EQ(Bind(Workload::Load(workload_.path, "test")).launches[0].symbols.count("table"), 0U);
  text.insert(text.find("\tret"), ".reg .b64 %d; mov.u64 %d, table;\n");
  folder_.Write("k.ptx", text);
  EXPECT_EQ(BadInputMessage([&] { Workload::Load(workload_.path, "test"); }),
            (folder_.path() / "k.ptx").string() +
                ":14:15: entry 'k' cannot run: variable 'table' is extern, expected a definition "
                "in the same file: 'mov.u64 %d, table'");
}

TEST_F(BindTest, WritesOneByteOfAnAddressWhereAMaskAsksForIt) {
  std::string text(kPtx);
  text.insert(
      text.find(".visible"),
      ".global .b8 bytes[4] = {7, 0xFF(weights+1), 0xFF00(weights), 0xFF00000000(weights)};\n");
  folder_.Write("k.ptx", text);
  const BoundWorkload bound = Bind(Workload::Load(workload_.path, "test"));
  const uint64_t weights = bound.launches[0].symbols.at("weights");
  const std::byte* bytes = bound.memory.At(bound.launches[0].symbols.at("bytes"));
  EXPECT_EQ(bytes[0], std::byte{7});
  EXPECT_EQ(bytes[1], static_cast<std::byte>(weights + 1));
  EXPECT_EQ(bytes[2], static_cast<std::byte>(weights >> 8));
  EXPECT_EQ(bytes[3], static_cast<std::byte>(weights >> 32));
}

TEST_F(BindTest, PutsBuffersAndPointersIn32BitsWhereTheModuleHasThem) {
  std::string text(kPtx);
  text.replace(text.find("size 64"), 7, "size 32");
  text.replace(text.find(".u64 pointer"), 12, ".u32 pointer");
  text.replace(text.find(".param .u64"), 11, ".param .u32");
  folder_.Write("k.ptx", text);
  const BoundWorkload bound = Bind(Workload::Load(workload_.path, "test"));
  EXPECT_EQ(bound.memory.regions()[0].address, MemoryLayout::kBase32);
  const uint64_t weights = bound.launches[0].symbols.at("weights");
  EXPECT_EQ(Read<uint32_t>(bound.memory.At(bound.launches[0].symbols.at("pointer"))), weights);
  EXPECT_EQ(Read<uint32_t>(bound.launches[0].parameters.data() + 4), MemoryLayout::kBase32 + 4);
}

TEST_F(BindTest, PutsBuffersWhereTheWorkloadSays) {
  const Workload packed = LoadWith("[memory]\nbase = 0xc000_0000\ngap = 0\n");
  const BoundWorkload bound = Bind(packed);
  EXPECT_EQ(bound.memory.Named("b").address, 0xc000'0000U);
  EXPECT_EQ(bound.memory.Named("a").address, 0xc000'0100U);
  EXPECT_TRUE(bound.memory.Holds(0xc000'0000 + 9, 1));
  EXPECT_FALSE(bound.memory.Holds(0xc000'0000 + 9, 2));
  EXPECT_NE(packed.input_hash, workload_.input_hash);
}

TEST_F(BindTest, HasClustersOfOneTbWhereNobodyAsksForMore) {
  const BoundWorkload bound = Bind(workload_);
  const Dim3& cluster = bound.launches[0].cluster;
  EXPECT_EQ((std::vector{cluster.x, cluster.y, cluster.z}), (std::vector<uint32_t>{1, 1, 1}));
}

TEST_F(BindTest, WritesAFileOfTheHostIntoTheRestOfItsBufferAndNoFurther) {
  BoundWorkload bound = Bind(workload_);
  const auto write = [&](const std::string& contents, uint64_t offset) {
    HostStep step;
    step.kind = HostStep::Kind::kWrite;
    step.write = {.region = "b", .offset = offset, .file = folder_.Write("data", contents)};
    Apply(step, &bound.memory);
  };
  write("xy", 8);
  const std::byte* const bytes = bound.memory.At(bound.memory.Named("b").address);
  EXPECT_EQ(bytes[7], std::byte{0});
  EXPECT_EQ(bytes[8], std::byte{'x'});
  EXPECT_EQ(bytes[9], std::byte{'y'});
  write("", 10);
  EXPECT_THAT(BadInputMessage([&] { write("xyz", 8); }),
              testing::HasSubstr("has 3 bytes for 'b' from 8 on: expected at most 10 in all"));
  EXPECT_THAT(BadInputMessage([&] { write("", 11); }), testing::HasSubstr("from 11 on"));
}

TEST_F(BindTest, RefusesAMemoryThatDoesNotFit) {
  EXPECT_THAT(BadInputMessage([&] { LoadWith("[memory]\nbase = 100\n"); }),
              testing::HasSubstr("base"));
  EXPECT_THAT(BadInputMessage([&] { LoadWith("[memory]\ngap = 100\n"); }),
              testing::HasSubstr("key 'gap' is 100: expected a multiple of 256"));
  EXPECT_THAT(BadInputMessage([&] { LoadWith("[memory]\nbse = 4096\n"); }),
              testing::HasSubstr("unknown key 'bse': expected one of base, gap"));
}

}  // namespace bind_test
}  // namespace flagstone
