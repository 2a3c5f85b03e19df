// The TB scheduler of one of several nodes: the model of rtl/dispatch/numa_tb_scheduler.sv.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_NUMA_NUMA_TB_SCHEDULER_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_NUMA_NUMA_TB_SCHEDULER_H_

#include <cstdint>

#include "gpu_model/blocks/tb_scheduler/descriptor.h"
#include "gpu_model/blocks/tb_scheduler/offering_tb_scheduler.h"

namespace flagstone {

// A run is a number of lines, or part of one line: its first TB, then the others in order.
// Settings: 0 the first id; 1 TBs in a run; 2 step within a line; 3 TBs in a line (0: a run has no
// lines); 4 jump at a line's end; 5 jump at a run's end. Ids are modulo 2^32. queue_count: TBs of
// the node.
class NumaTbScheduler final : public OfferingTbScheduler {
 public:
  using OfferingTbScheduler::OfferingTbScheduler;

 private:
  void Begin(const TbSchedulerIn& in) override;
  Offer Take(uint32_t sm) override;
  uint32_t Room() const override { return 1; }  // one issue port
  SmMask Eligible() const override { return left_ != 0 ? all_sms() : SmMask{}; }

  TbSettings words_ = {};
  uint32_t left_ = 0;
  uint32_t id_ = 0;
  uint32_t in_run_ = 0, in_line_ = 0;  // of the next TB
};

const TbSchedulerDescriptor& NumaTbSchedulerDescriptor();

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_NUMA_NUMA_TB_SCHEDULER_H_
