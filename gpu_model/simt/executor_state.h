// The executor's inside: one step of a warp.
#ifndef FLAGSTONE_GPU_MODEL_SIMT_EXECUTOR_STATE_H_
#define FLAGSTONE_GPU_MODEL_SIMT_EXECUTOR_STATE_H_

#include "gpu_model/simt/code.h"
#include "gpu_model/simt/executor.h"
#include "gpu_model/simt/thread_block_state.h"

namespace flagstone {

struct Executor::State {
  State(const Program& program, DeviceMemory* memory, uint32_t sm, uint32_t sm_count);

  const StepResult& Step(ThreadBlock::State& tb, uint32_t warp);
  void Commit();

  const simt::Inst* insts = nullptr;
  const Program::Code* code = nullptr;
  simt::Context context;
  StepResult result;
  uint64_t warp_instructions = 0;
  uint64_t thread_instructions = 0;
  uint64_t clock = 0;
  uint32_t tensor_columns = 0;  // of tensor memory that TBs of the SM have allocated
  bool own_clock = true;        // counts warp instructions until somebody sets the clock

 private:
  void Bind(ThreadBlock::State& tb, uint32_t warp);
  void SetClockLanes();
  void Branch(const simt::Inst& inst, simt::WarpState& w, LaneMask taken);
  void Exit(const simt::Inst& inst, simt::WarpState& w, LaneMask lanes);
  void WarpExited(ThreadBlock::State& tb);
  void ArriveAtBarrier(const simt::Inst& inst, ThreadBlock::State& tb, simt::WarpState& w,
                       LaneMask executed);
  void ClusterBarrier(const simt::Inst& inst, ThreadBlock::State& tb, simt::WarpState& w,
                      LaneMask executed);
  // Tells the cluster's barrier of threads that have come, or left.
  void TellCluster(const simt::Inst& inst, LaneMask lanes, bool exit);
  void RunWarpgroup(const simt::Inst& inst, ThreadBlock::State& tb, simt::WarpState& w,
                    LaneMask executed);  // warpgroup.cc
  void StartProduct(const simt::Inst& inst, ThreadBlock::State& tb, LaneMask executed);
  void CheckLeftOut(const ThreadBlock::State& tb) const;
  void RunTensorMemory(const simt::Inst& inst, ThreadBlock::State& tb, simt::WarpState& w,
                       LaneMask executed);  // run_tensor_memory.cc
  bool AllocateTensorMemory(const simt::Inst& inst, ThreadBlock::State& tb, LaneMask executed);
  void FreeTensorMemory(const simt::Inst& inst, ThreadBlock::State& tb, LaneMask executed);
  void CheckFreed(const ThreadBlock::State& tb) const;
  bool CopyBulk(const simt::Inst& inst, simt::WarpState& w, LaneMask executed);    // bulk_copy.cc
  bool CopyTensor(const simt::Inst& inst, simt::WarpState& w, LaneMask executed);  // tensor_copy.cc
  // partial_barrier.cc: whether a warp has arrived of which only these lanes have.
  bool OthersHaveLeft(const simt::Inst& inst, simt::WarpState& w, LaneMask arrived) const;
  bool OnlyExitsFrom(uint32_t pc) const;
  // lane_progress.cc: lanes of a warp that wait for each other. What returns whether the
  // instruction is done has let others run, if it is not.
  bool RunOthers(simt::WarpState& w, bool exits_too);
  bool RunExchange(simt::WarpState& w);
  void GoRound(const simt::Inst& branch, simt::WarpState& w, LaneMask active, LaneMask taken);
  bool WarpSync(const simt::Inst& inst, simt::WarpState& w, LaneMask executed);
  bool Exchange(const simt::Inst& inst, simt::WarpState& w, LaneMask executed, LaneMask guard);
  bool ComeOneByOne(const simt::Inst& inst, simt::WarpState& w, LaneMask* executed);
  template <class Joins>
  LaneMask Arrived(const simt::WarpState& w, const Joins& joins) const;
  void LetGo(simt::WarpState& w, LaneMask arrived);
  void PutOff(LaneMask executed);
  LaneMask PredicateOf(const simt::Inst& inst, size_t k) const;
  uint32_t FirstLaneOf(simt::SlotId slot, LaneMask mask) const;

  simt::LaneStorage machine_lanes_;  // Base::kMachine
  const ThreadBlock::State* bound_ = nullptr;
  uint32_t bound_warp_ = 0;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_SIMT_EXECUTOR_STATE_H_
