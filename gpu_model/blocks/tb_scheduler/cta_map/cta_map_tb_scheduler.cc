#include "gpu_model/blocks/tb_scheduler/cta_map/cta_map_tb_scheduler.h"

namespace flagstone {

void CtaMapTbScheduler::Begin(const TbSchedulerIn& in) {
  const TbSettings& words = in.settings;
  mapped_ = (words[0] & 1) != 0;
  next_id_ = 0;
  count_ = in.queue_count;
  if (!mapped_) return;
  BeginWalk({.first = words[1],
             .rest = words[4],
             .extra = words[5] & 0xff,
             .step = words[6],
             .length = words[7],
             .jump = words[8]});
}

}  // namespace flagstone
