#include "gpu_model/sm/prefetch_marks.h"

namespace flagstone {

void PrefetchMarks::Sent(uint32_t way, LineNumber line, uint32_t pc, uint32_t warp,
                         uint32_t tb_slot) {
  marks_[way] = {now_, line, pc, static_cast<uint8_t>(warp), static_cast<uint8_t>(tb_slot),
                 true, true};
  if (statistics_->issued++ == 0) first_sent_ = now_;
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
  Missed(mark.line);  // an earlier prefetch of the line may have been evicted
  if (!in_flight) return;
  ++statistics_->late;
  ++load.late;
}

void PrefetchMarks::Evict(uint32_t way) {
  Mark& mark = marks_[way];
  mark.unused = false;
  ++statistics_->early_evicted;
  ++(*by_load_)[mark.pc].early_evicted;
  Evicted& evicted = evicted_[mark.line];
  evicted.pc = mark.pc;
  ++evicted.times;
}

void PrefetchMarks::WantedLater(LineNumber line) {
  const auto found = evicted_.find(line);
  if (found == evicted_.end()) return;
  statistics_->too_early += found->second.times;
  (*by_load_)[found->second.pc].too_early += found->second.times;
  evicted_.erase(found);
}

void PrefetchMarks::EndTb(uint32_t tb_slot) {
  for (Mark& mark : marks_) {
    if (mark.tb_slot != tb_slot) continue;
    mark.warp = kMaxWarps;
    mark.tb_runs = false;
  }
}

}  // namespace flagstone
