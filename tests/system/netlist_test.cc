// `flagstone synth --netlist`: cells that stand in the RTL's place.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/file.h"
#include "tests/system/command.h"

namespace flagstone {
namespace netlist_test {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// Drives a FIFO of 4 bytes at random and prints its outputs; what a FIFO that holds nothing shows
// as data means nothing.
constexpr char kBench[] = R"(
module bench;
  reg clk = 0, rst_n = 0, push = 0, pop = 0;
  reg [7:0] data_in = 0;
  wire valid;
  wire [7:0] data;
  int seed = 7, held = 0;
  fifo u_dut (.clk_i(clk), .rst_ni(rst_n), .push_i(push), .data_i(data_in), .pop_i(pop),
              .valid_o(valid), .data_o(data));
  initial begin
    for (int cycle = 0; cycle < 300; cycle++) begin
      #5 if (cycle > 3) $display("%b %h", valid, valid ? data : 8'd0);
      held = held + push - pop;
      #5 clk = 1;
      #5 clk = 0;
      rst_n = cycle > 2;
      push = rst_n && held < 4 && ($random(seed) & 1);
      pop = rst_n && held > 0 && ($random(seed) & 1);
      data_in = $random(seed);
    end
  end
endmodule
)";

std::string Simulate(const ScratchFolder& scratch, const std::string& files) {
  const CommandResult run =
      RunShell(fmt::format("iverilog -g2012 -s bench -o '{0}' '{1}' {2} && vvp -n '{0}'",
                           scratch.File("sim"), scratch.File("bench.sv"), files));
  EXPECT_EQ(run.exit_code, 0) << run.err;
  return run.out;
}

TEST(Netlist, AnswersAsTheRtlDoesThroughTheSamePorts) {
  const ScratchFolder scratch;
  WriteFileAtomically(scratch.File("bench.sv"), kBench);
  const std::string netlist = scratch.File("fifo.v");
  const CommandResult synth = RunFlagstone(fmt::format("synth fifo -q --netlist '{}'", netlist));
  ASSERT_EQ(synth.exit_code, 0) << synth.err;
  EXPECT_THAT(ReadFile(netlist), StartsWith("// fifo Width=8 Depth=4, mapped for 700 MHz"));
  const std::string rtl = Simulate(scratch, "rtl/common/fifo.sv");
  const std::string cells =
      Simulate(scratch, fmt::format("'{}' '{}'", netlist, scratch.File("fifo_cells.v")));
  EXPECT_EQ(cells, rtl);
  EXPECT_GT(std::count(rtl.begin(), rtl.end(), '1'), 100);
}

TEST(Netlist, IsOfOneBlock) {
  const CommandResult synth = RunFlagstone("synth fifo lru_of_4 --netlist none.v");
  EXPECT_EQ(synth.exit_code, 2);
  EXPECT_THAT(synth.err, HasSubstr("--netlist: expected the name of one block"));
}

}  // namespace netlist_test
}  // namespace flagstone
