#include "synth/replay.h"

#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <unordered_map>

#include "base/error.h"
#include "base/file.h"
#include "base/subprocess.h"
#include "synth/cell_models.h"
#include "synth/yosys.h"

namespace flagstone {
namespace {

namespace fs = std::filesystem;

std::string FindTool(const char* name) {
  const auto path = FindProgram(name);
  if (!path) {
    ThrowInternal("gate-level simulation needs Icarus Verilog: install the package 'iverilog'");
  }
  return path->string();
}

// Connections of the RTL's ports to slices of vectors that hold one bit for each port bit. Bits of
// a port stand side by side, in order.
std::string Bench(const SynthBlock& block, const Netlist& netlist, size_t rows,
                  bool count_changes) {
  size_t inputs = 0, outputs = 0;
  std::string rtl, gates, names;
  std::set<std::string> seen;
  std::map<std::string, std::string> slice_of;  // by port
  bool clocked = false;
  for (const NetlistPort& port : netlist.ports) {
    const std::string comma = gates.empty() ? "" : ",\n    ";
    if (port.name == "clk_i") {
      clocked = true;
      gates += comma + ".clk_i(clk)";
      rtl += (rtl.empty() ? "" : ", ") + std::string(".clk_i(clk)");
      continue;
    }
    const size_t bit = port.input ? inputs++ : outputs++;
    gates +=
        fmt::format("{}.{}({}[{}])", comma, Escaped(port.name), port.input ? "in" : "net_out", bit);
    if (!port.input) {
      names += fmt::format(
          "      {}: $display(\"first cycle %0d: {} is %b, expected %b\", cycle, "
          "net_out[{}], rtl_out[{}]);\n",
          bit, port.name, bit, bit);
    }
    if (!seen.insert(port.base).second) continue;
    const std::string slice = fmt::format("[{} +: {}]", bit, port.width);
    slice_of[port.base] = (port.input ? "in" : "net_out") + slice;
    rtl += fmt::format("{}.{}({}{})", rtl.empty() ? "" : ", ", port.base,
                       port.input ? "in" : "rtl_out", slice);
  }
  std::string parameters;
  for (const SynthParameter& parameter : block.parameters) {
    parameters +=
        fmt::format("{}.{}({})", parameters.empty() ? "" : ", ", parameter.name, parameter.value);
  }
  std::string operation = "0";
  if (!block.operation.empty()) {
    operation.clear();
    std::istringstream words{std::string(block.operation)};
    for (std::string word; words >> word;) {
      operation += slice_of.contains(word) ? slice_of[word] : word;
    }
  }
  return fmt::format(R"(`timescale 1ns/1ps
module bench;
  reg clk = 0;
  reg [{0}:0] in = 0;
  reg [{0}:0] rows [0:{2}];
  wire [{1}:0] rtl_out, net_out;
  wire [127:0] operation = {9};  // Icarus 11 miscounts the ones of an expression
  integer cycle, bit_index, compared = 0, differences = 0, operations = 0;
  {3} #({4}) u_rtl ({5});
  {3}_netlist u_netlist (
    {6});
  initial begin
    $readmemb("stimulus.mem", rows);
    {7}
    for (cycle = 0; cycle < {8}; cycle = cycle + 1) begin
      in = rows[cycle];
      #5;
      operations = operations + $countones(operation);
      for (bit_index = 0; bit_index <= {1}; bit_index = bit_index + 1) begin
        if (rtl_out[bit_index] === 1'b0 || rtl_out[bit_index] === 1'b1) begin
          compared = compared + 1;
          if (rtl_out[bit_index] !== net_out[bit_index]) begin
            if (differences == 0) case (bit_index)
{10}            endcase
            differences = differences + 1;
          end
        end
      end
      clk = {11};
      #5 clk = 0;
    end
    $display("compared %0d differences %0d operations %0d", compared, differences, operations);
    $finish;
  end
endmodule
)",
                     inputs == 0 ? 0 : inputs - 1, outputs - 1, rows - 1, block.name, parameters,
                     rtl, gates,
                     count_changes ? "$dumpfile(\"changes.vcd\"); $dumpvars(1, u_netlist);" : "",
                     rows, operation, names, clocked ? "1" : "0");
}

// Changes between 0 and 1 of each net; from and to undefined ones do not count.
std::vector<uint64_t> CountChanges(const fs::path& file, const Netlist& netlist) {
  std::unordered_map<std::string, uint32_t> net_of_name;
  for (const NetlistPort& port : netlist.ports) {
    if (port.input) net_of_name.emplace(port.name, port.net);
  }
  std::vector<uint64_t> changes(netlist.nets.size(), 0);
  std::vector<char> value(netlist.nets.size(), 'x');
  std::unordered_map<std::string, uint32_t> net_of_id;
  std::ifstream vcd(file);
  for (std::string line; std::getline(vcd, line);) {
    if (line.starts_with("$var")) {
      std::istringstream words(line);
      std::string mark, type, width, id, name;
      words >> mark >> type >> width >> id >> name;
      if (name.starts_with('\\')) name.erase(0, 1);
      const auto port = net_of_name.find(name);
      if (port != net_of_name.end()) {
        net_of_id.emplace(id, port->second);
      } else if (name.size() > 1 && name[0] == 'w' &&
                 name.find_first_not_of("0123456789", 1) == name.npos) {
        net_of_id.emplace(id, static_cast<uint32_t>(std::stoul(name.substr(1))));
      }
    } else if (!line.empty() && (line[0] == '0' || line[0] == '1')) {
      const auto net = net_of_id.find(line.substr(1));
      if (net == net_of_id.end()) continue;
      char& old = value[net->second];
      if (old != 'x' && old != line[0]) ++changes[net->second];
      old = line[0];
    }
  }
  return changes;
}

}  // namespace

Replay ReplayNetlist(const SynthBlock& block, const MappedBlock& mapped, const CellLibrary& library,
                     const NetStimulus& stimulus, bool count_changes, const fs::path& folder) {
  const std::string iverilog = FindTool("iverilog");
  const std::string vvp = FindTool("vvp");
  Netlist netlist = mapped.netlist;
  const std::string bench = Bench(block, netlist, stimulus.rows.size(), count_changes);
  netlist.top += "_netlist";
  WriteFileAtomically(folder / "netlist_only.v", ToVerilog(netlist));
  WriteFileAtomically(folder / "models.v", CellModels(library) + MacroModels(mapped.macros));
  WriteFileAtomically(folder / "bench.v", bench);
  std::string rows;
  for (const std::string& row : stimulus.rows) {
    rows.append(row.rbegin(), row.rend());  // $readmemb has the highest bit first
    rows += row.empty() ? "0\n" : "\n";
  }
  WriteFileAtomically(folder / "stimulus.mem", rows);
  std::vector<std::string> command = {iverilog,    "-g2012",  "-s",       "bench",         "-o",
                                      "bench.vvp", "bench.v", "models.v", "netlist_only.v"};
  for (const std::string& file : RtlFilesOf(block.name)) command.push_back(file);
  const ProcessResult built = RunProcess(command, folder);
  if (built.status != 0) {
    ThrowInternal("Icarus failed on {}: {}", block.name, TellingLine(built.output, "error"));
  }
  const ProcessResult run = RunProcess({vvp, "-n", "bench.vvp"}, folder);
  Replay replay;
  replay.cycles = stimulus.rows.size();
  std::istringstream lines(run.output);
  bool ended = false;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word == "first") replay.first = line.substr(6);
    if (word != "compared") continue;
    ended = true;
    words >> replay.compared >> word >> replay.differences >> word >> replay.operations;
  }
  if (run.status != 0 || !ended) {
    ThrowInternal("Icarus failed on {}: {}", block.name, TellingLine(run.output, "rror"));
  }
  if (count_changes) replay.changes = CountChanges(folder / "changes.vcd", netlist);
  return replay;
}

}  // namespace flagstone
