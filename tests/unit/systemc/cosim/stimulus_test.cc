#include "systemc/cosim/stimulus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "systemc/cosim/block_registry.h"

namespace flagstone {
namespace stimulus_test {

std::unique_ptr<AnyBlock> Make(std::string_view name, const std::vector<std::string>& parameters,
                               Engine engine = Engine::kModel) {
  const BlockRow& row = FindBlock(name);
  return row.make(ChooseParameters(row, parameters), engine, {});
}

std::string Answer(AnyBlock* block, std::string_view text, uint64_t drain = 0) {
  return Respond(ParseStimulus(text, "in.csv", block->inputs()), drain, block);
}

// The error of a stimulus for an lrr_tb_scheduler of three SMs, or another block.
std::string ErrorOf(std::string_view text, const std::string& name = "lrr_tb_scheduler",
                    const std::vector<std::string>& parameters = {"NumSm=3"}) {
  const auto block = Make(name, parameters);
  try {
    ParseStimulus(text, "in.csv", block->inputs());
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
    return error.what();
  }
  return "";
}

TEST(Stimulus, ShowsOutputsBeforeTheEdgeThatTakesTheInputs) {
  const auto fifo = Make("fifo", {});
  EXPECT_EQ(Answer(fifo.get(), "push,data,pop\n1,0x2a,0\n0,0,0\n0,0,1\n", 1),
            "valid,data\n0,-\n1,0x2a\n1,0x2a\n0,-\n");
}

TEST(Stimulus, TakesCommentsSpacesEmptyLinesAndBothNumberForms) {
  const auto fifo = Make("fifo", {});
  EXPECT_EQ(Answer(fifo.get(), "# a fifo\n\n push , data # the ports\r\n1, 42\r\n\n0,0 # wait\n"),
            "valid,data\n0,-\n1,0x2a\n");
}

TEST(Stimulus, SetsOneLaneOfAColumn) {
  const auto block = Make("outstanding_tbs", {"NumSm=3"});
  EXPECT_EQ(Answer(block.get(), "issue[2],done[0],done[2]\n1,0,0\n0,0,1\n0,0,0\n0,0,0\n0,0,0\n"),
            "none,adding\n1,0\n0,1\n0,1\n0,1\n1,0\n");
}

TEST(Stimulus, SetsAllLanesOfAColumn) {
  const auto block = Make("outstanding_tbs", {"NumSm=3"});
  // Two TBs begin, one and one end: none is left.
  EXPECT_EQ(Answer(block.get(), "issue,done\n6,0\n0,2\n0,4\n0,0\n0,0\n0,0\n"),
            "none,adding\n1,0\n0,1\n0,1\n0,1\n0,1\n1,0\n");
}

TEST(Stimulus, TreatsMissingColumnsAsZero) {
  const auto fifo = Make("fifo", {});
  EXPECT_EQ(Answer(fifo.get(), "push\n1\n0\n"), "valid,data\n0,-\n1,0x0\n");
}

TEST(Stimulus, ReadsNumbersOf128Bits) {
  const auto block = Make("paver_group_dispatcher", {"NumSm=1"});
  const Stimulus stimulus = ParseStimulus(
      "fetch_data\n0x10000000000000002000000000000003\n"
      "340282366920938463463374607431768211455\n",
      "in.csv", block->inputs());
  EXPECT_EQ(stimulus.rows, 2u);
}

TEST(Stimulus, ReadsAPortOfAnyWidthAsOneColumn) {
  const auto block = Make("lrr_tb_scheduler", {"NumSm=256"});
  const std::string last = "0x8" + std::string(63, '0');  // SM 255
  const Stimulus stimulus =
      ParseStimulus("tb_ready,start\n" + last + ",1\n", "in.csv", block->inputs());
  ApplyRow(stimulus, 0, block.get());
  const auto port = static_cast<uint32_t>(
      std::ranges::find(block->inputs(), "tb_ready", &AnyPort::name) - block->inputs().begin());
  for (uint32_t sm = 0; sm < 256; ++sm) {
    EXPECT_EQ(block->Input(port, sm)[0], sm == 255 ? 1u : 0u) << sm;
  }
  EXPECT_EQ(
      ErrorOf("tb_ready\n0x1" + std::string(64, '0') + "\n", "lrr_tb_scheduler", {"NumSm=256"}),
      "in.csv:2:1: '0x1" + std::string(64, '0') +
          "' is too wide: expected at most 256 bits for tb_ready");
}

TEST(Stimulus, NamesPlaceAndExpectationOfBadInput) {
  EXPECT_EQ(ErrorOf(""),
            "in.csv:1:1: no header: expected the names of inputs, separated by commas");
  EXPECT_THAT(ErrorOf("# c\nstart, clock\n"),
              testing::StartsWith("in.csv:2:8: unknown column 'clock': expected one of start "));
  EXPECT_EQ(ErrorOf("tb_ready[3]\n"),
            "in.csv:1:1: column 'tb_ready[3]': expected tb_ready[0] to tb_ready[2]");
  EXPECT_EQ(ErrorOf("tb_ready[\n"),
            "in.csv:1:1: column 'tb_ready[': expected tb_ready[0] to tb_ready[2]");
  EXPECT_EQ(ErrorOf("tb_ready[1x]\n"),
            "in.csv:1:1: column 'tb_ready[1x]': expected tb_ready[0] to tb_ready[2]");
  EXPECT_EQ(ErrorOf("tb_ready[1],tb_ready\n"),
            "in.csv:1:13: column 'tb_ready' is there already: expected each input once");
  EXPECT_EQ(ErrorOf("start,tb_count\n1\n"),
            "in.csv:2:1: a row of 1 values: expected 2, as many as columns");
  EXPECT_EQ(ErrorOf("start\n1,2\n"),
            "in.csv:2:3: a row of 2 values: expected 1, as many as columns");
  EXPECT_EQ(ErrorOf("start\n2\n"), "in.csv:2:1: '2' is too wide: expected at most 1 bit for start");
  EXPECT_EQ(ErrorOf("tb_count\n0\n0x20000\n"),
            "in.csv:3:1: '0x20000' is too wide: expected at most 17 bits for tb_count");
  EXPECT_EQ(ErrorOf("tb_ready\n8\n"),
            "in.csv:2:1: '8' is too wide: expected at most 3 bits for tb_ready");
  EXPECT_EQ(ErrorOf("start\nyes\n"),
            "in.csv:2:1: 'yes': expected a number for start, decimal or 0x, of at most 1 bit");
  EXPECT_EQ(ErrorOf("start,busy\n"), ErrorOf("start,busy"));
}

TEST(BlockRegistry, RefusesWhatIsNoBlockOrNoParameter) {
  const auto error = [](std::string_view name, const std::vector<std::string>& parameters) {
    try {
      Make(name, parameters);
    } catch (const Error& caught) {
      EXPECT_EQ(caught.kind(), ErrorKind::kBadInput);
      return std::string(caught.what());
    }
    return std::string();
  };
  EXPECT_THAT(
      error("warp_drive", {}),
      testing::StartsWith("unknown block 'warp_drive': expected one of paver_tb_scheduler"));
  EXPECT_EQ(
      error("fifo", {"Height=3"}),
      "parameter 'Height=3': fifo has no such parameter, expected one of Width, Depth, as N=V");
  EXPECT_EQ(error("fifo", {"Depth"}), "parameter 'Depth': expected Depth=NUMBER");
  EXPECT_EQ(error("fifo", {"Depth=x"}), "parameter 'Depth=x': expected Depth=NUMBER");
  EXPECT_EQ(error("fifo", {"Depth=0"}), "fifo with Depth=0: expected 1 to 256");
  EXPECT_EQ(error("lrr_tb_scheduler", {"IdWidth=24"}),
            "lrr_tb_scheduler with IdWidth=24: expected 16 or 32");
}

}  // namespace stimulus_test
}  // namespace flagstone
