// What the TB schedulers that give each SM a fixed part of the grid have in common: chunk and
// cta_map.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_MAPPED_TB_SCHEDULER_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_MAPPED_TB_SCHEDULER_H_

#include <cstdint>
#include <vector>

#include "gpu_model/blocks/tb_scheduler/offering_tb_scheduler.h"

namespace flagstone {

// A sequence over the grid, and each SM's ranges of it. The ranges of SM s are known once the walk
// over the SMs has passed it, one SM a cycle from the second cycle on.
class MappedTbScheduler : public OfferingTbScheduler {
 public:
  explicit MappedTbScheduler(const TbSchedulerSize& size)
      : OfferingTbScheduler(size), parts_(size.num_sms) {}

 protected:
  // In TBs of the sequence: SM s has [s * first, (s + 1) * first), and after those of all SMs its
  // share of the rest: `rest` TBs, one more for each SM below `extra`.
  struct Mapping {
    uint64_t first = 0;
    uint64_t rest = 0;
    uint32_t extra = 0;
    uint32_t step = 1;    // ids from one TB of the sequence to the next,
    uint64_t length = 0;  // but after so many TBs (0: never) it goes on
    uint32_t jump = 0;    // so far from there
  };
  void BeginWalk(const Mapping& mapping);

  uint32_t TakeOf(uint32_t sm);
  SmMask SmsWithTbs() const { return with_tbs_; }
  bool Walking() const override { return walked_ <= num_sms(); }
  void Walk() override;

 private:
  struct Range {
    uint64_t begin = 0, end = 0;  // in the sequence
  };
  struct Part {
    Range first, rest;
  };
  uint32_t IdAt(uint64_t place) const;

  Mapping mapping_;
  uint32_t walked_ = 0;  // cycles; the first finds SM 0's share, the others set an SM's ranges
  std::vector<Part> parts_;
  SmMask with_tbs_ = {};
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_MAPPED_TB_SCHEDULER_H_
