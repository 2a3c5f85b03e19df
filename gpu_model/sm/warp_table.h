// The warps of an SM: the next instruction of each, what it waits for, and masks over all warps.
#ifndef FLAGSTONE_GPU_MODEL_SM_WARP_TABLE_H_
#define FLAGSTONE_GPU_MODEL_SM_WARP_TABLE_H_

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "gpu_model/blocks/warp_scheduler/ports.h"
#include "gpu_model/machines/machine.h"
#include "gpu_model/simt/program.h"
#include "gpu_model/sm/issue_units.h"
#include "gpu_model/sm/scoreboard.h"
#include "gpu_model/stats/sm_statistics.h"

namespace flagstone {

// A warp is ready when its next instruction has come, has no scoreboard hazard, and waits neither
// for a barrier nor for a branch. Events keep `ready` up to date, so that sleeping warps cost
// nothing.
class WarpTable {
 public:
  struct Warp {
    uint32_t pc = 0;  // of the next instruction
    uint8_t tb_slot = 0;
    uint8_t in_tb = 0;          // warp number in its TB
    uint8_t loads = 0;          // loads and atomics in flight, saturating: for messages only
    Unit unit = Unit::kIntAdd;  // of the next instruction
  };

  WarpTable(const Program& program, const SmConfig& config);

  void Begin() { started_ = finished_ = 0; }

  // The warp slot gets warp `in_tb` of the TB in `tb_slot`; SetNext() follows.
  void Start(uint32_t warp, uint32_t tb_slot, uint32_t in_tb);
  void Exit(uint32_t warp);
  // The warp goes on with the instruction at `pc`, which it has, or which is being fetched.
  void SetNext(uint32_t warp, uint32_t pc, bool fetched);
  void Fetched(uint32_t warp);

  // The warp's next instruction is not known before ControlDone(): after a branch, or at a barrier
  // before LeaveBarrier() as well.
  void AwaitControl(uint32_t warp) {
    waiting_ |= Bit(warp);
    ++version_;
  }
  void EnterBarrier(uint32_t warp) {
    barrier_ |= Bit(warp);
    ++version_;
  }
  void LeaveBarrier(uint32_t warp) {
    barrier_ &= ~Bit(warp);
    ++version_;
  }
  void ControlDone(uint32_t warp);
  // Those of `warps` that lead their TB do so no longer.
  void EndLead(WarpMask warps) {
    if ((leading_ & warps) == 0) return;
    leading_ &= ~warps;
    ++version_;
  }

  // The results of the instruction at `pc` are under way; they are there.
  void Reserve(uint32_t warp, uint32_t pc, bool from_memory) {
    scoreboard_.Reserve(warp, pc, from_memory);
  }
  void Release(uint32_t warp, uint32_t pc);

  void LoadBegins(uint32_t warp) {
    if (warps_[warp].loads < 255) ++warps_[warp].loads;
  }
  void LoadEnds(uint32_t warp) {
    if (warps_[warp].loads > 0) --warps_[warp].loads;
  }

  // Another number whenever something of what the masks below tell has changed, those of this cycle
  // alone apart.
  uint64_t version() const { return version_; }

  const Warp& operator[](uint32_t warp) const { return warps_[warp]; }
  const IssueInfo& info(uint32_t pc) const { return infos_[pc]; }
  std::span<const IssueInfo> infos() const { return infos_; }
  const IssueInfo& next(uint32_t warp) const { return infos_[warps_[warp].pc]; }
  // "memory", "barrier": what the live warp waits for; "" if it is ready.
  const char* Reason(uint32_t warp) const;

  WarpMask live() const { return live_; }  // not exited
  uint64_t live_count() const { return live_count_; }
  WarpMask ready() const { return ready_; }
  WarpMask stalled() const { return stalled_; }    // need data from memory
  WarpMask waiting() const { return waiting_; }    // for a branch's target or at a barrier
  WarpMask fetching() const { return fetching_; }  // for a line of the instruction cache
  WarpMask barrier() const { return barrier_; }
  // Whose next instruction goes to the unit; to global or local memory.
  WarpMask wants(Unit unit) const { return wants_[static_cast<uint32_t>(unit)]; }
  WarpMask wants_load() const { return wants_load_; }
  WarpMask leading() const { return leading_; }    // the first warp of each TB, before EndLead()
  WarpMask started() const { return started_; }    // in this cycle
  WarpMask finished() const { return finished_; }  // in this cycle
  void PreloadCommit() const { __builtin_prefetch(&ready_); }

 private:
  static WarpMask Bit(uint32_t warp) { return WarpMask{1} << warp; }
  // Ready or not, the next instruction being the same.
  void Recheck(uint32_t warp);

  WarpMask live_ = 0;
  uint64_t live_count_ = 0;
  uint64_t version_ = 0;
  WarpMask ready_ = 0;
  WarpMask stalled_ = 0;
  WarpMask waiting_ = 0;
  WarpMask fetching_ = 0;
  WarpMask barrier_ = 0;
  std::array<WarpMask, kUnits> wants_ = {};
  WarpMask wants_load_ = 0;
  WarpMask leading_ = 0;
  WarpMask started_ = 0;
  WarpMask finished_ = 0;
  std::vector<IssueInfo> infos_;  // per pc
  Scoreboard scoreboard_;
  std::array<Warp, kMaxWarps> warps_ = {};
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_SM_WARP_TABLE_H_
