// One streaming multiprocessor: TB slots, warps, warp schedulers, pipes, load/store unit, L1.
#ifndef FLAGSTONE_GPU_MODEL_SM_SM_CORE_H_
#define FLAGSTONE_GPU_MODEL_SM_SM_CORE_H_

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gpu_model/blocks/warp_scheduler/ports.h"
#include "gpu_model/machines/machine.h"
#include "gpu_model/memory/address_map.h"
#include "gpu_model/memory/clocked.h"
#include "gpu_model/memory/packet.h"
#include "gpu_model/memory/ring.h"
#include "gpu_model/simt/executor.h"
#include "gpu_model/sm/instruction_fetch.h"
#include "gpu_model/sm/issue_units.h"
#include "gpu_model/sm/load_log.h"
#include "gpu_model/sm/load_store_unit.h"
#include "gpu_model/sm/prefetch_unit.h"
#include "gpu_model/sm/read_only_cache.h"
#include "gpu_model/sm/scoreboard.h"
#include "gpu_model/sm/tb_link.h"
#include "gpu_model/sm/tb_log.h"
#include "gpu_model/sm/victim_tags.h"
#include "gpu_model/sm/wakeup_wheel.h"
#include "gpu_model/stats/sm_statistics.h"

namespace flagstone {

// What all SMs of a run share; it must outlive them.
struct SmSetup {
  const MachineConfig* machine = nullptr;
  const Program* program = nullptr;
  DeviceMemory* memory = nullptr;
  const AddressMap* map = nullptr;
  TbLink* link = nullptr;
  uint32_t tbs_per_sm = 1;
  // The body of warp scheduler `index` of SM `sm`, after its Reset().
  std::function<std::unique_ptr<WarpScheduler>(uint32_t sm, uint32_t index)> make_warp_scheduler;
  bool victim_tags = false;   // beside the L1, for CCWS
  bool miss_classes = false;  // counted in the L1
  // The body of the prefetcher of SM `sm`, after its Reset(); none: there are no prefetches.
  std::function<std::unique_ptr<Prefetcher>(uint32_t sm)> make_prefetcher;
  PrefetchSetup prefetch;
  bool force_every_tick = false;  // never skip an idle warp scheduler
};

// A warp is ready when its next instruction has no scoreboard hazard and it waits neither for a
// barrier nor for a branch: `ready_` is kept up to date by events, so that sleeping warps cost
// nothing. The warp schedulers are blocks behind registers: the grant that each shows in a cycle
// was made from what was eligible in the cycle before. An instruction takes effect when it issues
// (the executor); timing only delays its dependants.
class SmCore final : public Clocked, public PacketSink {
 public:
  SmCore(const SmSetup& setup, uint32_t id);

  void Connect(PacketPort* requests) { requests_ = requests; }
  // Writes down when each TB begins and ends; the log has a slot per TB slot.
  void KeepLog(TbLog* log) { tb_log_ = log; }
  void KeepLoads(LoadLog* log) { load_log_ = log; }

  bool CanAccept() const override { return !replies_.full(); }
  void Accept(const Packet& packet) override;

  void Sample(uint64_t now) override;
  void Commit(uint64_t now) override;
  bool NothingToCommit() const override;
  void PrefetchCommit() const override;
  void Abandon() override { executor_.Flush(); }
  uint64_t NextWork(uint64_t now) const override;
  bool Drained() const override;
  std::string Leftover() const override;

  uint64_t last_progress() const { return last_progress_; }  // cycle of an issue or a reply
  uint64_t warp_instructions() const { return executor_.warp_instructions(); }
  uint64_t thread_instructions() const { return executor_.thread_instructions(); }
  uint64_t completed() const { return completed_; }
  const L1Statistics& l1() const { return lsu_.l1().statistics(); }
  const PrefetchUnit* prefetch() const { return prefetch_.get(); }  // null: there is none
  // Of a launch that took so many cycles: each of them counts once for each scheduler.
  SmStatistics Statistics(uint64_t cycles) const;
  // Adds "sm0 warp 3 (TB 5, matmul.ptx:57): scoreboard" for up to `room` live warps.
  void DescribeWaiting(size_t room, std::vector<std::string>* lines) const;

 private:
  struct WarpSlot {
    uint32_t pc = 0;
    uint8_t tb_slot = 0;
    uint8_t in_tb = 0;          // warp number in its TB
    uint8_t loads = 0;          // loads and atomics in flight, saturating: for messages only
    Unit unit = Unit::kIntAdd;  // of the next instruction
  };
  struct TbSlot {
    bool busy = false;
    uint32_t live_warps = 0;
    uint32_t in_flight = 0;  // results, loads and sectors of stores under way
  };
  struct Event {
    uint32_t pc = 0;
    uint8_t warp = 0;
    bool fetch = false;  // the warp's next instruction is there; else a result is written
  };

  struct Scheduler {
    std::unique_ptr<WarpScheduler> block;
    WarpSchedulerIn in;
    WarpSchedulerOut out;                         // what the block shows since its last tick
    WarpMask warps = 0;                           // its own: slot % schedulers
    std::array<uint64_t, kUnits> unit_free = {};  // first cycle in which the pipe takes another
    uint32_t busy_units = 0;                      // bit per unit that may have unit_free ahead
    IssueSlot slot = IssueSlot::kIdle;            // of the last cycle
    Unit unit = Unit::kIntAdd;                    // of kUnit
  };

  static WarpMask Bit(uint32_t warp) { return WarpMask{1} << warp; }
  void StartTb(uint32_t tb);
  void Issue(uint32_t warp, uint64_t now);
  void IssueMemory(uint32_t warp, const StepResult& step, LoadStoreUnit* unit);
  void TakeReply(const Packet& reply, uint64_t now);
  Ring<Packet>* NextMiss(Packet* packet);
  bool MissQueuesEmpty() const;
  void IssueGrants(uint64_t now);
  bool IssueGrant(Scheduler* scheduler, uint64_t now);
  void TickSchedulers(uint64_t now);
  IssueSlot Waiting(const Scheduler& scheduler, uint64_t now, Unit* unit) const;
  void Count(Scheduler* scheduler, IssueSlot slot, Unit unit, uint64_t cycles);
  void CountSkipped(uint64_t now);
  void Exit(uint32_t warp);
  void ReleaseBarrier(uint32_t tb_slot, uint64_t now);
  void Complete(uint32_t warp, uint32_t pc, uint64_t cycle, uint64_t now);
  void WriteBack(uint32_t warp, uint32_t pc);
  void SetNext(uint32_t warp);  // after an issue: the next instruction and whether it is ready
  void Recheck(uint32_t warp);  // ready or not, the next instruction being the same
  void FinishTbIfDone(uint32_t tb_slot);
  void EndStore(const Packet& store);
  void Fetched(uint32_t warp);  // its next instruction is in the instruction cache
  WarpMask Candidates(const Scheduler& scheduler, uint64_t now) const;
  Scheduler& SchedulerOf(uint32_t warp) { return schedulers_[warp % schedulers_.size()]; }
  void Later(uint64_t cycle, const Event& event);

  const uint32_t id_;
  const SmSetup* setup_;
  const uint32_t warps_per_tb_;
  Executor executor_;
  std::vector<ThreadBlock> blocks_;  // one per TB slot
  std::vector<TbSlot> tb_slots_;
  uint32_t free_slots_;
  std::vector<IssueInfo> infos_;  // per pc
  Scoreboard scoreboard_;
  LoadStoreUnit lsu_;
  // Where the machine has these caches; constants and textures have a load/store unit of their own.
  std::unique_ptr<InstructionFetch> fetch_;
  std::unique_ptr<LoadStoreUnit> constants_, textures_;
  std::unique_ptr<VictimTags> victim_tags_;
  std::unique_ptr<PrefetchUnit> prefetch_;
  WakeupWheel<Event> wheel_;
  Ring<Packet> replies_;
  PacketPort* requests_ = nullptr;

  std::array<WarpSlot, kMaxWarps> warps_ = {};
  WarpMask live_ = 0;  // warps that have not exited
  uint64_t live_warps_ = 0;
  WarpMask ready_ = 0;
  WarpMask stalled_ = 0;                     // need data from memory
  WarpMask waiting_ = 0;                     // for a branch's target or at a barrier
  WarpMask fetching_ = 0;                    // for a line of the instruction cache
  WarpMask barrier_ = 0;                     // at a barrier
  std::array<WarpMask, kUnits> wants_ = {};  // warps whose next instruction goes to the unit
  WarpMask wants_load_ = 0;                  // ... goes to global or local memory
  WarpMask leading_ = 0;                     // the first warp of each TB
  WarpMask started_ = 0;                     // in this cycle
  WarpMask finished_ = 0;                    // in this cycle
  std::vector<Scheduler> schedulers_;
  SmStatistics statistics_;
  uint64_t last_sample_ = ~uint64_t{0};  // one before cycle 0

  LaneAddresses local_addresses_ = {};
  uint64_t local_bytes_;
  bool to_commit_ = false;     // the executor has stores or text to commit
  uint32_t done_pending_ = 0;  // completed TBs not yet told, one a cycle
  TbLog* tb_log_ = nullptr;
  LoadLog* load_log_ = nullptr;
  uint64_t now_ = 0;  // of the last Sample or Commit
  uint64_t last_progress_ = 0;
  uint64_t completed_ = 0;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_SM_SM_CORE_H_
