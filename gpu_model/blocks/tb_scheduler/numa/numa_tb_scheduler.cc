#include "gpu_model/blocks/tb_scheduler/numa/numa_tb_scheduler.h"

namespace flagstone {

void NumaTbScheduler::Begin(const TbSchedulerIn& in) {
  words_ = in.settings;
  left_ = in.queue_count;
  id_ = words_[0];
  in_run_ = in_line_ = 0;
}

OfferingTbScheduler::Offer NumaTbScheduler::Take(uint32_t /*sm*/) {
  const uint32_t taken = id_;
  --left_;
  ++in_run_;
  ++in_line_;
  if (in_run_ == words_[1]) {
    id_ += words_[5];
    in_run_ = in_line_ = 0;
  } else if (in_line_ == words_[3]) {
    id_ += words_[4];
    in_line_ = 0;
  } else {
    id_ += words_[2];
  }
  return {taken};
}

}  // namespace flagstone
