// What an RTL block costs, by Yosys: generic gates and flip-flops, and the depth of its logic.
//
// The netlist is flat. State is mapped to plain D flip-flops, with enables and synchronous resets
// as gates before them, as in a cell library without special flip-flops. The logic is mapped by
// abc, for area, to two-input gates, inverters and two-way multiplexers.
#ifndef FLAGSTONE_SYNTH_SYNTH_H_
#define FLAGSTONE_SYNTH_SYNTH_H_

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "synth/blocks.h"

namespace flagstone {

struct SynthResult {
  SynthBlock block;
  uint64_t cells = 0;        // gates and flip-flops
  uint64_t flip_flops = 0;   // of these
  uint64_t logic_depth = 0;  // gates on the longest path between registers or ports
  double seconds = 0;        // wall clock
};

// Called before each block, with its position and the number of blocks.
using SynthProgress = std::function<void(const SynthBlock& block, size_t position, size_t number)>;

// The RTL is read from DataFolder()/rtl. Throws kInternal when Yosys is missing (naming the
// package) or fails on a block. An "implicitly declared" signal is a failure: Yosys makes one of a
// hierarchical reference, and silently drops the logic behind it.
std::vector<SynthResult> Synthesize(const std::vector<SynthBlock>& blocks,
                                    const SynthProgress& progress = nullptr);

// The document of schema flagstone.synth/1: quantities that need a cell library are null.
nlohmann::ordered_json ToJson(const std::vector<SynthResult>& results);

// "Yosys 0.23 (...)". Throws kInternal when it is missing.
std::string YosysVersion();

// Output bits that depend on an input bit within the cycle: none in a block behind the seam.
// `files`: Verilog sources; empty: all of DataFolder()/rtl.
std::vector<std::string> CombinationalOutputs(const SynthBlock& block,
                                              const std::vector<std::string>& files = {});

}  // namespace flagstone

#endif  // FLAGSTONE_SYNTH_SYNTH_H_
