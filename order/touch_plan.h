// What each TB of a launch touches, step by step, in pieces small enough for a model of caches to
// go through many orders quickly.
//
// Data are counted in units (sectors). Of a large launch one unit in `scale` is looked at, the same
// ones for all TBs and orders: a cache whose size is divided by `scale` too sees the same fractions
// of hits (sampling in space, as in Waldspurger et al., FAST 2015). Units that are always touched
// together are one atom.
#ifndef FLAGSTONE_ORDER_TOUCH_PLAN_H_
#define FLAGSTONE_ORDER_TOUCH_PLAN_H_

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "analyzer/address/address_form.h"
#include "analyzer/locality/footprints.h"
#include "launch/kernel_launch.h"

namespace flagstone {

struct TouchRequest {
  uint32_t unit_bytes = 32;
  uint32_t most_steps = 32;              // of a loop
  uint64_t most_units = 400'000;         // looked at, of all TBs together
  const KnownAccesses* known = nullptr;  // of loads whose addresses only data tell
};

struct TouchPlan {
  static constexpr uint32_t kNoPiece = ~uint32_t{0};

  // Accesses of one stretch of the kernel that move alike from TB to TB.
  struct Group {
    uint32_t first_step = 0, steps = 1;  // of a TB
    bool is_store = false;
    std::vector<uint32_t> piece_of;  // by TB
  };
  uint32_t tbs = 0;
  uint32_t steps = 0;  // of a TB
  uint32_t scale = 1;
  std::vector<Group> groups;
  std::vector<uint32_t> turns;        // of loops, by step: 1 in straight-line code
  std::vector<uint32_t> step_begin;   // in `atoms`: of each piece's steps, and one past the last
  std::vector<uint32_t> piece_begin;  // in `step_begin`, by piece
  std::vector<uint32_t> atoms;
  std::vector<uint32_t> atom_bytes;    // scaled up
  std::vector<uint64_t> atom_address;  // of its first unit
  std::vector<bool> atom_once;         // touched by one TB in one step alone
  std::vector<SkippedLoad> skipped;
  bool shares = false;  // some atom is touched by several pieces or TBs

  std::span<const uint32_t> AtomsOf(uint32_t piece, uint32_t step) const {
    const uint32_t at = piece_begin[piece] + step;
    return {atoms.data() + step_begin[at], atoms.data() + step_begin[at + 1]};
  }
  // That these TBs together read in a turn of their loops, at most.
  uint64_t TurnBytes(std::span<const uint32_t> of) const;
  uint64_t TurnBytes() const { return TurnBytes(std::array<uint32_t, 1>{0}); }  // the first TB
};

TouchPlan PlanTouches(const AddressAnalysis& addresses, const KernelLaunch& launch,
                      const TouchRequest& request);

}  // namespace flagstone

#endif  // FLAGSTONE_ORDER_TOUCH_PLAN_H_
