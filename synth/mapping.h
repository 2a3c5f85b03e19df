// From RTL to a netlist of library cells, by Yosys and abc.
//
// The netlist is flat. Registers of four and more bits with an enable get a clock gate where the
// library has one; all others and all resets are gates before plain D flip-flops. Latches come from
// table_storage_latches alone; table_storage_ram stays a macro. abc maps for the target clock, then
// buffers and sizes. Nets that drive many registers or ports get buffers last; netlist.json is
// without.
#ifndef FLAGSTONE_SYNTH_MAPPING_H_
#define FLAGSTONE_SYNTH_MAPPING_H_

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "synth/blocks.h"
#include "synth/cell_library.h"
#include "synth/netlist.h"
#include "synth/ram_macro.h"

namespace flagstone {

// A script for abc, and the share of the period that it maps for; the rest is for the registers.
struct AbcScript {
  std::string_view file;
  double share_of_period;
  // Not for larger blocks: fraig_restore looks at one output after the other, which takes minutes.
  size_t most_cells = ~size_t{0};
};
// The first for area; the others, for a block that still misses its clock, faster and larger each.
inline constexpr AbcScript kAbcScripts[] = {{"abc.script", 0.85},
                                            {"abc_lean.script", 0.8, 20000},
                                            {"abc_fast.script", 0.75, 20000},
                                            {"abc_fastest.script", 0.75}};

struct MappedBlock {
  Netlist netlist;
  std::vector<RamMacro> macros;
};

// The commands that Yosys runs in a folder that holds what MappingFiles names. They write
// netlist.json, unmapped.il (what abc begins with) and, where there are RAM macros, macros.json.
std::string MappingScript(const SynthBlock& block, const std::vector<std::string>& files,
                          const CellLibrary& library);
// The same from unmapped.il on, with another script for abc.
std::string RemappingScript(const AbcScript& abc, const CellLibrary& library);

struct NamedText {
  std::string name;
  std::string text;
};
// Cell maps, abc's scripts and constraints.
std::vector<NamedText> MappingFiles(const CellLibrary& library, double period_ns);

// Maps in `folder`, where script.ys can be run again by hand.
MappedBlock MapBlock(const SynthBlock& block, const CellLibrary& library, double period_ns,
                     const std::filesystem::path& folder);
// Maps it again for the same period, with another script for abc. It replaces netlist.json;
// script.ys does both by hand.
MappedBlock RemapBlock(const SynthBlock& block, const AbcScript& abc, const CellLibrary& library,
                       const std::filesystem::path& folder);
// What an earlier MapBlock or RemapBlock left in `folder`.
MappedBlock ReadMapped(const SynthBlock& block, const CellLibrary& library,
                       const std::filesystem::path& folder);

}  // namespace flagstone

#endif  // FLAGSTONE_SYNTH_MAPPING_H_
