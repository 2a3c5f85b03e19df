// Which SMs may steal, and whether any TB runs. The model of rtl/paver/paver_steal_rule.sv.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_PAVER_STEAL_RULE_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_PAVER_STEAL_RULE_H_

#include <array>
#include <cstdint>

#include "gpu_model/blocks/sm_mask.h"
#include "gpu_model/blocks/tb_scheduler/ports.h"

namespace flagstone {

class StealRuleKeeper {
 public:
  explicit StealRuleKeeper(uint32_t num_sms) : all_sms_(FirstSms(num_sms)), idle_(all_sms_) {}

  void Reset();
  // A kernel begins, with no TB running.
  void Start(StealRule rule);
  // TBs issued to SMs and completed on SMs in this cycle.
  void Tick(const SmMask& issue, const SmMask& done);

  bool Enabled() const { return rule_ != StealRule::kOff; }
  // SMs that the rule lets steal.
  const SmMask& Allowed() const;
  // No TB runs, and the last two cycles brought none and ended none.
  bool NoneRuns() const { return idle_ == all_sms_ && !Adding(); }
  // One of the last two cycles brought or ended a TB.
  bool Adding() const { return events_ != 0; }

 private:
  SmMask all_sms_;
  StealRule rule_ = StealRule::kOff;
  SmMask ended_ = {};                          // SMs on which a TB of this kernel has completed
  SmMask idle_;                                // SMs on which none runs
  std::array<uint8_t, kMaxSms> running_ = {};  // TBs of each SM
  uint32_t events_ = 0;                        // bit 0: in the last cycle; bit 1: in the one before
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_PAVER_STEAL_RULE_H_
