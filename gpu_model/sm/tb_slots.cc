#include "gpu_model/sm/tb_slots.h"

namespace flagstone {

TbSlots::TbSlots(const Program& program, uint32_t slots, uint32_t sm, TbLink* link)
    : link_(link),
      sm_(sm),
      free_(slots),
      warps_per_tb_(program.launch().WarpsPerTb()),
      slots_(slots) {
  for (uint32_t i = 0; i < slots; ++i) blocks_.emplace_back(program);
  // The wire may be up already, for an SM that is made when it gets a TB: others read it meanwhile.
  if (!TestBit(link_->ready, sm_)) SetBit(&link_->ready, sm_);
}

uint32_t TbSlots::Start(uint32_t tb) {
  uint32_t slot = 0;
  while (slots_[slot].busy) ++slot;
  slots_[slot] = {true, warps_per_tb_, 0};
  --free_;
  blocks_[slot].Start(tb);
  if (log_ != nullptr) log_->Start(slot, tb, now_);
  return slot;
}

void TbSlots::FinishIfDone(uint32_t slot) {
  Slot& tb = slots_[slot];
  if (!tb.busy || tb.live_warps != 0 || tb.in_flight != 0) return;
  tb.busy = false;
  ends_->EndTb(slot);
  if (log_ != nullptr) log_->End(slot, now_);
  ++free_;
  ++untold_;
  ++completed_;
}

void TbSlots::Show() {
  const bool ready = free_ > 0;
  if (ready == TestBit(link_->ready, sm_) && untold_ == 0) return;
  if (ready) {
    SetBit(&link_->ready, sm_);
  } else {
    ClearBit(&link_->ready, sm_);
  }
  // A completion that the TB scheduler has not sampled yet holds back the next one.
  if (untold_ > 0 && !TestBit(link_->done, sm_)) {
    SetBit(&link_->done, sm_);
    --untold_;
  }
  if (link_->scheduler != nullptr) link_->scheduler->Wake();
}

}  // namespace flagstone
