// The global loads of one SM, in the order in which they issue.
#ifndef FLAGSTONE_GPU_MODEL_SM_LOAD_LOG_H_
#define FLAGSTONE_GPU_MODEL_SM_LOAD_LOG_H_

#include <cstdint>
#include <vector>

namespace flagstone {

struct LoadEvent {
  uint64_t cycle = 0;    // core cycle of the launch
  uint64_t address = 0;  // byte address of the lowest lane
  uint64_t tb = 0;       // linear id
  uint32_t pc = 0;
  uint8_t warp = 0;  // of the SM
};
// Kept by an SM whose user wants it.
using LoadLog = std::vector<LoadEvent>;

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_SM_LOAD_LOG_H_
