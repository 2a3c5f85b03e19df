// A warp scheduler that keeps the warps of a group of TBs together: the model of
// rtl/group/group_warp_scheduler.sv. PAVER's groups share lines only while their warps are near the
// same iteration; PAVER itself leaves warps to gto.
//
// It stays with a warp until that stalls, or is a window of loads ahead and another can take over:
// of its group a warp that is not so far ahead, the oldest TB's first. Where there is none comes
// the lowest slot of all. The group is that of the warp that was granted last, told a cycle later.
//
// TBs are numbered as they begin, and are as old as their numbers from the oldest one on. A few
// slots in a row have one number, that of the TB that began last there. Numbers begin anew: where
// the next one is the oldest TB's, a TB that begins shares the last one.
//
// How far a warp is ahead, a counter of its loads and stores tells. Once all warps of the group
// have one, one is taken off each. A counter ends at its largest value, which is the window: what a
// warp does beyond is not counted.
//
// So that no warp starves, after `patience` issues one belongs to the next warp in turn that can
// issue.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_WARP_SCHEDULER_GROUP_GROUP_WARP_SCHEDULER_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_WARP_SCHEDULER_GROUP_GROUP_WARP_SCHEDULER_H_

#include <array>
#include <cstdint>

#include "gpu_model/blocks/warp_scheduler/descriptor.h"
#include "gpu_model/blocks/warp_scheduler/warp_scheduler_model.h"

namespace flagstone {

// Parameters, with the RTL's meaning.
struct GroupWarpsConfig {
  uint32_t num_warps = 48;  // 2 to 64
  uint32_t group_bits = 4;  // 1 to 8: of a group's number
  uint32_t count_bits = 3;  // 2 to 5: the window is 2^count_bits - 1 loads
  uint32_t age_bits = 3;    // 1 to 4: of a TB's number
  uint32_t age_slots = 4;   // 1 to 8: in a row, that have one number
  uint32_t patience = 256;  // 1 to 1023: issues
};

class GroupWarps {
 public:
  static constexpr bool kEligibleOnly = true;

  explicit GroupWarps(const GroupWarpsConfig& config)
      : config_(config),
        window_((1U << config.count_bits) - 1),
        last_number_((1U << config.age_bits) - 1) {}

  uint32_t Next(const WarpSchedulerIn& in);
  bool Quiescent() const { return !changed_; }

 private:
  // Whether somebody has the turn now.
  bool Turns(const WarpSchedulerIn& in, WarpMask can);
  uint32_t OldestOf(WarpMask warps) const;  // of which there is one
  void Count(const WarpSchedulerIn& in);
  bool FindOldest(WarpMask live);  // whether the number passes on
  // Of a TB; `oldest` is the number before this cycle.
  void Number(WarpMask started, uint32_t oldest);
  WarpMask WarpsWith(uint32_t group) const;

  GroupWarpsConfig config_;
  uint32_t window_;
  uint32_t last_number_;
  bool changed_ = false;
  WarpMask live_ = 0;
  WarpMask member_ = ~WarpMask{0};  // of the group, also slots whose warp has ended
  WarpMask full_ = 0;               // those that are a window ahead
  WarpMask ahead_ = 0;              // those that have a load more than the slowest of their group
  std::array<uint8_t, kMaxWarps> group_ = {};
  std::array<uint8_t, kMaxWarps> count_ = {};
  std::array<WarpMask, 16> of_number_ = {};  // slots that have it
  uint32_t oldest_ = 0;                      // the oldest TB's number
  uint32_t number_ = 0;                      // that of the TB that began last
  bool looks_ = false;                       // for the oldest, after a cycle that may move it
  uint32_t last_ = 0;                        // the warp that was granted last
  bool moved_ = false;                       // in the cycle before: its group may be another one
  uint32_t waits_ = 0;                       // issues since the last turn, up to `patience`
  uint32_t turn_ = 0;                        // whose it is next
  bool turn_granted_ = false;
};

using GroupWarpScheduler = WarpSchedulerModel<GroupWarps>;

const WarpSchedulerDescriptor& GroupWarpsDescriptor();

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_WARP_SCHEDULER_GROUP_GROUP_WARP_SCHEDULER_H_
