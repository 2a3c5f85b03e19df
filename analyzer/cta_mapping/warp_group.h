// How many warps should go first in each loop of a kernel (Liu, Liu, Wang, Algorithm 2 and
// equations 7 and 8).
//
// The paper changes two constraints of an algorithm that stands in another publication, and does
// not repeat it. What it says is kept: warp ids run on over the borders of TBs along the direction
// of the mapping, a group is named only where min(xi, theta) is below the warps of as many TBs as
// the longest reuse distance has. What xi and theta are is our assumption:
//   xi     warps from the first to the last that touch one line, the farthest pair of each array;
//          the least of all arrays that have such a pair
//   theta  warps, in a row, whose lines of one trip through the loop fit in the L1 together
#ifndef FLAGSTONE_ANALYZER_CTA_MAPPING_WARP_GROUP_H_
#define FLAGSTONE_ANALYZER_CTA_MAPPING_WARP_GROUP_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "analyzer/address/address_form.h"
#include "analyzer/cta_mapping/assignment.h"
#include "kernels/launch/kernel_launch.h"

namespace flagstone {

struct WarpGroupRequest {
  // kRoundRobin: TBs that follow one another on an SM share nothing, and warps of one TB are
  // counted alone, as without the mapping.
  CtaDirection direction = CtaDirection::kRoundRobin;
  int64_t reuse_distance = 0;   // the longest, in TBs
  uint32_t resident_warps = 0;  // of an SM: a group of all of them is none
  uint64_t l1_bytes = 0;
  uint64_t line_bytes = 128;
};

struct WarpGroup {
  static constexpr uint32_t kNoLoop = ~uint32_t{0};
  // Why there is no group; kNone where there is one. kAllFit: all warps
  // with reuse, or all of the SM, would be in it.
  enum class Reason : uint8_t { kNone, kNoLoads, kNoReuse, kAllFit, kTooMany };

  uint32_t loop = kNoLoop;   // index in AddressAnalysis::loops; kNoLoop: the code outside of loops
  int line = 0;              // of the PTX file, where the caller knows it
  uint32_t reuse_warps = 0;  // xi; 0: no two warps touch one line
  uint32_t fitting_warps = 0;  // theta
  bool fits_more = false;      // more than those that were looked at fit
  uint32_t bound = 0;          // warps of a TB, times the reuse distance
  uint32_t size = 0;           // warps that go first; 0: none goes before the others
  Reason reason = Reason::kNoLoads;
};
std::string_view ToString(WarpGroup::Reason reason);

// The code outside of loops first, then each loop in the order of `analysis`. Loads with affine
// addresses count, in TBs in the midst of the grid; loops around the one in question stand at a
// middle trip, those in it are gone through.
std::vector<WarpGroup> FindWarpGroups(const AddressAnalysis& analysis, const KernelLaunch& launch,
                                      const WarpGroupRequest& request);

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_CTA_MAPPING_WARP_GROUP_H_
