// Verilates a block with parameters that the program was not built with, on first use.
#ifndef FLAGSTONE_SYSTEMC_BODIES_VERILATE_ON_DEMAND_H_
#define FLAGSTONE_SYSTEMC_BODIES_VERILATE_ON_DEMAND_H_

#include <filesystem>
#include <string>
#include <vector>

#include "base/paths.h"
#include "systemc/bodies/block_abi.h"
#include "systemc/bodies/block_type.h"

namespace flagstone {

// The interface of the shared library for module `top` with these parameters, which stays loaded.
// The library is built into CacheFolder() unless it is there already; its name holds the parameters
// and a hash of the RTL, of our C++ side, and of the versions of Verilator and the compiler. The
// RTL is read from DataFolder()/rtl; the compiler is $CXX, else c++, g++ or clang++.
// `flags` are further options of Verilator's. Throws kInternal, in one line, when a tool is missing
// or fails.
const BlockAbi& VerilateBlock(const std::string& top, const RtlParameters& parameters,
                              const std::vector<std::string>& flags = {});

// The same for module `top` of one Verilog file that holds all below it, such as a netlist; waves
// show its ports only. Calls are not remembered.
const BlockAbi& VerilateFile(const std::string& top, const std::filesystem::path& file);

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_BODIES_VERILATE_ON_DEMAND_H_
