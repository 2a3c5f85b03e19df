#include "gpu_model/sm/load_store_unit.h"

namespace flagstone {
LoadStoreUnit::LoadStoreUnit(const SmConfig& config, uint16_t port)
    : hit_latency_(config.l1.hit_latency),
      shared_latency_(config.shared_latency),
      l1_(config.l1, port),
      queue_(config.lsu_queue),
      loads_(kMaxLoads) {
  free_loads_.reserve(kMaxLoads);
  for (uint16_t i = kMaxLoads; i > 0; --i) free_loads_.push_back(static_cast<uint16_t>(i - 1));
}

void LoadStoreUnit::Issued() { queue_.Push(next_); }

bool LoadStoreUnit::Request(MemoryInstruction* head, uint64_t now) {
  const LineNumber line = head->requests.lines[position_];
  const SectorMask sectors = head->requests.sectors[position_];
  if (head->kind == MemoryInstruction::Kind::kStore) {
    return l1_.Store(line, sectors, head->tb_slot);
  }
  if (load_of_head_ == kNoLoad) {
    if (free_loads_.empty()) return false;
    load_of_head_ = free_loads_.back();
    free_loads_.pop_back();
    loads_[load_of_head_] = {head->warp, head->pc, 1, 0};
  }
  Load& load = loads_[load_of_head_];
  if (head->kind == MemoryInstruction::Kind::kAtomic) {
    if (!l1_.Atomic(line, sectors, load_of_head_)) return false;
    ++load.remaining;
    return true;
  }
  const L1Cache::Outcome outcome = l1_.Load(line, sectors, load_of_head_);
  if (L1Cache::Failed(outcome)) return false;
  if (outcome == L1Cache::Outcome::kPending) {
    ++load.remaining;
  } else {
    load.ready = now + hit_latency_ - 1;
  }
  return true;
}

}  // namespace flagstone
