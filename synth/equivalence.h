// Formal equivalence of a mapped netlist with its RTL, by Yosys.
#ifndef FLAGSTONE_SYNTH_EQUIVALENCE_H_
#define FLAGSTONE_SYNTH_EQUIVALENCE_H_

#include <cstdint>
#include <filesystem>

#include "synth/mapping.h"

namespace flagstone {

struct Equivalence {
  uint64_t points = 0;    // registers and outputs that are compared
  uint64_t unproven = 0;  // of these
};

// For netlists of flip-flops, clock gates and gates. A register behind a clock gate is taken for
// one with an enable, which it is: the gate's latch passes the enable that stands before the edge.
// Throws kInternal for latches and macros, and when Yosys fails.
Equivalence ProveEquivalence(const SynthBlock& block, const CellLibrary& library,
                             const std::filesystem::path& mapped_folder,
                             const std::filesystem::path& folder);

}  // namespace flagstone

#endif  // FLAGSTONE_SYNTH_EQUIVALENCE_H_
