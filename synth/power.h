// The energy that a netlist spends in a window of cycles.
#ifndef FLAGSTONE_SYNTH_POWER_H_
#define FLAGSTONE_SYNTH_POWER_H_

#include <cstdint>
#include <vector>

#include "synth/cell_library.h"
#include "synth/mapping.h"
#include "synth/replay.h"

namespace flagstone {

struct Energy {
  double internal_pj = 0;  // within cells, clock pins less
  double switching_pj =
      0;                // capacitance of the pins (and wires) that a net drives, clock nets less
  double clock_pj = 0;  // both, of clock pins and clock nets
  uint64_t cycles = 0;
  uint64_t operations = 0;

  double total_pj() const { return internal_pj + switching_pj + clock_pj; }
};

// From the changes that `replay` has counted: each spends half of C V^2 in the net's capacitance
// and the Liberty file's internal energy in the cells on it. RAM macros: their energies of a read
// for each change of an index, and of a write for each cycle with one.
Energy MeasureEnergy(const MappedBlock& mapped, const CellLibrary& library, const Replay& replay,
                     double wire_ff = 0);

}  // namespace flagstone

#endif  // FLAGSTONE_SYNTH_POWER_H_
