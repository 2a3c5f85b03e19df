// Static timing of a mapped netlist, by OpenSTA.
//
// Wires: none, unless a capacitance for each pin that a net drives is given. The clock is ideal.
// Inputs come from a flip-flop, outputs go to one: a block is timed as it stands between registers.
#ifndef FLAGSTONE_SYNTH_TIMING_H_
#define FLAGSTONE_SYNTH_TIMING_H_

#include <filesystem>
#include <string>

#include "synth/cell_library.h"
#include "synth/mapping.h"

namespace flagstone {

struct Timing {
  double fmax_mhz = 0;          // 1 / (period - slack); 0 when there is no path
  double slack_ns = 0;          // of the worst path
  std::string from, to;         // registers or ports of the worst path, by their RTL names
  double default_power_uw = 0;  // OpenSTA's own, every net changing in 10 % of the cycles
};

// Writes netlist.v, timing.tcl and timing.rpt into `folder`; timing.tcl can be run again by hand.
Timing AnalyzeTiming(const MappedBlock& mapped, const CellLibrary& library, double period_ns,
                     double wire_ff, const std::filesystem::path& folder);

// "OpenSTA 2.0.17". Throws kInternal when it is missing, or of a version that is not known to work.
std::string StaVersion();

}  // namespace flagstone

#endif  // FLAGSTONE_SYNTH_TIMING_H_
