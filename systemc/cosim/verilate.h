// The one way from RTL to a running body: Verilated and compiled on first use, kept in the user's
// cache, loaded as a shared library.
#ifndef FLAGSTONE_SYSTEMC_COSIM_VERILATE_H_
#define FLAGSTONE_SYSTEMC_COSIM_VERILATE_H_

#include <filesystem>
#include <functional>
#include <string>

#include "base/paths.h"
#include "gpu_model/blocks/block_type.h"
#include "systemc/cosim/block_abi.h"

namespace flagstone {

// What a library is made for: it holds the code of what is asked for, and no other.
struct VerilateUse {
  bool wave = false;      // open_wave may be called
  bool coverage = false;  // counts lines and toggles; write_coverage may be called
};

// The interface of the shared library for module `top` with these parameters, which stays loaded.
// The library is made in CacheFolder() unless it is there already; its name holds the parameters
// and a hash of the RTL in the module's file list (<top>.f), of our C++ side, and of the files of
// Verilator and the compiler. One that is not whole any more is said in a line, and made again. The
// RTL is read from DataFolder()/rtl; the compiler is $CXX, else c++, g++ or clang++. Any number of
// processes may ask at the same time: one of them makes it. Throws kInternal, in one line, when a
// tool is missing or fails.
const BlockAbi& VerilateBlock(const std::string& top, const RtlParameters& parameters,
                              VerilateUse use = {});

// The same for module `top` of one Verilog file that holds all below it, such as a netlist.
// `optimise` is the compiler's option. Calls are not remembered.
const BlockAbi& VerilateFile(const std::string& top, const std::filesystem::path& file,
                             const std::string& optimise = "-O0");

// Told once for each library that has to be made, before the seconds that this takes: what is made.
// Null: nobody.
void OnVerilate(std::function<void(const std::string& what)> listener);

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_COSIM_VERILATE_H_
