// Where instructions go when they issue, and for how long.
#include "gpu_model/sm/issue_units.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kernels/launch/device_memory.h"
#include "kernels/ptx/parser.h"

namespace flagstone {
namespace issue_units_test {

class IssueUnitsTest : public testing::Test {
 protected:
  // Of the one instruction, in a kernel of it and `ret`.
  IssueInfo InfoOf(const std::string& instruction) const {
    const auto module = ptx::Parse(
        ".version 8.0 .target sm_90 .address_size 64 .global .texref image;\n"
        ".visible .entry k(.param .u64 p) { .reg .b32 %r<16>; .reg .f32 %f<16>; .reg .b64 %d<4>;\n"
        ".shared .align 4 .b8 s[64];\n" +
            instruction + "; ret; }",
        "k.ptx");
    KernelLaunch launch;
    launch.module = module.get();
    launch.kernel = module->kernels[0].get();
    launch.parameters.resize(8);
    launch.symbols = {{"image", MemoryLayout().base}};
    return MakeIssueInfos(Program(launch), config_).at(0);
  }

  SmConfig config_ = MachineConfig::Load("tiny", {}).sm;
};

TEST_F(IssueUnitsTest, AnAdditionReadsTwoRegistersAndWritesOne) {
  const IssueInfo info = InfoOf("add.s32 %r1, %r2, %r3");
  EXPECT_EQ(info.unit, Unit::kIntAdd);
  EXPECT_EQ(info.latency, config_.int_add.latency);
  EXPECT_EQ(info.work, LaneWork::kInteger);
  EXPECT_EQ(info.operands, 3U);
  EXPECT_EQ(info.operations, 1U);
  EXPECT_TRUE(info.writes);
  EXPECT_FALSE(info.to_memory);
  EXPECT_FALSE(info.wants_load);
}

TEST_F(IssueUnitsTest, AStoreWritesNoRegister) {
  const IssueInfo info = InfoOf("st.global.u32 [%d1], %r1");
  EXPECT_EQ(info.unit, Unit::kLoadStore);
  EXPECT_FALSE(info.writes);
  EXPECT_TRUE(info.to_memory);
  EXPECT_TRUE(info.wants_load);
}

TEST_F(IssueUnitsTest, SharedMemoryIsNoLoadForWarpSchedulers) {
  const IssueInfo info = InfoOf("ld.shared.u32 %r1, [s]");
  EXPECT_EQ(info.unit, Unit::kLoadStore);
  EXPECT_TRUE(info.to_memory);
  EXPECT_FALSE(info.wants_load);
}

TEST_F(IssueUnitsTest, ParametersGoToMemoryWhereTheyHaveACache) {
  EXPECT_EQ(InfoOf("ld.param.u64 %d1, [p]").unit, Unit::kConst);
  EXPECT_FALSE(InfoOf("ld.param.u64 %d1, [p]").to_memory);
  config_.const_cache.size_kib = 2;
  EXPECT_TRUE(InfoOf("ld.param.u64 %d1, [p]").to_memory);
}

TEST_F(IssueUnitsTest, TexturesHaveAUnitWhereTheyHaveACache) {
  const std::string texture = "tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [image, {%r5}]";
  EXPECT_EQ(InfoOf(texture).unit, Unit::kLoadStore);
  config_.texture_cache.size_kib = 8;
  const IssueInfo info = InfoOf(texture);
  EXPECT_EQ(info.unit, Unit::kTexture);
  EXPECT_EQ(info.latency, config_.texture_latency);
  EXPECT_EQ(info.interval, 1U);
  EXPECT_TRUE(info.to_memory);
  EXPECT_TRUE(info.wants_load);
}

TEST_F(IssueUnitsTest, AnMmaTakesItsPipeInProportionToItsWork) {
  config_.tensor.latency = 40;
  config_.tensor.interval = 32;
  const std::string four = "{%r1, %r2, %r3, %r4}", two = "{%r5, %r6}";
  const std::string sums = "{%f1, %f2, %f3, %f4}";
  const IssueInfo whole = InfoOf("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 " + sums +
                                 ", " + four + ", " + two + ", " + sums);
  EXPECT_EQ(whole.work, LaneWork::kTensor);
  EXPECT_EQ(whole.operations, 16U);
  EXPECT_EQ(whole.interval, 32U);
  EXPECT_EQ(whole.latency, 40U);
  const IssueInfo half = InfoOf("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 " + sums + ", " +
                                two + ", {%r7}, " + sums);
  EXPECT_EQ(half.operations, 8U);
  EXPECT_EQ(half.interval, 16U);
  EXPECT_EQ(half.latency, 40U);
}

// What waits for results has to look as far ahead as the longest product takes.
TEST_F(IssueUnitsTest, TheLongestLatencyIsThatOfTheProgramsProducts) {
  config_.tensor.latency = 40;
  config_.tensor.interval = 32;
  std::string sums = "{%r1";
  for (int i = 1; i < 64; ++i) sums += ", %r1";
  const IssueInfo product = InfoOf("wgmma.mma_async.sync.aligned.m64n256k16.f16.f16.f16 " + sums +
                                   "}, %d1, %d2, 1, 1, 1, 0, 0");
  EXPECT_EQ(product.work, LaneWork::kTensor);
  EXPECT_EQ(product.interval, 32U * 32);
  EXPECT_EQ(product.latency, 40U + 31 * 32);
  EXPECT_TRUE(product.writes);
  const uint32_t without = LongestLatency(config_, {});
  EXPECT_LT(without, product.latency);
  EXPECT_EQ(LongestLatency(config_, {&product, 1}),
            product.latency + config_.writeback_latency - 1);
  const IssueInfo sum = InfoOf("add.s32 %r1, %r2, %r3");
  EXPECT_EQ(LongestLatency(config_, {&sum, 1}), without);
}

}  // namespace issue_units_test
}  // namespace flagstone
