// Runs Verilator and the compiler: a design becomes a shared library with a BlockAbi.
#ifndef FLAGSTONE_SYSTEMC_COSIM_VERILATOR_BUILD_H_
#define FLAGSTONE_SYSTEMC_COSIM_VERILATOR_BUILD_H_

#include <filesystem>
#include <string>
#include <vector>

#include "systemc/cosim/verilate.h"

namespace flagstone {

struct VerilatorTools {
  std::string verilator;
  std::string compiler;
  std::string identity;  // of both, so that a library is of one pair of tools
};

// Throws kInternal, naming the package, when Verilator or a compiler is not there.
VerilatorTools FindVerilatorTools();

// What Verilator is to read.
struct VerilatedDesign {
  std::string top;
  std::string name;                            // of the library, before its hash
  std::string what;                            // for people: module and parameters
  std::vector<std::string> arguments;          // Verilator's: parameters, flags, files
  std::vector<std::filesystem::path> sources;  // all that it may read: into the key
  VerilateUse use = {};
  std::string optimise = "-O1";  // the compiler's option
};

// A hash of all that a library depends on.
std::string LibraryKey(const VerilatorTools& tools, const VerilatedDesign& design);

// Makes `library`, whole or not at all, and beside it what libraries share. Throws kInternal when a
// tool fails, with the line of its output that tells most.
void BuildLibrary(const VerilatorTools& tools, const VerilatedDesign& design,
                  const std::filesystem::path& library);

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_COSIM_VERILATOR_BUILD_H_
