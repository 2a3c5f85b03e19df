#include "gpu_model/blocks/tb_scheduler/paver/tb_queue.h"

namespace flagstone {

uint16_t TbQueue::Waiting() const {
  if (!held_) return 0;
  return static_cast<uint16_t>(tail_ / id_bytes_ - next_ / id_bytes_);
}

void TbQueue::Reset() { held_ = valid_ = fetching_ = false; }

void TbQueue::Stop(bool answered) {
  held_ = valid_ = false;
  if (answered) fetching_ = false;
}

void TbQueue::Load(const TbGroup& group) {
  next_ = group.first;
  tail_ = group.last;
  held_ = true;
}

void TbQueue::GrantFetch() { fetching_ = true; }

void TbQueue::TakeId(uint32_t id) {
  tb_id_ = id;
  valid_ = true;
  fetching_ = false;
}

void TbQueue::Issue() {
  valid_ = false;
  held_ = Waiting() != 0;
  next_ += id_bytes_;
}

void TbQueue::KeepUpTo(uint64_t last) { tail_ = last; }

}  // namespace flagstone
