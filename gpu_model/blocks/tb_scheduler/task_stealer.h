// PAVER's task stealer (section 5.2, Algorithm 2) as a scan of one SM a cycle.
// The model of rtl/paver/paver_task_stealer.sv.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_TASK_STEALER_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_TASK_STEALER_H_

#include <cstdint>

#include "gpu_model/blocks/tb_scheduler/sm_mask.h"

namespace flagstone {

struct Steal {
  uint16_t count = 0;  // TBs that change hands; 0: none
  uint32_t donor = 0;
  uint32_t thief = 0;
};

class TaskStealer {
 public:
  // `id_bytes` decides how many bits the sum has, and with them how long a division takes.
  TaskStealer(uint32_t num_sms, uint32_t id_bytes);

  // 16-bit ids: what waits anywhere are different ids, so that their number fits in 16 bits.
  static uint32_t SumBits(uint32_t num_sms, uint32_t id_bytes);

  void Clear();

  bool Idle() const { return step_ == Step::kIdle; }
  // A candidate would start a scan, if stealing is enabled.
  bool Armed() const { return Idle() && !ended_; }
  // The SM whose queue Tick looks at in this cycle, or kNoSm.
  uint32_t Observed() const;
  // In this cycle the last steal is reported: the one that Tick has returned a cycle ago.
  bool Reporting() const { return step_ == Step::kReport; }

  // One cycle. `enabled`: stealing is on and all groups are handed out. `candidates`: SMs without
  // a group and with a free context. `waiting`: Algorithm 2's WaitingTB of the queue Observed()
  // before its issue of this cycle; `left`: after it. A steal with count > 0 is to be carried out
  // in this cycle.
  Steal Tick(bool enabled, const SmMask& candidates, uint16_t waiting, uint16_t left);

 private:
  enum class Step : uint8_t { kIdle, kScan, kDivide, kCount, kCommit, kReport };

  void StartScan();
  void Scan(uint16_t waiting);

  uint32_t num_sms_;
  uint32_t sum_bits_;
  Step step_ = Step::kIdle;
  bool ended_ = false;        // nothing waits anywhere: there will be nothing to steal again
  uint32_t cycle_ = 0;        // in this step
  uint32_t first_thief_ = 0;  // where round-robin goes on
  uint32_t thief_ = 0;
  uint32_t donor_ = 0;
  uint16_t max_ = 0;
  uint32_t sum_ = 0;
  uint16_t count_ = 0;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_TASK_STEALER_H_
