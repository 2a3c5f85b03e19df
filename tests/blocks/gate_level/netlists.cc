#include "tests/blocks/gate_level/netlists.h"

#include "base/file.h"
#include "base/paths.h"
#include "synth/cell_models.h"
#include "synth/synth.h"
#include "synth/yosys.h"
#include "systemc/cosim/verilate.h"

namespace flagstone {
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
  const auto file = scratch.path() / (top + ".v");
  WriteFileAtomically(file, CellModels(library, /*zeroed=*/false) + MacroModels(mapped.macros) +
                                ToVerilogModule(mapped.netlist));
  return VerilateFile(top, file);
}

}  // namespace flagstone
