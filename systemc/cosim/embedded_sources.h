// The headers of the C++ side of a Verilated block, carried by the program itself, so that
// it can compile one where no source tree is.
#ifndef FLAGSTONE_SYSTEMC_COSIM_EMBEDDED_SOURCES_H_
#define FLAGSTONE_SYSTEMC_COSIM_EMBEDDED_SOURCES_H_

#include <span>
#include <string_view>

namespace flagstone {

struct EmbeddedSource {
  std::string_view path;  // from the root of the source tree
  std::string_view text;
};

// Generated from the list in this folder's CMakeLists.txt.
std::span<const EmbeddedSource> CosimSources();

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_COSIM_EMBEDDED_SOURCES_H_
