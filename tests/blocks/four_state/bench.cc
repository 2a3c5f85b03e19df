#include "tests/blocks/four_state/bench.h"

#include <fmt/core.h>

#include <fstream>
#include <vector>

namespace flagstone {
namespace {

uint32_t AllBits(const std::vector<AnyPort>& ports) {
  uint32_t bits = 0;
  for (const AnyPort& port : ports) bits += port.width * port.lanes;
  return bits;
}

}  // namespace

void PrintBench(const BlockRow& row, const std::string& registers,
                const RtlParameters& parameters) {
  const auto block = row.make(parameters, Engine::kModel, {});
  std::string values, ports, reports, state;
  for (const RtlParameter& p : parameters) {
    values += fmt::format("{}.{}({})", values.empty() ? "" : ", ", p.name, p.value);
  }
  uint32_t offset = 1;
  for (const AnyPort& port : block->inputs()) {
    const uint32_t bits = port.width * port.lanes;
    ports += fmt::format("    .{}_i(in[{} +: {}]),\n", port.name, offset, bits);
    offset += bits;
  }
  offset = 0;
  for (const AnyPort& port : block->outputs()) {
    const uint32_t bits = port.width * port.lanes;
    ports += fmt::format("    .{}_o(got[{} +: {}]),\n", port.name, offset, bits);
    reports += fmt::format(
        "        if ((got[{0} +: {1}] & care[{0} +: {1}]) !== want[{0} +: {1}])\n"
        "          $display(\"cycle %0d: {2} is %b, the model says %b where %b is 1\", cycle,\n"
        "                   got[{0} +: {1}], want[{0} +: {1}], care[{0} +: {1}]);\n",
        offset, bits, port.name);
    offset += bits;
  }
  std::ifstream file(registers);
  for (std::string path; std::getline(file, path);) {
    state += fmt::format("{}dut.{}", state.empty() ? "" : ", ", path);
    reports += fmt::format(
        "        if (^dut.{0} === 1'bx) $display(\"cycle %0d: register {0} is %b\", cycle, "
        "dut.{0});\n",
        path);
  }
  if (state.empty()) state = "1'b0";
  fmt::print(R"(// Written by four_state_vectors.
module four_state_bench;
  reg clk = 0;
  reg [{0}:0] in;
  reg [{1}:0] want, care;
  wire [{1}:0] got;
  integer file, cycle;
  reg [8191:0] name;
  {2} #({3}) dut (
    .rst_ni(in[0]),
{4}    .clk_i(clk)
  );
  initial begin
    if (!$value$plusargs("vectors=%s", name)) $finish;
    file = $fopen(name, "r");
    cycle = 0;
    while ($fscanf(file, "%b %b %b", in, want, care) == 3) begin
      #5;
      if ((got & care) !== want || (in[0] === 1'b1 && ^{{{6}}} === 1'bx)) begin
{5}        $finish;
      end
      clk = 1;
      #5 clk = 0;
      cycle = cycle + 1;
    end
    if (cycle > 0 && $feof(file)) $display("PASSED %0d cycles", cycle);
    $finish;
  end
endmodule
)",
             AllBits(block->inputs()), AllBits(block->outputs()) - 1, row.name, values, ports,
             reports, state);
}

}  // namespace flagstone
