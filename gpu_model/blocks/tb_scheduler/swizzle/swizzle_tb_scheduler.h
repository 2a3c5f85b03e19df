// TBs in bands of rows of the grid: the model of rtl/dispatch/swizzle_tb_scheduler.sv.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_SWIZZLE_SWIZZLE_TB_SCHEDULER_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_SWIZZLE_SWIZZLE_TB_SCHEDULER_H_

#include <algorithm>
#include <cstdint>

#include "gpu_model/blocks/tb_scheduler/descriptor.h"
#include "gpu_model/blocks/tb_scheduler/offering_tb_scheduler.h"

namespace flagstone {

// Band after band of settings[1] rows (the port band_rows); in a band column after column, each
// from the top. A row of the grid has settings[0] TBs (the port row_tbs; SwizzleSettings).
class SwizzleTbScheduler final : public OfferingTbScheduler {
 public:
  using OfferingTbScheduler::OfferingTbScheduler;

 private:
  void Begin(const TbSchedulerIn& in) override {
    count_ = in.queue_count;
    width_ = in.settings[0];
    band_ = std::max(in.settings[1], 1U);
    taken_ = 0;
  }
  // The k-th TB of the order, from scratch: independent of the RTL's way from one to the next.
  Offer Take(uint32_t /*sm*/) override {
    const uint64_t band_tbs = uint64_t{width_} * band_;
    const uint64_t first = taken_ / band_tbs * band_tbs;
    const uint64_t rows = std::min<uint64_t>(band_, (count_ - first) / width_);
    const uint64_t place = taken_++ - first;
    return {static_cast<uint32_t>(first + place % rows * width_ + place / rows)};
  }
  uint32_t Room() const override { return 1; }  // one issue port
  SmMask Eligible() const override { return taken_ != count_ ? all_sms() : SmMask{}; }

  uint32_t count_ = 0;
  uint32_t width_ = 1;
  uint32_t band_ = 1;
  uint64_t taken_ = 0;
};

const TbSchedulerDescriptor& SwizzleTbSchedulerDescriptor();

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_SWIZZLE_SWIZZLE_TB_SCHEDULER_H_
