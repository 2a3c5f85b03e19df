#include "tests/gate_level/netlists.h"

#include <set>

#include "base/file.h"
#include "base/paths.h"
#include "synth/cell_models.h"
#include "synth/synth.h"
#include "synth/yosys.h"
#include "systemc/bodies/verilate_on_demand.h"

namespace flagstone {
namespace {

// The RTL's ports around a netlist, which has one port for each bit.
std::string WithVectors(const Netlist& netlist, const std::string& inner) {
  std::string ports, connections;
  std::set<std::string> seen;
  for (const NetlistPort& port : netlist.ports) {
    const std::string index = port.width == 1 ? "" : fmt::format("[{}]", port.bit);
    connections += fmt::format("{}\n    .{}({}{})", connections.empty() ? "" : ",",
                               Escaped(port.name), port.base, index);
    if (!seen.insert(port.base).second) continue;
    ports += fmt::format("{}\n  {} [{}:0] {}", ports.empty() ? "" : ",",
                         port.input ? "input" : "output", port.width - 1, port.base);
  }
  return fmt::format("module {} ({});\n  {} u_netlist ({});\nendmodule\n", netlist.top, ports,
                     inner, connections);
}

}  // namespace

const BlockAbi& VerilateNetlist(const std::string& top, const RtlParameters& parameters, bool full,
                                const NetlistChange& change) {
  static const CellLibrary library = ReadCellLibrary("");
  SynthBlock block = SelectSynthBlocks({top}).front();
  block.parameters.clear();
  for (const RtlParameter& parameter : parameters) {
    block.parameters.push_back({parameter.name, parameter.value});
  }
  const ScratchFolder scratch;
  MappedBlock mapped = full
                           ? ReadMapped(block, library, Synthesize({block}, library).front().folder)
                           : MapBlock(block, library, 1000 / block.clock_mhz, scratch.path());
  if (change) change(&mapped.netlist);
  const std::string vectors = WithVectors(mapped.netlist, top + "_netlist");
  mapped.netlist.top += "_netlist";
  const auto file = scratch.path() / (top + ".v");
  WriteFileAtomically(file, CellModels(library, /*zeroed=*/false) + MacroModels(mapped.macros) +
                                ToVerilog(mapped.netlist) + vectors);
  return VerilateFile(top, file);
}

}  // namespace flagstone
