// Where the lanes of a warp are in a kernel's blocks, when they run it together and part at
// branches.
#ifndef FLAGSTONE_ANALYZER_ADDRESS_LANE_PATHS_H_
#define FLAGSTONE_ANALYZER_ADDRESS_LANE_PATHS_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/ptx/control_flow.h"

namespace flagstone {

class LanePaths {
 public:
  // Lanes at one block.
  struct Group {
    ptx::BlockId block = ptx::kNoBlock;
    uint32_t lanes = 0;  // lane 0 in bit 0
  };

  void Clear() { groups_.clear(); }
  // These lanes are at `block` now, with those that are there already. At ptx::kNoBlock they are
  // through.
  void Go(ptx::BlockId block, uint32_t lanes) {
    if (block == ptx::kNoBlock || lanes == 0) return;
    const auto before = [](const Group& group, ptx::BlockId of) { return group.block > of; };
    const auto at = std::lower_bound(groups_.begin(), groups_.end(), block, before);
    if (at != groups_.end() && at->block == block) {
      at->lanes |= lanes;
    } else {
      groups_.insert(at, {block, lanes});
    }
  }
  bool Done() const { return groups_.empty(); }
  // Takes out the lanes that are furthest back in the kernel's text: so those that parted run on
  // together as soon as they are at the same place.
  Group Take() {
    const Group last = groups_.back();
    groups_.pop_back();
    return last;
  }

 private:
  std::vector<Group> groups_;  // by block, the last one first
};

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_ADDRESS_LANE_PATHS_H_
