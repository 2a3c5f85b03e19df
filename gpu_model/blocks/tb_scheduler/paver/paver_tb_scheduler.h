// PAVER's TB scheduler, cycle by cycle: the model of rtl/paver/paver_tb_scheduler.sv.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_PAVER_PAVER_TB_SCHEDULER_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_PAVER_PAVER_TB_SCHEDULER_H_

#include <cstdint>
#include <vector>

#include "gpu_model/blocks/tb_scheduler/descriptor.h"
#include "gpu_model/blocks/tb_scheduler/paver/fetch_port.h"
#include "gpu_model/blocks/tb_scheduler/paver/group_dispatcher.h"
#include "gpu_model/blocks/tb_scheduler/paver/steal_rule.h"
#include "gpu_model/blocks/tb_scheduler/paver/task_stealer.h"
#include "gpu_model/blocks/tb_scheduler/paver/tb_queue.h"
#include "gpu_model/blocks/tb_scheduler/ports.h"

namespace flagstone {

// The parts decide on what they hold before the edge, and change at the edge, as registers do.
class PaverTbScheduler final : public TbScheduler {
 public:
  explicit PaverTbScheduler(const TbSchedulerSize& size);

  void Reset() override;
  const TbSchedulerOut& Outputs() const override { return out_; }
  void Tick(const TbSchedulerIn& in) override;
  bool Idle(const TbSchedulerIn& in) const override {
    return out_.quiescent && !HasEvent(out_, in);
  }

 private:
  bool StealingEnabled() const {
    return out_.busy && !stopping_ && rule_.Enabled() && dispatcher_.Exhausted();
  }
  bool Finished() const;
  Steal TickStealer(const TbSchedulerIn& in);
  // A cycle of a kernel that is given up, in place of all else.
  void Drain(const TbSchedulerIn& in);
  void DropAnswer(const TbSchedulerIn& in);

  void Load(uint32_t sm, const TbGroup& group);
  void Issue(uint32_t sm);
  void CarryOut(const Steal& steal);
  void TakeAnswer(const TbSchedulerIn& in);
  void PlaceRequest(uint32_t owner);
  void ShowState();

  const uint32_t num_sms_;
  const uint32_t id_bytes_;
  std::vector<TbQueue> queues_;
  SmMask held_ = {};    // queues that hold a group
  SmMask wanted_ = {};  // queues that want a fetch
  GroupDispatcher dispatcher_;
  TaskStealer stealer_;
  StealRuleKeeper rule_;
  FetchPort port_;
  bool stopping_ = false;  // the kernel is given up
  TbSchedulerOut out_;
};

const TbSchedulerDescriptor& PaverTbSchedulerDescriptor();

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_PAVER_PAVER_TB_SCHEDULER_H_
