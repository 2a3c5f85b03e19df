// The blocks whose RTL was Verilated with the program.
#ifndef FLAGSTONE_SYSTEMC_BODIES_PREBUILT_BLOCKS_H_
#define FLAGSTONE_SYSTEMC_BODIES_PREBUILT_BLOCKS_H_

#include <span>
#include <string_view>

#include "systemc/bodies/block_abi.h"

namespace flagstone {

struct PrebuiltBlock {
  std::string_view top;         // the RTL module
  std::string_view parameters;  // "NumSm=15 IdWidth=16"
  const BlockAbi* abi;
};

// Generated from the list in rtl/CMakeLists.txt.
std::span<const PrebuiltBlock> PrebuiltBlocks();

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_BODIES_PREBUILT_BLOCKS_H_
