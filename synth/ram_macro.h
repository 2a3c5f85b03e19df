// A model of a small RAM macro with one write and one read port, in 45 nm at 1.1 V, since no memory
// compiler and no CACTI is packaged. Every figure below is an assumption built from parts:
//   bit cell: 8 transistors, for its separate read port. The 6-transistor cell is published with
//     0.346 um2 (Mistry et al., IEDM 2007) to 0.374 um2; an 8-transistor cell takes a third more
//     (Chang et al., VLSI 2005): 0.49 um2.
//   a column: write driver, precharge and keeper, one read gate for each 16 rows, output buffer:
//   the
//     area of three inverters, two NAND2 and a buffer of the cell library.
//   a row: decoder and two word-line drivers, one more pair for each 64 columns.
//   leakage: 2 nW a bit cell (high threshold), and 25 nW an um2 of periphery, as in logic.
//   energy: word line 0.35 fF a column; bit line 0.25 fF a row, half of them discharged; 3 fF a
//     column behind it; each times the voltage squared.
//   both ports are synchronous: the indices' registers are inside, with a setup time of 60 ps.
//   delay from the clock: 100 ps of the index register, 25 ps a level of the decoder, 30 ps and
//     0.06 ps a column for the word line, 30 ps and 1.5 ps a row for the bit line, 40 ps for the
//     output.
#ifndef FLAGSTONE_SYNTH_RAM_MACRO_H_
#define FLAGSTONE_SYNTH_RAM_MACRO_H_

#include <cstdint>
#include <string>
#include <vector>

#include "synth/cell_library.h"

namespace flagstone {

struct RamMacro {
  std::string module;  // the name that Yosys gave it
  uint32_t width = 0;
  uint32_t depth = 0;

  uint64_t bits() const { return uint64_t{width} * depth; }
  uint32_t index_bits() const;
  std::string cell_name() const;  // "ram_16x32": depth x width
  double area_um2() const;
  double leakage_nw() const;
  double read_energy_fj(double voltage) const;
  double write_energy_fj(double voltage) const;
  double read_delay_ns() const;  // from the clock
};

// The macros in `json`, what Yosys writes of the modules table_storage_ram with their memories.
std::vector<RamMacro> ReadRamMacros(const std::string& json);

// A library of these macros for OpenSTA: "read_index_i_0" is bit 0 of a port.
std::string ToLiberty(const std::vector<RamMacro>& macros, double voltage);

}  // namespace flagstone

#endif  // FLAGSTONE_SYNTH_RAM_MACRO_H_
