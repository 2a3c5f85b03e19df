// Accesses whose addresses follow from ids and counters in no affine way, but which are the same in
// many TBs up to a shift that each axis of the grid adds to: in all TBs, as where a thread's place
// in a tile is its number by quotient and remainder, or in all inner ones, as where a field ends
// and neighbours are missing. They are evaluated in a few TBs instead of all. Internal to this
// folder.
#ifndef FLAGSTONE_APP_ORDER_SHIFTED_ACCESSES_H_
#define FLAGSTONE_APP_ORDER_SHIFTED_ACCESSES_H_

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "analyzer/address/address_form.h"
#include "analyzer/locality/footprints.h"
#include "kernels/launch/kernel_launch.h"

namespace flagstone::order {

// Accesses that move alike from TB to TB.
struct ShiftedGroup {
  TbBox tbs;  // that have them
  bool is_store = false;
  std::vector<std::vector<Range>> ranges;  // of the first TB by part, then step; sorted, disjoint
  // Of loads: the units that a part touches in a turn, of all parts and turns. Of stores: the
  // sectors that a warp writes at once, of all warps and times.
  double asked = 0;
  std::array<std::vector<int64_t>, 3> shift;  // bytes, by coordinate in the box along each axis

  int64_t BaseAt(const Dim3& tb) const {
    return shift[0][tb.x - tbs.first[0]] + shift[1][tb.y - tbs.first[1]] +
           shift[2][tb.z - tbs.first[2]];
  }
};

struct ShiftedAccesses {
  uint32_t steps = 1;  // of each group
  uint32_t turns = 1;  // of loops, in a step
  std::vector<ShiftedGroup> groups;
};

// All deterministic accesses of the launch in `steps` steps, or, where that is 0, in as many as
// their loops turn, but at most `most_steps`. Nothing where TBs differ, but for the first and last
// ones along each axis, as far as those looked at tell. A TB's warps are in `parts` runs.
std::optional<ShiftedAccesses> FindShiftedAccesses(const AddressAnalysis& addresses,
                                                   const KernelLaunch& launch, uint32_t parts,
                                                   uint32_t steps, uint32_t most_steps,
                                                   uint32_t unit_bytes);

}  // namespace flagstone::order

#endif  // FLAGSTONE_APP_ORDER_SHIFTED_ACCESSES_H_
