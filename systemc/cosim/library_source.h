// The C++ file that a block's library is compiled from.
#ifndef FLAGSTONE_SYSTEMC_COSIM_LIBRARY_SOURCE_H_
#define FLAGSTONE_SYSTEMC_COSIM_LIBRARY_SOURCE_H_

#include <filesystem>
#include <string>

namespace flagstone {

// The interface over Verilator's class, and all of its code, which lies in `build`, as one file:
// the headers cost the compiler more than the code that runs once. That is more than half of it,
// and stays unoptimised.
std::string LibrarySource(const std::filesystem::path& build);

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_COSIM_LIBRARY_SOURCE_H_
