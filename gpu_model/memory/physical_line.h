// The numbers of lines behind the L1s of a machine of several nodes.
#ifndef FLAGSTONE_GPU_MODEL_MEMORY_PHYSICAL_LINE_H_
#define FLAGSTONE_GPU_MODEL_MEMORY_PHYSICAL_LINE_H_

#include <cstdint>

#include "gpu_model/memory/packet.h"

namespace flagstone {

// Lines of buffers: the node that is their home, then the place in its memory. 2^26 lines are the
// 8 GiB of a node; 32 nodes fill the numbers below 2^31.
inline constexpr uint32_t kHomeShift = 26;
inline constexpr LineNumber kNodeLines = LineNumber{1} << kHomeShift;
// From here on lie local memory, parameters and code (gpu_model/sm/address_spaces.h), of which
// every node has its own: they are at home where they are asked for.
inline constexpr LineNumber kPrivateLines = LineNumber{1} << 31;

inline LineNumber PhysicalLine(uint32_t home, LineNumber in_home) {
  return home << kHomeShift | in_home;
}
inline bool IsPrivate(LineNumber line) { return line >= kPrivateLines; }
// Of a line that is not private.
inline uint32_t HomeOf(LineNumber line) { return line >> kHomeShift; }
inline LineNumber InHome(LineNumber line) { return line & (kNodeLines - 1); }

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_MEMORY_PHYSICAL_LINE_H_
