// Gate level: a mapped netlist beside its RTL in Icarus, under the same inputs.
#ifndef FLAGSTONE_SYNTH_REPLAY_H_
#define FLAGSTONE_SYNTH_REPLAY_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "synth/mapping.h"
#include "synth/stimulus.h"

namespace flagstone {

struct Replay {
  uint64_t cycles = 0;
  uint64_t compared = 0;          // output bits that the RTL defines
  uint64_t differences = 0;       // of these
  std::string first;              // "cycle 12: tb_valid_o[3] is 0, expected 1", or ""
  uint64_t operations = 0;        // bits set in the block's operation, over all cycles
  std::vector<uint64_t> changes;  // of each net, where asked for
};

// A netlist and its RTL begin in different states where reset leaves registers alone; outputs are
// compared where the RTL's are defined, before each rising edge. Registers of the RTL start
// undefined, the netlist's as 0. Writes bench.v, models.v, netlist.v, stimulus.mem and, for
// `count_changes`, changes.vcd into `folder`. Throws kInternal when Icarus is missing or fails.
Replay ReplayNetlist(const SynthBlock& block, const MappedBlock& mapped, const CellLibrary& library,
                     const NetStimulus& stimulus, bool count_changes,
                     const std::filesystem::path& folder);

}  // namespace flagstone

#endif  // FLAGSTONE_SYNTH_REPLAY_H_
