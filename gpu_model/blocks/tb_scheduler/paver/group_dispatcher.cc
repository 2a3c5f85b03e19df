#include "gpu_model/blocks/tb_scheduler/paver/group_dispatcher.h"

namespace flagstone {

void GroupDispatcher::Reset() {
  left_ = 0;
  in_flight_ = 0;
  waiting_ = 0;
  first_sm_ = 0;
  newest_is_empty_ = false;
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
  groups_[(oldest_ + waiting_) % groups_.size()] = group;
  ++waiting_;
  newest_is_empty_ = group.last < group.first;
}

void GroupDispatcher::Drop() {
  --waiting_;
  newest_is_empty_ = false;
}

void GroupDispatcher::PopOldest() {
  oldest_ = (oldest_ + 1) % static_cast<uint32_t>(groups_.size());
  --waiting_;
}

void GroupDispatcher::Stop() {
  left_ = 0;
  if (Drops()) Drop();
  if (waiting_ != 0) PopOldest();
}

uint32_t GroupDispatcher::NextSm(const SmMask& held) const {
  const uint32_t groups = waiting_ - (Drops() ? 1 : 0);
  return groups == 0 ? kNoSm : PickSm(AndNot(all_sms_, held), first_sm_);
}

TbGroup GroupDispatcher::HandOut(uint32_t sm) {
  const TbGroup group = Oldest();
  PopOldest();
  first_sm_ = (sm + 1) % num_sms_;
  return group;
}

}  // namespace flagstone
