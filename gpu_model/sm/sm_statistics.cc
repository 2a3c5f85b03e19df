// Where the cycles of an SM's warp schedulers go. Cycles that the SM sleeps through are counted
// when it wakes: nothing changes in between.
#include "gpu_model/sm/sm_core.h"

namespace flagstone {

void SmCore::CountSkipped(uint64_t now) {
  statistics_.resident_warp_cycles += live_warps_ * (now - last_sample_);
  const uint64_t skipped = now - last_sample_ - 1;
  if (skipped > 0) {
    for (Scheduler& scheduler : schedulers_) {
      Unit unit = Unit::kIntAdd;
      const IssueSlot slot = Waiting(scheduler, last_sample_ + 1, &unit);
      Count(&scheduler, slot, unit, skipped);
    }
  }
  last_sample_ = now;
}

SmStatistics SmCore::Statistics(uint64_t cycles) const {
  SmStatistics statistics = statistics_;
  const uint64_t sampled = last_sample_ + 1;  // cycles counted so far
  for (const Scheduler& scheduler : schedulers_) {
    if (sampled > cycles) {
      // The launch ended with the cycle that was sampled last, which is no longer part of it.
      --statistics[scheduler.slot];
      if (scheduler.slot == IssueSlot::kUnit) {
        --statistics.unit_waits[static_cast<size_t>(scheduler.unit)];
      }
    } else if (sampled < cycles) {
      Unit unit = Unit::kIntAdd;
      const IssueSlot slot = Waiting(scheduler, sampled, &unit);
      statistics[slot] += cycles - sampled;
      if (slot == IssueSlot::kUnit) {
        statistics.unit_waits[static_cast<size_t>(unit)] += cycles - sampled;
      }
    }
  }
  statistics.resident_warp_cycles += live_warps_ * (cycles - sampled);
  const auto counts = [](const L1Statistics& l1) {
    return ReadOnlyCacheStatistics{l1.accesses, l1.hits, l1.misses};
  };
  if (fetch_ != nullptr) statistics.instruction_cache = counts(fetch_->statistics());
  if (constants_ != nullptr) statistics.const_cache = counts(constants_->l1().statistics());
  if (textures_ != nullptr) statistics.texture_cache = counts(textures_->l1().statistics());
  statistics.warp_slot_cycles = cycles * setup_->machine->sm.max_warps;
  return statistics;
}

}  // namespace flagstone
