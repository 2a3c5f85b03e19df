#include "gpu_model/blocks/tb_scheduler/cta_map/cta_map_tb_scheduler.h"

namespace flagstone {

void CtaMapTbScheduler::Begin(const TbSchedulerIn& in) {
  const auto direction = static_cast<CtaMapDirection>(in.settings[0] & 3);
  mapped_ = direction != CtaMapDirection::kRoundRobin;
  next_id_ = 0;
  count_ = in.queue_count;
  if (!mapped_) return;
  const bool x = direction == CtaMapDirection::kX;
  const uint32_t columns = in.settings[1];
  const uint32_t rows = in.settings[2];
  // A line is a row (x) or a column (y) of the grid.
  const uint32_t length = x ? columns : rows;
  const uint32_t lines = x ? rows : columns;
  const uint32_t rest = lines % num_sms() * length;
  const uint32_t step = x ? 1 : columns;
  BeginWalk({.first = uint64_t{lines / num_sms()} * length,
             .rest = rest / num_sms(),
             .extra = rest % num_sms(),
             .step = step,
             .length = x ? 0 : length,
             .jump = x ? 0 : 1 - (length - 1) * step});
  sizing_ = sizing_cycles_;
}

void CtaMapTbScheduler::Walk() {
  if (sizing_ == 0) {
    MappedTbScheduler::Walk();
  } else {
    --sizing_;
  }
}

}  // namespace flagstone
