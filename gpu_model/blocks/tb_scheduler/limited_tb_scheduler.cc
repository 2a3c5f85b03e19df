#include "gpu_model/blocks/tb_scheduler/limited_tb_scheduler.h"

namespace flagstone {

void LimitedTbScheduler::Begin(const TbSchedulerIn& in) {
  next_id_ = 0;
  count_ = in.queue_count;
  limit_ = in.settings[0] & 0xff;
  running_ = {};  // none runs, or a reset forgets them
}

void LimitedTbScheduler::Issued(const SmMask& issue) {
  ForEachSm(issue, [this](uint32_t sm) { ++running_[sm]; });
}

void LimitedTbScheduler::Completed(const SmMask& done) {
  ForEachSm(done, [this](uint32_t sm) { --running_[sm]; });
}

SmMask LimitedTbScheduler::SmsWithRoomFor(uint32_t tbs) const {
  SmMask mask = {};
  for (uint32_t sm = 0; sm < num_sms(); ++sm) {
    if (running_[sm] + tbs <= limit_) SetBit(&mask, sm);
  }
  return mask;
}

uint32_t LimitedTbScheduler::TakeIds(uint32_t tbs) {
  const uint32_t id = next_id_;
  next_id_ += tbs;
  return id;
}

}  // namespace flagstone
