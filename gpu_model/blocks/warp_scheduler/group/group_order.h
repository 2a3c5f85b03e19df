// Orders that know which TBs are a group (PAVER), for comparison with group_warp_scheduler.h.
//
// How far a warp is, is told by its loads and stores: each warp has a counter of those that it has
// issued more than the slowest warp of its group. Once all warps of a group have one, one is taken
// off; a TB that comes later begins level with the slowest. Rules:
//   kTurn    warps of a group in turn.
//   kBehind  the warp that is furthest behind; of equal ones the one that issued last, else the
//            oldest.
//   kAge     greedy then oldest, where a warp is as old as its group.
// All but kAge stay with a group as long as one of its warps can issue, then go on with the oldest
// group that has such a warp. A group is as old as its oldest TB that lives. A TB without a group
// is one by itself.
//
// So that no warp starves, each `patience`-th issue belongs to the warps in turn by their slots: a
// warp that can issue does so within `num_warps` * `patience` issues.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_WARP_SCHEDULER_GROUP_GROUP_ORDER_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_WARP_SCHEDULER_GROUP_GROUP_ORDER_H_

#include <array>
#include <cstdint>
#include <vector>

#include "gpu_model/blocks/warp_scheduler/descriptor.h"
#include "gpu_model/blocks/warp_scheduler/warp_queue.h"
#include "gpu_model/blocks/warp_scheduler/warp_scheduler_model.h"

namespace flagstone {

struct GroupOrderConfig {
  enum class Rule : uint8_t { kTurn, kBehind, kAge };
  Rule rule = Rule::kTurn;
  uint32_t num_warps = 48;  // 2 to 64
  uint32_t tb_slots = 8;    // 2 to 32: TBs that are told apart
  uint32_t patience = 256;  // issues; 0: no warp has a turn of its own
};

class GroupOrder {
 public:
  static constexpr bool kEligibleOnly = false;

  explicit GroupOrder(const GroupOrderConfig& config) : config_(config) {}

  uint32_t Next(const WarpSchedulerIn& in);
  bool Quiescent() const { return !changed_; }

 private:
  using Rule = GroupOrderConfig::Rule;
  static constexpr uint32_t kMostTbs = 32;

  struct Tb {
    WarpMask warps = 0;  // that began in one cycle, and live
    uint32_t group = 0;
  };

  void Level();
  void CountIssue(const WarpSchedulerIn& in);
  uint32_t Choose(WarpMask eligible);
  uint32_t InTurn(WarpMask warps);
  uint32_t OfGroup(WarpMask warps) const;
  void Start(const WarpSchedulerIn& in);
  // The slot of the TB of a warp that lives.
  uint32_t TbOf(uint32_t warp) const;
  WarpMask WarpsOfGroup(uint32_t tb) const;  // that of the TB in this slot
  uint32_t OldestOf(WarpMask warps) const;   // or kNoWarp
  // Those of `warps`, of which there is one, with the smallest counter.
  WarpMask Slowest(WarpMask warps) const;

  GroupOrderConfig config_;
  bool changed_ = false;
  std::array<Tb, kMostTbs> tbs_ = {};
  WarpQueue by_age_;         // slots of TBs, oldest first
  uint32_t last_ = kNoWarp;  // the warp that issued last, and lives
  std::array<uint32_t, kMaxWarps> ahead_ = {};
  uint32_t issues_ = 0;  // since the last turn
  uint32_t turn_ = 0;    // behind the warp that had the last turn
};

const std::vector<WarpSchedulerDescriptor>& GroupDescriptors();

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_WARP_SCHEDULER_GROUP_GROUP_ORDER_H_
