// `flagstone synth --papers`: our figures beside the PAVER and CAPS papers'.
#ifndef FLAGSTONE_APP_CLI_SYNTH_REPORT_H_
#define FLAGSTONE_APP_CLI_SYNTH_REPORT_H_

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "synth/power.h"
#include "synth/synth.h"

namespace flagstone {

// What a block's netlist spends in the window of a wave.
struct WaveEnergy {
  Energy energy;
  uint64_t compared = 0;  // output bits that agree with the RTL's
  std::string kernel;     // "" for a wave from outside

  double per_cycle_pj() const { return energy.total_pj() / static_cast<double>(energy.cycles); }
  double clock_per_cycle_pj() const { return energy.clock_pj / static_cast<double>(energy.cycles); }
  // All but the clock.
  double per_operation_pj() const {
    return (energy.total_pj() - energy.clock_pj) / static_cast<double>(energy.operations);
  }
};

// Replays the wave (a file of `flagstone run --wave`) through the netlist of `result`, and sets its
// energy_pj. Throws kRunFailed when an output differs from the RTL's.
WaveEnergy MeasureWave(const std::string& wave, const CellLibrary& library, double wire_ff,
                       SynthResult* result);

// The blocks of which the papers give figures, and the whole of PAVER for 15 SMs.
std::vector<SynthBlock> ReportBlocks();

// Of each block with an operation, by its place in `results`: co-simulates syrk (PAVER) and
// laplace3d (CAPS) at test size, and measures the netlists in these waves. `progress` is told what
// begins.
std::map<size_t, WaveEnergy> MeasureReport(const CellLibrary& library, double wire_ff,
                                           std::vector<SynthResult>* results,
                                           const std::function<void(std::string_view)>& progress);

// The papers' figures (PAVER, sections 5.1 and 5.2; CAPS, section VI) beside those of the blocks.
std::string ReportText(const std::vector<SynthResult>& results,
                       const std::map<size_t, WaveEnergy>& energies);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_CLI_SYNTH_REPORT_H_
