#include "gpu_model/sm/prefetch_unit.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/error.h"
#include "gpu_model/sm/warp_table.h"

namespace flagstone {

PrefetchUnit::PrefetchUnit(const PrefetchSetup& setup, std::unique_ptr<Prefetcher> block,
                           uint32_t tb_slots, uint32_t warps_per_tb, const SmConfig& config,
                           bool every_tick, L1Cache* l1)
    : setup_(&setup),
      block_(std::move(block)),
      l1_(l1),
      every_tick_(every_tick),
      address_mask_(setup.addr_bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << setup.addr_bits) - 1),
      queue_(LoadStoreUnit::Places(config)),
      by_load_(setup.indirect.size()),
      marks_(config.l1.size_kib * 1024 / config.l1.line_bytes, &statistics_, &by_load_) {
  const WarpMask of_tb = warps_per_tb >= 64 ? ~WarpMask{0} : (WarpMask{1} << warps_per_tb) - 1;
  for (uint32_t slot = 0; slot < tb_slots; ++slot) {
    slot_warps_.push_back(of_tb << (slot * warps_per_tb));
  }
  for (uint32_t pc = 0; pc < by_load_.size(); ++pc) {
    by_load_[pc].pc = pc;
    by_load_[pc].indirect = setup.indirect[pc];
  }
  l1_->Connect(&marks_);
  if (setup.keep_awaited) l1_->KeepAwaited();
}

void PrefetchUnit::Begin(uint64_t now) {
  marks_.SetCycle(now);
  in_.load_valid = false;
  in_.miss_valid = false;
}

void PrefetchUnit::Issued(const MemoryInstruction& issued, const LaneAddresses& addresses,
                          uint32_t lanes) {
  const CoalescedRequests& requests = issued.requests;
  Load load{issued.pc, issued.warp, issued.tb_slot, static_cast<uint8_t>(requests.count), {}};
  // Requests are in the order of their lowest lanes.
  const uint32_t wanted = std::min(requests.count, kLoadAddresses);
  uint32_t found = 0;
  for (; lanes != 0 && found < wanted; lanes &= lanes - 1) {
    const uint64_t address = addresses[static_cast<uint32_t>(std::countr_zero(lanes))];
    if (LineOf(address) == requests.lines[found]) load.addresses[found++] = ToPort(address);
  }
  queue_.Push(load);
}

void PrefetchUnit::Requested(uint32_t position, LineNumber line, bool missed) {
  if (position == 0) {
    current_ = queue_.front();
    queue_.Pop();
    in_.load_valid = true;
    in_.load_pc = current_.pc;
    in_.load_slot = current_.tb_slot;
    in_.load_warp = current_.warp;
    in_.load_indirect = setup_->indirect[current_.pc];
    in_.load_count = current_.count;
    in_.load_addr = current_.addresses;
  }
  ++statistics_.demand_fetches;
  ++by_load_[current_.pc].demand_fetches;
  if (!missed) return;
  ++statistics_.demand_misses;
  in_.miss_valid = true;
  in_.miss_addr = ToPort(uint64_t{line} * kLineBytes);
  in_.miss_pc = current_.pc;
  in_.miss_slot = current_.tb_slot;
  in_.miss_warp = current_.warp;
}

void PrefetchUnit::EndTb(uint32_t tb_slot) {
  ended_ |= 1U << tb_slot;
  marks_.EndTb(tb_slot);
}

void PrefetchUnit::ShowLive(WarpMask live) {
  if (live == shown_live_) return;
  shown_live_ = live;
  for (size_t slot = 0; slot < slot_warps_.size(); ++slot) {
    in_.live_warps[slot] = live & slot_warps_[slot];
  }
}

void PrefetchUnit::CountDrop(L1Cache::Presence presence) {
  using Presence = L1Cache::Presence;
  if (presence == Presence::kHere) ++statistics_.dropped.present;
  if (presence == Presence::kPrefetched || presence == Presence::kDemanded) {
    ++statistics_.dropped.in_flight;
  }
  if (presence == Presence::kDemanded) ++statistics_.merged;
}

void PrefetchUnit::Enter(const PrefetcherOut& out, bool passed, bool tags_free) {
  using Outcome = L1Cache::Outcome;
  if (((in_.cta_end >> out.prefetch_slot) & 1) != 0) return;  // its TB ends in this cycle
  if (passed && setup_->trailing_only) {
    ++statistics_.dropped.passed;
    in_.prefetch_ready = true;
    return;
  }
  if (!tags_free) {
    ++statistics_.waits.demand;
    return;
  }
  const LineNumber line = LineAtPort(out.prefetch_addr);
  if (const L1Cache::Presence presence = l1_->Find(line); presence != L1Cache::Presence::kAbsent) {
    CountDrop(presence);
    in_.prefetch_ready = true;
    return;
  }
  uint32_t way = 0;
  switch (l1_->Prefetch(line, setup_->mshr_reserve, &way)) {
    case Outcome::kNoMshr:
      ++statistics_.waits.mshr;
      return;
    case Outcome::kNoWay:
      ++statistics_.waits.way;
      return;
    case Outcome::kMissQueueFull:
      ++statistics_.waits.queue;
      return;
    default:
      break;
  }
  if (out.prefetch_pc >= by_load_.size()) {
    ThrowRunFailed("the prefetcher names a load at pc {}, but the kernel has {} instructions",
                   out.prefetch_pc, by_load_.size());
  }
  marks_.Sent(way, line, static_cast<uint32_t>(out.prefetch_pc),
              setup_->wake_up ? std::min(out.prefetch_warp, kMaxWarps) : kMaxWarps,
              out.prefetch_slot);
  in_.prefetch_ready = true;
}

void PrefetchUnit::Probe(const PrefetcherOut& out) {
  const L1Cache::Presence presence = l1_->Find(LineAtPort(out.probe_addr));
  in_.probe_done = true;
  in_.probe_present = presence != L1Cache::Presence::kAbsent;
  CountDrop(presence);
}

bool PrefetchUnit::Passed(const PrefetcherOut& asked, const WarpTable& warps) {
  return asked.prefetch_valid && asked.prefetch_warp < kMaxWarps &&
         warps[asked.prefetch_warp].pc > asked.prefetch_pc;
}

void PrefetchUnit::EndCycle(const WarpTable& warps, bool tags_free, WarpSignals* signals) {
  Tick(warps.live(), Passed(block_->Outputs(), warps), tags_free || setup_->own_port);
  signals->woken = TakeWoken(warps.live());
}

void PrefetchUnit::Tick(WarpMask live, bool passed, bool tags_free) {
  ShowLive(live);
  in_.cta_end = std::exchange(ended_, 0);
  const PrefetcherOut before = block_->Outputs();
  in_.prefetch_ready = in_.probe_done = in_.probe_present = false;
  if (before.prefetch_valid) Enter(before, passed, tags_free);
  if (before.probe_valid && tags_free) Probe(before);
  if (!every_tick_ && block_->Idle(in_)) return;
  block_->Tick(in_);
  const PrefetcherOut& out = block_->Outputs();
  statistics_.throttle_events +=
      static_cast<uint32_t>(std::popcount(out.throttled & ~before.throttled));
  const bool stays = out.prefetch_valid && out.prefetch_addr == before.prefetch_addr &&
                     out.prefetch_warp == before.prefetch_warp &&
                     out.prefetch_pc == before.prefetch_pc;
  if (before.prefetch_valid && !in_.prefetch_ready && !stays) ++statistics_.dropped.withdrawn;
}

uint32_t PrefetchUnit::TakeWoken(WarpMask live) {
  const uint32_t warp = marks_.TakeArrived();
  if (warp == kMaxWarps || ((live >> warp) & 1) == 0) return kMaxWarps;
  ++statistics_.wakes;
  return warp;
}

}  // namespace flagstone
