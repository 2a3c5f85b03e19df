// Counts the TBs that run. The model of rtl/common/outstanding_tbs.sv.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_COMMON_RUNNING_TBS_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_COMMON_RUNNING_TBS_H_

#include <cstdint>

#include "gpu_model/blocks/sm_mask.h"

namespace flagstone {

// Issued and not yet completed. What a cycle brings counts two cycles later.
class RunningTbs {
 public:
  // No TB runs, and nothing is to be added.
  bool None() const { return count_ == 0 && !Adding(); }
  // The last two cycles brought something.
  bool Adding() const { return events_ != 0; }

  void Tick(const SmMask& issue, const SmMask& done) {
    count_ = static_cast<uint16_t>(count_ + CountSms(issue) - CountSms(done));
    events_ = (events_ << 1 | (Any(issue) || Any(done) ? 1 : 0)) & 3;
  }

 private:
  uint16_t count_ = 0;
  uint32_t events_ = 0;  // bit 0: in the last cycle; bit 1: in the one before
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_COMMON_RUNNING_TBS_H_
