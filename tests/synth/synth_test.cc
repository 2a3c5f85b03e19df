#include "synth/synth.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/error.h"
#include "base/file.h"
#include "synth/yosys.h"

namespace flagstone {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

SynthBlock Block(std::string_view name, std::vector<SynthParameter> parameters) {
  return {name, true, "", std::move(parameters)};
}

TEST(Synthesize, CountsTheFlipFlopsThatTheModuleDeclares) {
  // fifo of 4 entries of 8 bits: 32 of storage, two pointers of 2 bits, a count of 3 bits.
  const auto results = Synthesize({Block("fifo", {{"Width", 8}, {"Depth", 4}})});
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].flip_flops, 32u + 2u + 2u + 3u);
  EXPECT_GT(results[0].cells, results[0].flip_flops);
  EXPECT_GT(results[0].logic_depth, 1u);
  EXPECT_GT(results[0].seconds, 0.0);
}

TEST(Synthesize, TakesTheBlocksParameters) {
  const auto results = Synthesize({Block("fifo", {{"Width", 16}, {"Depth", 2}})});
  EXPECT_EQ(results.at(0).flip_flops, 32u + 1u + 1u + 2u);
}

TEST(Synthesize, CountsThePapersEighteenBytesPerSm) {
  // next, tail and nextTB (PAVER, section 5.1), and the control bits G, V and F.
  const auto results = Synthesize(SelectSynthBlocks({"paver_tb_queue"}));
  EXPECT_EQ(results.at(0).flip_flops, 18u * 8 + 3);
}

TEST(Synthesize, FindsNoStateInAnArbiter) {
  const auto results = Synthesize({Block("round_robin_pick", {{"Count", 5}})});
  EXPECT_EQ(results.at(0).flip_flops, 0u);
  EXPECT_GT(results.at(0).cells, 0u);
}

TEST(Synthesize, ReportsProgressBeforeEachBlock) {
  std::vector<std::string> seen;
  Synthesize(SelectSynthBlocks({"outstanding_tbs", "fifo"}),
             [&](const SynthBlock& block, size_t position, size_t number) {
               seen.push_back(fmt::format("{} {}/{}", block.name, position, number));
             });
  EXPECT_THAT(seen, ElementsAre("outstanding_tbs 0/2", "fifo 1/2"));
}

TEST(Synthesize, IsTheSameFromRunToRun) {
  const auto blocks = SelectSynthBlocks({"paver_group_dispatcher"});
  const auto first = Synthesize(blocks);
  const auto second = Synthesize(blocks);
  EXPECT_EQ(first[0].cells, second[0].cells);
  EXPECT_EQ(first[0].logic_depth, second[0].logic_depth);
}

TEST(Synthesize, SaysWhichPackageIsMissing) {
  const std::string path = std::getenv("PATH");
  setenv("PATH", "/nowhere", 1);
  try {
    Synthesize(SelectSynthBlocks({"fifo"}));
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInternal);
    EXPECT_STREQ(error.what(), "synthesis needs Yosys: install the package 'yosys'");
  }
  setenv("PATH", path.c_str(), 1);
}

TEST(SynthJson, HasEveryKeyOfTheSchema) {
  SynthResult result;
  result.block = Block("fifo", {{"Width", 8}});
  result.cells = 5;
  const auto json = ToJson({result});
  EXPECT_EQ(json["schema"], "flagstone.synth/1");
  EXPECT_TRUE(json["library"].is_null());
  EXPECT_THAT(json["tools"]["yosys"].get<std::string>(), HasSubstr("Yosys"));
  const auto& block = json["blocks"][0];
  EXPECT_EQ(block["name"], "fifo");
  EXPECT_EQ(block["parameters"]["Width"], 8);
  EXPECT_EQ(block["cells"], 5);
  for (const char* key : {"area_um2", "sequential_um2", "combinational_um2", "storage_um2",
                          "fmax_mhz", "leakage_uw", "energy_pj"}) {
    EXPECT_TRUE(block.contains(key)) << key;
    EXPECT_TRUE(block[key].is_null()) << key;
  }
  EXPECT_TRUE(block.contains("flip_flops"));
  EXPECT_TRUE(block.contains("logic_depth"));
  EXPECT_TRUE(block.contains("seconds"));
}

TEST(CombinationalOutputs, AreNoneInABlockBehindTheSeam) {
  for (const SynthBlock& top : SelectSynthBlocks({})) {
    SynthBlock block = top;
    for (SynthParameter& parameter : block.parameters) {
      if (parameter.name == "NumSm") parameter.value = 3;
    }
    EXPECT_THAT(CombinationalOutputs(block), IsEmpty()) << block.name;
  }
}

TEST(CombinationalOutputs, AreFoundBitByBit) {
  const ScratchFolder folder;
  const std::string file = (folder.path() / "leaky.sv").string();
  WriteFileAtomically(file, R"(
module leaky (
  input  logic       clk_i,
  input  logic [3:0] a_i,
  output logic [3:0] wire_o,
  output logic       gate_o,
  output logic       register_o
);
  logic [3:0] a_q;
  always_ff @(posedge clk_i) a_q <= a_i;
  assign wire_o     = {a_q[3:1], a_i[2]};
  assign gate_o     = a_q[0] & a_i[0];
  assign register_o = a_q[1] ^ a_q[2];
endmodule
)");
  EXPECT_THAT(CombinationalOutputs(Block("leaky", {}), {file}), ElementsAre("gate_o", "wire_o[0]"));
}

TEST(RunYosys, RefusesAnImplicitlyDeclaredSignal) {
  const ScratchFolder folder;
  const std::string file = (folder.path() / "peeking.sv").string();
  WriteFileAtomically(file, R"(
module part (input logic clk_i, input logic d_i);
  logic d_q;
  always_ff @(posedge clk_i) d_q <= d_i;
endmodule
module peeking (input logic clk_i, input logic d_i, output logic q_o);
  part u_part (.clk_i, .d_i);
  assign q_o = u_part.d_q;
endmodule
)");
  try {
    CombinationalOutputs(Block("peeking", {}), {file});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInternal);
    EXPECT_THAT(error.what(), HasSubstr("implicitly declared"));
  }
}

}  // namespace
}  // namespace flagstone
