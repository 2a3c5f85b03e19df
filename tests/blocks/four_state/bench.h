// The bench that plays vectors (vectors.cc) to a block, in Verilog that Icarus 11 takes.
#ifndef FLAGSTONE_TESTS_BLOCKS_FOUR_STATE_BENCH_H_
#define FLAGSTONE_TESTS_BLOCKS_FOUR_STATE_BENCH_H_

#include <string>

#include "systemc/cosim/block_registry.h"

namespace flagstone {

// Prints it. `registers`: a file with the path of a register with reset in each line.
void PrintBench(const BlockRow& row, const std::string& registers, const RtlParameters& parameters);

}  // namespace flagstone

#endif  // FLAGSTONE_TESTS_BLOCKS_FOUR_STATE_BENCH_H_
