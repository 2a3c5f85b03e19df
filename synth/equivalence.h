// Formal equivalence of a mapped netlist with its RTL, by Yosys and abc.
//
// Both sides are cut at what they store: flip-flops, latches, RAM macros. The state becomes inputs,
// the next state outputs, and abc proves that each output is the same function on both sides. What
// holds the same RTL signal is the same state; a register that the netlist does without is a
// constant or another's double there, and stays so in the RTL. If both sides begin with equal
// states, and each step leads to equal states, their outputs are equal in all cycles. Resets are
// inputs of the next states, and nothing has an initial value: what reset leaves alone may begin
// as the constant.
#ifndef FLAGSTONE_SYNTH_EQUIVALENCE_H_
#define FLAGSTONE_SYNTH_EQUIVALENCE_H_

#include <cstdint>
#include <filesystem>
#include <string>

#include "synth/mapping.h"

namespace flagstone {

struct Equivalence {
  uint64_t points = 0;    // next states and outputs that are compared
  bool proven = false;    // all of them
  std::string different;  // where not: one that differs, or what abc says
};

// The RTL as Yosys reads it, without its optimisations, against `mapped`: the netlist with all its
// buffers. A register behind a clock gate counts as one with an enable, which it is: the gate's
// latch passes the enable that stands before the edge. Writes gold.blif and gate.blif into
// `folder`. Throws kInternal when Yosys or abc is missing or fails, when the netlist stores what
// the RTL does not, or when it reads a net that nothing drives.
Equivalence ProveEquivalence(const SynthBlock& block, const CellLibrary& library,
                             const MappedBlock& mapped, const std::filesystem::path& folder);

}  // namespace flagstone

#endif  // FLAGSTONE_SYNTH_EQUIVALENCE_H_
