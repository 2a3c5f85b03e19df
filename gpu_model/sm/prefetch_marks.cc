#include "gpu_model/sm/prefetch_marks.h"

namespace flagstone {

void PrefetchMarks::Sent(uint32_t way, uint32_t pc, uint32_t warp, uint32_t tb_slot) {
  marks_[way] = {now_, pc, static_cast<uint8_t>(warp), static_cast<uint8_t>(tb_slot), true};
  ++statistics_->issued;
  ++(*by_load_)[pc].issued;
}

void PrefetchMarks::Use(uint32_t way, bool in_flight) {
  Mark& mark = marks_[way];
  mark.unused = false;
  const uint64_t distance = now_ - mark.sent;
  LoadPrefetches& load = (*by_load_)[mark.pc];
  ++statistics_->used;
  ++load.used;
  statistics_->distance.Add(distance);
  load.distance_cycles += distance;
  if (!in_flight) return;
  ++statistics_->late;
  ++load.late;
}

void PrefetchMarks::Lose(uint32_t way, uint64_t* counter) {
  marks_[way].unused = false;
  ++*counter;
  if (counter == &statistics_->early_evicted) ++(*by_load_)[marks_[way].pc].early_evicted;
}

void PrefetchMarks::EndTb(uint32_t tb_slot) {
  for (Mark& mark : marks_) {
    if (mark.tb_slot == tb_slot) mark.warp = kMaxWarps;
  }
}

}  // namespace flagstone
