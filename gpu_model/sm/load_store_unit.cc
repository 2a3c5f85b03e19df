#include "gpu_model/sm/load_store_unit.h"

namespace flagstone {
LoadStoreUnit::LoadStoreUnit(const SmConfig& config, uint16_t port)
    : bypass_(config.l1.global == L1Global::kBypass),
      sectors_per_cycle_(config.l1.sectors_per_cycle),
      hit_latency_(config.l1.hit_latency),
      shared_latency_(config.shared_latency),
      l1_(config.l1, port),
      queue_(config.lsu_queue),
      loads_(kMaxLoads) {
  free_loads_.reserve(kMaxLoads);
  for (uint16_t i = kMaxLoads; i > 0; --i) free_loads_.push_back(static_cast<uint16_t>(i - 1));
}

void LoadStoreUnit::Issued() {
  next_.issued = now_;
  queue_.Push(next_);
}

L1Cache::Outcome LoadStoreUnit::Request(MemoryInstruction* head, uint64_t now) {
  using Outcome = L1Cache::Outcome;
  const auto sent = [](bool done) { return done ? Outcome::kPending : Outcome::kMissQueueFull; };
  const LineNumber line = head->requests.lines[position_];
  const SectorMask sectors = head->requests.sectors[position_];
  const bool bypass = bypass_ && !head->local;
  const bool atomic = head->kind == MemoryInstruction::Kind::kAtomic;
  Outcome outcome = Outcome::kPending;
  if (head->kind == MemoryInstruction::Kind::kStore) {
    outcome = sent(bypass ? l1_.Bypass(PacketKind::kWrite, line, sectors, head->tb_slot)
                          : l1_.Store(line, sectors, head->tb_slot));
  } else {
    if (load_of_head_ == kNoLoad) {
      if (free_loads_.empty()) return Outcome::kNoLoadSlot;
      load_of_head_ = free_loads_.back();
      free_loads_.pop_back();
      loads_[load_of_head_] = {head->warp, head->pc, 1, 0, head->issued};
    }
    if (bypass) {
      outcome = sent(l1_.Bypass(atomic ? PacketKind::kAtomic : PacketKind::kUncachedRead, line,
                                sectors, load_of_head_));
    } else if (atomic) {
      outcome = sent(l1_.Atomic(line, sectors, load_of_head_));
    } else {
      if (victim_tags_ != nullptr) victim_tags_->SetRequester(head->warp);
      const size_t misses = l1_.miss_queue().size();
      outcome = l1_.Load(line, sectors, load_of_head_);
      if (prefetch_ != nullptr && head->global_load && !L1Cache::Failed(outcome)) {
        prefetch_->Requested(position_, line, l1_.miss_queue().size() > misses);
      }
    }
    if (outcome == Outcome::kPending && atomic) {
      l1_.miss_queue().back().conflicts = head->conflicts[position_];
    }
    if (outcome == Outcome::kPending) {
      // L2 answers what goes past the L1 by sectors, in one packet or several.
      loads_[load_of_head_].remaining += atomic || bypass ? SectorCount(sectors) : 1;
    }
    if (outcome == Outcome::kHit) loads_[load_of_head_].ready = now + hit_latency_ - 1;
  }
  if (!L1Cache::Failed(outcome) && SectorCount(sectors) > sectors_per_cycle_) {
    tags_free_ = now + (SectorCount(sectors) + sectors_per_cycle_ - 1) / sectors_per_cycle_;
  }
  return outcome;
}

}  // namespace flagstone
