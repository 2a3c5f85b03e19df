// The issue stage of an SM: which warps can issue, whom the warp schedulers grant, and where the
// schedulers' cycles go.
#ifndef FLAGSTONE_GPU_MODEL_SM_ISSUE_STAGE_H_
#define FLAGSTONE_GPU_MODEL_SM_ISSUE_STAGE_H_

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gpu_model/blocks/warp_scheduler/ports.h"
#include "gpu_model/sm/execute_stage.h"
#include "gpu_model/sm/load_watcher.h"
#include "gpu_model/sm/memory_path.h"
#include "gpu_model/sm/sm_setup.h"
#include "gpu_model/sm/warp_table.h"
#include "gpu_model/stats/sm_statistics.h"

namespace flagstone {

// The warp schedulers are blocks behind registers: the grant that each shows in a cycle was made
// from what was eligible in the cycle before.
class IssueStage {
 public:
  // `sm`: its number in the GPU.
  IssueStage(const SmSetup& setup, uint32_t sm, WarpTable* warps, MemoryPath* memory,
             ExecuteStage* execute);

  // A cycle, in this order. Counts the cycles since the last one, in which nothing has changed.
  void Begin(uint64_t now) {
    resident_warp_cycles_ += warps_->live_count() * (now - last_cycle_);
    const uint64_t skipped = now - last_cycle_ - 1;
    if (skipped > 0) CountSkipped(skipped);
    last_cycle_ = now;
  }
  // Says whether an instruction was issued.
  bool Issue(uint64_t now);
  // The warps that start in this cycle are those of the TB.
  void TbStarted(uint32_t tb) {
    if (tb_groups_.empty()) return;
    if (tb_groups_[tb] != started_group_) {
      started_number_ = (started_number_ + 1) % (1U << kStartedNumberBits);
    }
    started_group_ = tb_groups_[tb];
  }
  // The schedulers' cycle, after all that can change what a warp waits for.
  void TickSchedulers(uint64_t now, const WarpSignals& signals);

  void PreloadSample() const {
    for (const Scheduler& scheduler : schedulers_) {
      __builtin_prefetch(&scheduler);
      __builtin_prefetch(&scheduler.in);
    }
  }

  uint64_t NextWork(uint64_t now) const;
  // Of a launch that took so many cycles: each of them counts once for each scheduler.
  SmStatistics Statistics(uint64_t cycles) const;

 private:
  // A cycle of a scheduler: what became of it, and how many of its warps needed data from memory.
  enum class Waits : uint8_t { kNone, kAny, kHalf, kAll };
  struct Cycle {
    IssueSlot slot = IssueSlot::kIdle;
    Unit unit = Unit::kIntAdd;   // of kUnit
    Waits waits = Waits::kNone;  // where no warp issued
  };

  // What every cycle reads stands in its first two cache lines.
  struct alignas(64) Scheduler {
    std::unique_ptr<WarpScheduler> block;
    WarpMask warps = 0;       // its own: slot % schedulers
    WarpSchedulerOut out;     // what the block shows since its last tick
    uint32_t busy_units = 0;  // bit per unit that may have unit_free ahead
    uint32_t number = 0;
    Cycle last;
    WarpSchedulerIn in;
    std::array<uint64_t, kUnits> unit_free = {};  // first cycle in which the pipe takes another
  };

  // What the schedulers' cycle depends on, but for what they hold themselves.
  struct Inputs {
    uint64_t warps = ~uint64_t{0};  // the table's version
    uint64_t full_units = 0;
    uint64_t freeing_units = 0;
    bool operator==(const Inputs&) const = default;
  };
  Inputs InputsNow() const {
    return {warps_->version(), memory_->full_units(), memory_->freeing_units()};
  }

  bool EpochEnds(uint64_t now) const { return epoch_ != 0 && now % epoch_ == 0; }
  // `full_units`: as MemoryPath::full_units().
  WarpMask Candidates(const Scheduler& scheduler, uint64_t full_units, uint64_t now) const;
  WarpMask Candidates(const Scheduler& scheduler, uint64_t now) const {
    return Candidates(scheduler, memory_->full_units(), now);
  }
  void CountSkipped(uint64_t cycles);
  // The number of the scheduler that has the first turn in the cycle. It follows from the cycle
  // alone, so that cycles in which nothing is done cost nothing.
  size_t First(uint64_t now) const { return rotating_ ? now % schedulers_.size() : 0; }
  bool IssueFrom(Scheduler* scheduler, uint64_t now);
  // Its part of them.
  static uint32_t FullUnits(const Scheduler& scheduler, uint64_t full_units) {
    return static_cast<uint32_t>(full_units >> (MemoryPath::kOfScheduler * scheduler.number)) &
           0xffffU;
  }
  bool MayIssue(const Scheduler& scheduler, uint32_t warp, uint64_t now) const {
    return (Candidates(scheduler, now) & WarpMask{1} << warp) != 0 &&
           (memory_left_ != 0 || !warps_->next(warp).to_memory);
  }
  bool IssueGrant(Scheduler* scheduler, uint64_t now);
  void IssueWarp(Scheduler* scheduler, uint32_t warp, uint64_t now);
  void IssueByDescriptor(uint32_t warp, uint64_t now);
  void NoteLoopEntry(uint32_t warp);
  void ForgetPcs(WarpMask started);
  uint32_t SizeForEach() const;
  Cycle Waiting(const Scheduler& scheduler, uint64_t now) const;
  Waits WaitsOf(WarpMask live) const;
  void Count(Scheduler* scheduler, const Cycle& cycle, uint64_t cycles);

  WarpTable* const warps_;
  MemoryPath* const memory_;
  ExecuteStage* const execute_;
  const bool rotating_;
  const bool dual_issue_;
  const uint32_t memory_issue_;
  uint32_t memory_left_ = 0;  // of memory_issue_ in this cycle
  const bool every_tick_;
  const uint32_t max_warps_;
  const uint64_t epoch_;                       // as SmSetup::epoch
  const std::span<const uint32_t> tb_groups_;  // as SmSetup::tb_groups
  uint32_t started_group_ = 0;                 // of the TB that started last
  uint32_t started_number_ = 0;                // of this group
  // As SmSetup::group_sizes, by the pc of a loop's header; kNoSize elsewhere. Empty: there is no
  // such register.
  static constexpr uint32_t kNoSize = ~uint32_t{0};
  std::vector<uint32_t> loop_sizes_;
  std::array<uint32_t, kMaxWarps> last_pc_ = {};  // that the warp in this slot issued, and one more
  uint32_t written_size_ = kNoSize;               // in this cycle
  std::vector<Scheduler> schedulers_;
  uint64_t last_cycle_ = ~uint64_t{0};  // one before cycle 0
  // With the same inputs as in the last Issue() and the last TickSchedulers(), these have nothing
  // to do: no scheduler grants, would change without a change of its inputs, or has a busy pipe.
  bool still_ = false;
  Inputs at_issue_, at_tick_;
  uint64_t resident_warp_cycles_ = 0;
  std::array<uint64_t, 4> waits_ = {};  // scheduler cycles without an issue, by Waits
  SmStatistics statistics_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_SM_ISSUE_STAGE_H_
