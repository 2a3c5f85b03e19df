#include "gpu_model/blocks/tb_scheduler/paver_wide/wide_tb_queue.h"

namespace flagstone {

uint16_t WideTbQueue::Waiting() const {
  if (!held_) return 0;
  const uint64_t kept = valid_ && buffered_ ? 0 : 1;
  return static_cast<uint16_t>(tail_ / id_bytes_ - next_ / id_bytes_ + 1 - kept);
}

void WideTbQueue::Reset() { held_ = valid_ = fetching_ = buffered_ = false; }

void WideTbQueue::Stop(bool answered) {
  held_ = valid_ = buffered_ = false;
  if (answered) fetching_ = false;
}

void WideTbQueue::KeepUpTo(uint64_t last, bool all) {
  tail_ = last;
  if (all && valid_ && buffered_) held_ = buffered_ = false;
}

void WideTbQueue::MoveId() {
  const uint64_t at = next_ % kIdSectorBytes;
  const uint64_t word = sector_[at / 8] >> (8 * (at % 8));
  tb_id_ = static_cast<uint32_t>(id_bytes_ == 2 ? word & 0xffff : word & 0xffffffff);
  valid_ = true;
  held_ = next_ != tail_;
  buffered_ = held_ && !MoveCrosses();
  next_ += id_bytes_;
}

void WideTbQueue::Load(const TbGroup& group) {
  next_ = group.first;
  tail_ = group.last;
  held_ = true;
}

void WideTbQueue::TakeSector(const IdSector& sector) {
  sector_ = sector;
  buffered_ = true;
  fetching_ = false;
}

}  // namespace flagstone
