// Writes of a kernel to the register that says how many warps of an SM go first (the warp scheduler
// `programmable`).
//
// A compiler would put an instruction in front of each loop; ours costs no issue slot, and every
// warp that enters the loop executes it (assumptions). The register belongs to the SM: each
// scheduler takes its share of the size.
#ifndef FLAGSTONE_GPU_MODEL_SM_GROUP_SIZES_H_
#define FLAGSTONE_GPU_MODEL_SM_GROUP_SIZES_H_

#include <cstdint>
#include <vector>

namespace flagstone {

struct GroupSizes {
  struct Entry {
    uint32_t header_pc = 0;  // the first instruction of a loop
    uint32_t size = 0;       // warps of the SM; 0: none goes before the others
    bool operator==(const Entry&) const = default;
  };
  uint32_t at_launch = 0;
  std::vector<Entry> loops;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_SM_GROUP_SIZES_H_
