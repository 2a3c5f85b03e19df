// Verilog models of a library's cells, from what the Liberty file says they do.
#ifndef FLAGSTONE_SYNTH_CELL_MODELS_H_
#define FLAGSTONE_SYNTH_CELL_MODELS_H_

#include <string>
#include <vector>

#include "synth/cell_library.h"
#include "synth/ram_macro.h"

namespace flagstone {

// A Liberty expression ("(A1 & A2)'", "!(A*B + C)", "A B") as Verilog. Throws kBadInput, quoting
// it, when it is none.
std::string ToVerilogExpression(const std::string& liberty);

// A module for each cell whose function is known, without delays. `zeroed`: registers begin with 0,
// so that a netlist has no undefined values where the simulator knows them.
std::string CellModels(const CellLibrary& library, bool zeroed = true);

// The macros, likewise.
std::string MacroModels(const std::vector<RamMacro>& macros);

}  // namespace flagstone

#endif  // FLAGSTONE_SYNTH_CELL_MODELS_H_
