// PAVER's task stealer (section 5.2, Algorithm 2) as a scan of one SM a cycle.
// The model of rtl/paver/paver_task_stealer.sv.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_PAVER_TASK_STEALER_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_PAVER_TASK_STEALER_H_

#include <cstdint>

#include "gpu_model/blocks/sm_mask.h"

namespace flagstone {

struct Steal {
  uint16_t count = 0;  // TBs that change hands; 0: none
  uint32_t donor = 0;
  uint32_t thief = 0;
  bool all = false;  // the donor keeps nextTB alone; an issue of it in this cycle ends its group
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
  // The tail that the queue shows in this cycle is kept.
  bool KeepsTail() const { return step_ == Step::kScan || step_ == Step::kRead; }
  // In this cycle the last steal is reported: the one that Tick has returned a cycle ago.
  bool Reporting() const { return step_ == Step::kReport; }

  // One cycle. `enabled`: stealing is on and all groups are handed out. `candidates`: SMs without
  // a group and with a free context. `waiting`: Algorithm 2's WaitingTB of the queue Observed()
  // before its issue of this cycle; `issues`: it issues a TB in this cycle. A steal with count > 0
  // is to be carried out in this cycle. `more_to_come`: the TBs that wait somewhere will be more by
  // themselves, so that none at all is not the end of stealing.
  Steal Tick(bool enabled, const SmMask& candidates, uint16_t waiting, bool issues,
             bool more_to_come = false);

 private:
  enum class Step : uint8_t {
    kIdle,
    kScan,
    kJudge,
    kDivide,
    kCount,
    kRead,
    kSubtract,
    kClamp,
    kCut,
    kCommit,
    kReport
  };
  // What the scan has read of an SM: used two cycles later.
  struct Reading {
    uint16_t waiting = 0;
    bool candidate = false;
  };

  void StartScan();
  void Scan(const Reading& reading);
  void Evaluate(uint32_t sm, const Reading& reading);

  uint32_t num_sms_;
  uint32_t sum_bits_;
  Step step_ = Step::kIdle;
  bool ended_ = false;       // nothing waits anywhere: there will be nothing to steal again
  uint32_t cycle_ = 0;       // in this step
  uint32_t last_thief_ = 0;  // round-robin goes on after it
  Reading readings_[2];      // the younger first
  uint32_t thief_ = 0;
  bool found_ = false;  // there is a thief,
  bool later_ = false;  // and it comes after last_thief_
  uint32_t donor_ = 0;
  uint16_t max_ = 0;
  uint32_t sum_ = 0;
  uint16_t count_ = 0;
  uint16_t waiting_ = 0;  // of the donor, when it was read again
  bool issued_ = false;   // the donor has issued since
  bool all_ = false;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_PAVER_TASK_STEALER_H_
