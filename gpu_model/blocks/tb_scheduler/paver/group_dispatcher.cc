#include "gpu_model/blocks/tb_scheduler/paver/group_dispatcher.h"

namespace flagstone {

void GroupDispatcher::Reset() {
  left_ = 0;
  in_flight_ = 0;
  waiting_ = 0;
  first_sm_ = 0;
}

void GroupDispatcher::Start(uint64_t base, uint32_t count) {
  address_ = base;
  left_ = count;
  first_sm_ = 0;
}

void GroupDispatcher::GrantFetch() {
  address_ += 16;
  --left_;
  ++in_flight_;
}

void GroupDispatcher::TakeDescriptor(const TbGroup& group) {
  --in_flight_;
  if (group.last < group.first) return;
  groups_[(oldest_ + waiting_) % groups_.size()] = group;
  ++waiting_;
}

uint32_t GroupDispatcher::NextSm(const SmMask& held) const {
  return waiting_ == 0 ? kNoSm : PickSm(AndNot(all_sms_, held), first_sm_);
}

TbGroup GroupDispatcher::HandOut(uint32_t sm) {
  const TbGroup group = groups_[oldest_];
  oldest_ = (oldest_ + 1) % static_cast<uint32_t>(groups_.size());
  --waiting_;
  first_sm_ = (sm + 1) % num_sms_;
  return group;
}

}  // namespace flagstone
