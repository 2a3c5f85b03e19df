#include "gpu_model/blocks/tb_scheduler/paver/fetch_port.h"

namespace flagstone {

void FetchPort::Reset() {
  oldest_ = 0;
  waiting_ = 0;
  first_sm_ = 0;
  picked_ = kNoOwner;
  request_valid_ = false;
}

uint32_t FetchPort::Choose(bool descriptor_wanted, bool memory_ready) const {
  if (request_valid_ && !memory_ready) return kNoOwner;
  return descriptor_wanted ? kDispatcherOwner : picked_;
}

uint32_t FetchPort::Pick(const SmMask& ids_wanted, uint32_t placed) const {
  const bool free = picked_ == kNoOwner || placed == picked_;
  return free && Any(ids_wanted) ? PickSm(ids_wanted, first_sm_) : kNoOwner;
}

void FetchPort::Answered() {
  if (++oldest_ == owners_.size()) oldest_ = 0;
  --waiting_;
}

void FetchPort::Place(uint32_t owner) {
  owners_[(oldest_ + waiting_) % owners_.size()] = owner;
  ++waiting_;
  request_valid_ = true;
  if (owner == picked_) picked_ = kNoOwner;
}

void FetchPort::TakePick(uint32_t sm) {
  picked_ = sm;
  first_sm_ = (sm + 1) % num_sms_;
}

}  // namespace flagstone
