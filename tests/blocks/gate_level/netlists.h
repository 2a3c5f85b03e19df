// Mapped netlists behind the seam: Verilated, with models of the library's cells.
#ifndef FLAGSTONE_TESTS_BLOCKS_GATE_LEVEL_NETLISTS_H_
#define FLAGSTONE_TESTS_BLOCKS_GATE_LEVEL_NETLISTS_H_

#include <functional>
#include <string>

#include "gpu_model/blocks/block_type.h"
#include "synth/mapping.h"
#include "systemc/cosim/block_abi.h"

namespace flagstone {

// What a test changes in a netlist before it is Verilated.
using NetlistChange = std::function<void(Netlist* netlist)>;

// Maps module `top` with these parameters, with the built-in library and for the clock that `synth`
// maps it for; `full`: with as many of abc's scripts as `synth` needs, else with the first. Mapped
// blocks and Verilated ones are kept in CacheFolder().
const BlockAbi& VerilateNetlist(const std::string& top, const RtlParameters& parameters, bool full,
                                const NetlistChange& change = nullptr);

}  // namespace flagstone

#endif  // FLAGSTONE_TESTS_BLOCKS_GATE_LEVEL_NETLISTS_H_
