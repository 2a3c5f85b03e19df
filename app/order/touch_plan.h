// What each TB of a launch touches, step by step, in pieces small enough for a model of caches to
// go through many orders quickly.
//
// Data are counted in units (sectors). Of a large launch one unit in `scale` is looked at, the same
// ones for all TBs and orders: a cache whose size is divided by `scale` too sees the same fractions
// of hits (sampling in space, as in Waldspurger et al., FAST 2015). Units that are always touched
// together are one atom. A TB whose warps no barrier holds together may be looked at in parts, each
// a run of warps.
#ifndef FLAGSTONE_APP_ORDER_TOUCH_PLAN_H_
#define FLAGSTONE_APP_ORDER_TOUCH_PLAN_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "analyzer/address/address_form.h"
#include "analyzer/locality/footprints.h"
#include "app/order/warp_requests.h"
#include "gpu_model/memory/address_map.h"
#include "kernels/launch/kernel_launch.h"

namespace flagstone {

struct TouchRequest {
  const RequestsOfAccess* requests = nullptr;  // of the launch; null: they are found
  const AddressMap* slices = nullptr;          // null: data are spread evenly
  uint32_t parts = 1;                          // of a TB
  uint32_t unit_bytes = 32;
  uint32_t most_steps = 32;              // of a loop
  uint64_t most_units = 400'000;         // looked at, of all TBs together
  const KnownAccesses* known = nullptr;  // of loads whose addresses only data tell
  // That are looked at, ascending; empty: all. Others have no pieces in the plan.
  std::vector<uint32_t> tbs;
};

struct TouchPlan {
  static constexpr uint32_t kNoPiece = ~uint32_t{0};

  // Accesses of one stretch of the kernel that move alike from TB to TB.
  struct Group {
    uint32_t first_step = 0, steps = 1;  // of a TB
    bool is_store = false;
    // Of loads: how often a part comes back to a unit in a step, turn after turn. Of stores: by how
    // much the sectors that its warps write one by one are more than the bytes of a piece.
    double repeats = 1;
    std::vector<uint32_t> piece_of;  // by TB, then part
  };
  uint32_t tbs = 0;
  uint32_t parts = 1;  // of a TB, which go through its steps each for itself
  uint32_t steps = 0;  // of a TB
  uint32_t scale = 1;
  std::vector<Group> groups;
  // The same by TB, then part: the groups of which it has a piece, one beside the other.
  struct Touched {
    uint32_t group = 0, piece = 0;
  };
  std::vector<Touched> touched;
  std::vector<uint64_t> touched_begin;  // in `touched`, and one past the last
  std::vector<uint32_t> turns;          // of loops, by step: 1 in straight-line code
  // In `touched_atoms`: of each piece's steps, and one past the last.
  std::vector<uint32_t> step_begin;
  std::vector<uint32_t> piece_begin;    // in `step_begin`, by piece
  std::vector<uint32_t> touched_atoms;  // by piece and step
  struct Atom {
    uint64_t address = 0;      // of its first unit
    uint32_t bytes = 0;        // scaled up
    uint32_t in_slices = 0;    // where its part of `slices` begins, ...
    uint16_t slice_count = 0;  // ... which is empty where it is spread over all slices of the L2
    bool once = false;         // touched by one TB in one step alone
  };
  std::vector<Atom> atoms;
  std::vector<SkippedLoad> skipped;
  // Of an atom in a few slices of the L2 alone: which, and how many of its bytes are there.
  struct InSlice {
    uint16_t slice = 0;
    float share = 0;  // of the atom
  };
  std::vector<InSlice> slices;
  bool shares = false;  // some atom is touched by several pieces or TBs

  // Fills `touched` and `touched_begin` from the groups.
  void FindTouched();
  std::span<const Touched> TouchedBy(uint32_t tb, uint32_t part) const {
    const size_t at = size_t{tb} * parts + part;
    return {touched.data() + touched_begin[at], touched.data() + touched_begin[at + 1]};
  }
  std::span<const uint32_t> AtomsOf(uint32_t piece, uint32_t step) const {
    const uint32_t at = piece_begin[piece] + step;
    return {touched_atoms.data() + step_begin[at], touched_atoms.data() + step_begin[at + 1]};
  }
};

TouchPlan PlanTouches(const AddressAnalysis& addresses, const KernelLaunch& launch,
                      const TouchRequest& request);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_ORDER_TOUCH_PLAN_H_
