// What stood at the inputs of a block in each cycle of a window.
#ifndef FLAGSTONE_SYNTH_STIMULUS_H_
#define FLAGSTONE_SYNTH_STIMULUS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "synth/netlist.h"

namespace flagstone {

struct NetStimulus {
  // The netlist's input bits, less the clock, in the order of its ports.
  std::vector<std::string> inputs;
  // A character ('0' or '1') for each input; a row for each cycle.
  std::vector<std::string> rows;
};

// Two cycles of reset, then `cycles` of random bits (SplitMix64), each 1 in a half, a quarter or an
// eighth of the cycles.
NetStimulus RandomStimulus(const Netlist& netlist, size_t cycles, uint64_t seed);

// The window of a wave that `flagstone run --wave` has written: cycle after cycle, the inputs of
// the block as they stood at the clock's fall. Throws kBadInput when the file is no wave, or has
// not all of the block's inputs.
NetStimulus ReadWave(const std::string& file, const Netlist& netlist);

}  // namespace flagstone

#endif  // FLAGSTONE_SYNTH_STIMULUS_H_
