// One streaming multiprocessor: TB slots, warp table, issue and execute stages, memory path and
// writeback, wired to one clock.
#ifndef FLAGSTONE_GPU_MODEL_SM_SM_CORE_H_
#define FLAGSTONE_GPU_MODEL_SM_SM_CORE_H_

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "base/clocked.h"
#include "gpu_model/memory/packet.h"
#include "gpu_model/sm/execute_stage.h"
#include "gpu_model/sm/issue_stage.h"
#include "gpu_model/sm/load_log.h"
#include "gpu_model/sm/memory_path.h"
#include "gpu_model/sm/sm_setup.h"
#include "gpu_model/sm/tb_log.h"
#include "gpu_model/sm/tb_slots.h"
#include "gpu_model/sm/warp_table.h"
#include "gpu_model/sm/writeback.h"
#include "gpu_model/stats/sm_statistics.h"

namespace flagstone {

class SmCore final : public Clocked, public PacketSink {
 public:
  // `in_chip`: counts the SMs of the chip.
  SmCore(const SmSetup& setup, uint32_t in_chip);

  void Connect(PacketPort* requests) { memory_.Connect(requests); }
  // Writes down when each TB begins and ends; the log has a slot per TB slot.
  void KeepLog(TbLog* log) { tbs_.KeepLog(log); }
  void KeepLoads(LoadLog* log) { execute_.KeepLoads(log); }
  // Counts by pc; an element for each instruction.
  void CountLoads(std::vector<LoadCounts>* counts) { memory_.CountLoads(counts); }

  // As MemoryPath's: what read-only caches hold.
  std::vector<TagArray> ReadOnly() const { return memory_.ReadOnly(); }
  void Keep(const std::vector<TagArray>& read_only) { memory_.Keep(read_only); }

  bool CanAccept() const override { return memory_.CanAccept(); }
  void Accept(const Packet& packet) override;

  void Sample(uint64_t now) override;
  void Commit(uint64_t now) override;
  bool NothingToCommit() const override;
  void PreloadSample(uint64_t now) const override;
  void PreloadCommit() const override;
  void Abandon() override { execute_.Flush(); }
  uint64_t NextWork(uint64_t now) const override;
  bool Drained() const override;
  std::string Leftover() const override;

  // Under a LoopSample: whether all live warps wait at the gap; how many do, and their TBs; they go
  // on so many cycles after they came.
  bool AllWait() const { return execute_.AllWait(); }
  uint32_t waiting_warps() const {
    return static_cast<uint32_t>(std::popcount(execute_.Waiting()));
  }
  std::vector<ThreadBlock*> WaitingTbs();
  uint64_t FirstWaiting() const { return execute_.FirstWaiting(); }
  void ReleaseAfter(uint64_t cycles) { execute_.ReleaseAfter(cycles); }
  const LoopCounts& loop_counts() const { return execute_.loop_counts(); }

  uint64_t fault_cycles() const { return memory_.fault_cycles(); }
  uint64_t last_progress() const { return last_progress_; }  // cycle of an issue or a reply
  uint64_t warp_instructions() const { return execute_.warp_instructions(); }
  uint64_t thread_instructions() const { return execute_.thread_instructions(); }
  uint64_t completed() const { return tbs_.completed(); }
  // Of the cycles before this one.
  L1Statistics L1(uint64_t cycles) const { return memory_.data().L1Before(cycles); }
  const PrefetchUnit* prefetch() const { return memory_.prefetch(); }  // null: there is none
  // Of a launch that took so many cycles.
  SmStatistics Statistics(uint64_t cycles) const;
  // Adds "sm0 warp 3 (TB 5, matmul.ptx:57): scoreboard" for up to `room` live warps.
  void DescribeWaiting(size_t room, std::vector<std::string>* lines) const;

 private:
  uint64_t last_progress_ = 0;
  const uint32_t id_;  // in the GPU
  const Program& program_;
  TbSlots tbs_;
  WarpTable warps_;
  Writeback writeback_;
  MemoryPath memory_;
  ExecuteStage execute_;
  IssueStage issue_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_SM_SM_CORE_H_
