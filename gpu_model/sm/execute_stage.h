// What an issued instruction does: its effect at once, and what it sets going.
#ifndef FLAGSTONE_GPU_MODEL_SM_EXECUTE_STAGE_H_
#define FLAGSTONE_GPU_MODEL_SM_EXECUTE_STAGE_H_

#include <array>
#include <cstdint>

#include "gpu_model/simt/executor.h"
#include "gpu_model/sm/address_unit.h"
#include "gpu_model/sm/load_log.h"
#include "gpu_model/sm/memory_path.h"
#include "gpu_model/sm/sm_setup.h"
#include "gpu_model/sm/tb_slots.h"
#include "gpu_model/sm/warp_table.h"
#include "gpu_model/sm/writeback.h"

namespace flagstone {

// An instruction takes effect when it issues (the executor); timing only delays its dependants.
class ExecuteStage {
 public:
  // `sm`: its number in the GPU.
  ExecuteStage(const SmSetup& setup, uint32_t sm, WarpTable* warps, TbSlots* tbs,
               MemoryPath* memory, Writeback* writeback);

  void KeepLoads(LoadLog* log) { load_log_ = log; }

  void StartTb(uint32_t tb);
  // What %clock reads.
  void SetClock(uint64_t now) {
    if (uses_clock_) executor_.SetClock(now);
  }
  // The warp's next instruction will issue soon.
  void Preload(uint32_t warp) const {
    ThreadBlock::Preload(program_, places_[warp], (*warps_)[warp].pc);
  }
  // The warp's next instruction issues.
  void Issue(uint32_t warp, uint64_t now);
  // How long the pipes of all schedulers take no other after the last instruction by_descriptor.
  uint32_t interval() const { return interval_; }

  // Under a LoopSample: the warps that wait at the gap, whether all live ones do, and what they
  // have done.
  WarpMask Waiting() const { return parked_ & ~due_; }
  bool AllWait() const { return Waiting() == warps_->live(); }
  const LoopCounts& loop_counts() const { return loop_counts_; }
  // When the first of them began to wait; kNever: none does.
  uint64_t FirstWaiting() const { return FirstOf(Waiting()); }
  // Warps that wait, whose gaps have been executed meanwhile, go on so many cycles after they came.
  void ReleaseAfter(uint64_t cycles) {
    due_ = parked_;
    wait_ = cycles;
  }
  void Release(uint64_t now);  // those whose time it is
  uint64_t NextRelease() const { return due_ == 0 ? kNever : FirstOf(due_) + wait_; }

  bool HasCommit() const { return to_commit_; }
  void Commit();
  void PreloadCommit() const { __builtin_prefetch(&to_commit_, 1); }
  // Writes the text that the kernel has printed.
  void Flush() { executor_.Flush(); }

  uint64_t warp_instructions() const { return executor_.warp_instructions(); }
  uint64_t thread_instructions() const { return executor_.thread_instructions(); }
  // What its warps have done, in the fields that count it.
  void AddTo(SmStatistics* statistics) const;

 private:
  void IssueMemory(uint32_t warp, const StepResult& step, uint64_t now);
  void IssueByDescriptor(uint32_t warp, const StepResult& step, uint64_t now);
  void IssueControl(uint32_t warp, const StepResult& step, uint64_t now);
  // The warp has executed the branch of the LoopSample; whether it has to wait now.
  bool Park(uint32_t warp, const StepResult& step, uint64_t now);
  uint64_t FirstOf(WarpMask parked) const;
  void ReleaseBarrier(uint32_t tb_slot, uint64_t now);
  void SetNext(uint32_t warp);

  const Program& program_;
  const uint32_t control_latency_;
  const PipeConfig& tensor_;
  const uint32_t schedulers_;
  uint32_t interval_ = 0;
  const bool always_commits_;  // what other SMs do to its TBs may wait there
  bool to_commit_;             // the executor has stores or text to commit
  WarpTable* const warps_;
  TbSlots* const tbs_;
  MemoryPath* const memory_;
  Writeback* const writeback_;
  Executor executor_;
  const bool uses_clock_;
  std::array<ThreadBlock::WarpPlace, kMaxWarps> places_ = {};  // of the warps that have begun
  const LoopSample* const loop_;
  WarpMask parked_ = 0;
  WarpMask due_ = 0;                                 // of these: those whose gap has been executed
  std::array<uint32_t, kMaxWarps> iterations_ = {};  // since the warp came to the loop
  std::array<uint64_t, kMaxWarps> parked_at_ = {};
  uint64_t wait_ = 0;  // cycles from a warp's coming to its going on
  LoopCounts loop_counts_;
  LoadLog* load_log_ = nullptr;
  std::array<uint64_t, 4> lanes_ = {};                // as SmStatistics has them, and the next ones
  std::array<uint64_t, kLaneWorks> operations_ = {};  // of kTensor in sixteenths
  uint64_t operands_ = 0;
  uint64_t shared_cycles_ = 0;
  AddressUnit address_unit_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_SM_EXECUTE_STAGE_H_
