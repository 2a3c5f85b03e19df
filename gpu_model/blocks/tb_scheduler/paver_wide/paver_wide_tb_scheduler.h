// PAVER's TB scheduler with ids by the sector, cycle by cycle: the model of
// rtl/paver_wide/paver_wide_tb_scheduler.sv.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_PAVER_WIDE_PAVER_WIDE_TB_SCHEDULER_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_PAVER_WIDE_PAVER_WIDE_TB_SCHEDULER_H_

#include <cstdint>
#include <vector>

#include "gpu_model/blocks/tb_scheduler/descriptor.h"
#include "gpu_model/blocks/tb_scheduler/paver/fetch_port.h"
#include "gpu_model/blocks/tb_scheduler/paver/steal_rule.h"
#include "gpu_model/blocks/tb_scheduler/paver/task_stealer.h"
#include "gpu_model/blocks/tb_scheduler/paver_wide/wide_group_dispatcher.h"
#include "gpu_model/blocks/tb_scheduler/paver_wide/wide_tb_queue.h"
#include "gpu_model/blocks/tb_scheduler/ports.h"

namespace flagstone {

// The parts decide on what they hold before the edge, and change at the edge, as registers do.
class PaverWideTbScheduler final : public TbScheduler {
 public:
  explicit PaverWideTbScheduler(const TbSchedulerSize& size);

  void Reset() override;
  const TbSchedulerOut& Outputs() const override { return out_; }
  void Tick(const TbSchedulerIn& in) override;
  bool Idle(const TbSchedulerIn& in) const override {
    return out_.quiescent && !HasEvent(out_, in);
  }

 private:
  // Neighbours whose sectors stand in one memory, of which one id a cycle is read: the SM is picked
  // a cycle before.
  struct SectorBank {
    SmMask sms = {};
    uint32_t turn = 0;
    uint32_t picked = kNoSm;
  };
  static constexpr uint32_t kBankSms = 4;

  bool StealingEnabled() const {
    return out_.busy && !stopping_ && rule_.Enabled() && dispatcher_.Exhausted();
  }
  bool Finished() const;
  bool Moves(uint32_t sm) const { return banks_[sm / kBankSms].picked == sm; }
  Steal TickStealer(const TbSchedulerIn& in);
  // A cycle of a kernel that is given up, in place of all else.
  void Drain(const TbSchedulerIn& in);
  void DropAnswer(const TbSchedulerIn& in);

  void CarryOut(const Steal& steal);
  void MoveIds();
  void TakeAnswer(const TbSchedulerIn& in);
  void PlaceRequest(uint32_t owner);
  // The masks' bits of an SM whose queue has changed.
  void Note(uint32_t sm);
  void ShowState();

  const uint32_t num_sms_;
  const uint32_t id_bytes_;
  std::vector<WideTbQueue> queues_;
  std::vector<SectorBank> banks_;
  SmMask held_ = {};     // queues that hold a group
  SmMask wanted_ = {};   // that want a sector
  SmMask movable_ = {};  // that want an id of their sector
  SmMask rising_ = {};   // in which the TBs that wait will be more by themselves
  bool moving_ = false;  // some bank has picked an SM
  WideGroupDispatcher dispatcher_;
  TaskStealer stealer_;
  StealRuleKeeper rule_;
  FetchPort port_;
  bool stopping_ = false;  // the kernel is given up
  TbSchedulerOut out_;
};

const TbSchedulerDescriptor& PaverWideTbSchedulerDescriptor();

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_PAVER_WIDE_PAVER_WIDE_TB_SCHEDULER_H_
