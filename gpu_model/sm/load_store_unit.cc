#include "gpu_model/sm/load_store_unit.h"

#include <algorithm>
#include <cassert>

namespace flagstone {

LoadStoreUnit::LoadStoreUnit(const SmConfig& config, ResultSink* results)
    : MemoryClient(config.l1),
      bypass_(config.l1.global == L1Global::kBypass),
      sectors_per_cycle_(config.l1.sectors_per_cycle),
      hit_latency_(config.l1.hit_latency),
      shared_latency_(config.shared_latency),
      results_(results),
      latency_(config.lsu_latency),
      places_(config.lsu_queue_of == LsuQueueOf::kScheduler ? config.lsu_queue : 0),
      blocking_(config.lsu_blocking),
      all_schedulers_((1U << config.schedulers) - 1),
      queue_(Places(config)),
      waiting_(config.schedulers),
      loads_(kMaxLoads) {
  free_loads_.reserve(kMaxLoads);
  for (uint16_t i = kMaxLoads; i > 0; --i) free_loads_.push_back(static_cast<uint16_t>(i - 1));
}

void LoadStoreUnit::Issued(uint64_t now) {
  next_.issued = now;
  queue_.Push(next_);
  ++waiting_[SchedulerOf(next_.warp)];
  if (!served_) Admit(now);
  UpdateWork(now);
}

void LoadStoreUnit::Tick(uint64_t now) {
  if (queue_.empty()) return;
  if (now < next_tick()) {
    if (Full() != 0 && now + 1 == next_tick()) UpdateWork(now);
    return;
  }
  if (served_) Advance(now);
  if (!served_ && !queue_.empty()) Admit(now);
  UpdateWork(now);
}

// The front leaves its place for the unit in the cycle before its first one there.
void LoadStoreUnit::Admit(uint64_t now) {
  const uint64_t leaves = queue_.front().issued + latency_ - 1;
  if (now < leaves) return SleepUntil(std::max(next_tick(), leaves));
  served_ = true;
  --waiting_[SchedulerOf(queue_.front().warp)];
}

// Whether the front leaves its place in the cycle, unless its last request fails.
bool LoadStoreUnit::Leaves(uint64_t cycle) const {
  if (!served_ || blocked_ || cycle < next_tick()) return false;
  const MemoryInstruction& head = queue_.front();
  return head.kind == MemoryInstruction::Kind::kShared ? head.bank_cycles <= 1
                                                       : position_ + 1 >= head.requests.count;
}

uint32_t LoadStoreUnit::FullSchedulers() {
  if (blocking_ != 0) blocked_schedulers_ = 0;
  if (places_ == 0 && blocking_ == 0) return queue_.full() ? all_schedulers_ : 0;
  uint32_t full = 0;
  for (uint32_t i = 0; i < waiting_.size(); ++i) {
    if (blocking_ != 0 && waiting_[i] >= blocking_) blocked_schedulers_ |= 1U << i;
    if (places_ != 0 ? waiting_[i] >= places_ : queue_.full()) full |= 1U << i;
  }
  return full;
}

void LoadStoreUnit::Advance(uint64_t now) {
  MemoryInstruction& head = queue_.front();
  if (head.kind == MemoryInstruction::Kind::kShared) {
    if (head.bank_cycles > 1) {
      SleepUntil(now + head.bank_cycles - 1);
      head.bank_cycles = 1;
      return;
    }
    if (head.returns) results_->LoadDone(head.warp, head.pc, now + shared_latency_ - 1);
    queue_.Pop();
    served_ = false;
    return;
  }
  if (head.requests.count == 0) {  // a bulk copy of nothing: its box lies outside of the tensor
    if (head.returns) results_->LoadDone(head.warp, head.pc, now + hit_latency_ - 1);
    queue_.Pop();
    served_ = false;
    return;
  }
  if (blocked_) cache_.CountFail(outcome_, now - last_request_);
  outcome_ = Request(&head, now);
  blocked_ = L1Cache::Failed(outcome_);
  last_request_ = now;
  ahead_ = 0;
  if (blocked_) return;
  if (++position_ < head.requests.count) {
    if (outcome_ == L1Cache::Outcome::kHit && watchers_.empty()) HitAhead(head, now);
    return;
  }
  position_ = 0;
  if (head.returns) Answered(load_of_head_, 1, now);
  queue_.Pop();
  served_ = false;
  load_of_head_ = kNoLoad;
}

// The requests that follow a hit, as long as they hit as well: each still takes its cycle, in which
// nothing else could be seen. The last one waits for its cycle, since the instruction ends with it.
void LoadStoreUnit::HitAhead(const MemoryInstruction& head, uint64_t now) {
  if (now < tags_free_) return;
  const L1Statistics& l1 = cache_.statistics();
  const uint64_t accesses = l1.accesses;
  const CoalescedRequests& requests = head.requests;
  for (; position_ + 1 < requests.count; ++position_, ++ahead_) {
    const SectorMask sectors = requests.sectors[position_];
    if (SectorCount(sectors) > sectors_per_cycle_) break;
    if (!cache_.Hit(requests.lines[position_], sectors)) break;
  }
  loads_[load_of_head_].ready += ahead_;
  last_request_ += ahead_;
  SleepUntil(now + ahead_ + 1);
  if (counts_ != nullptr) (*counts_)[head.pc].accesses += l1.accesses - accesses;
}

L1Statistics LoadStoreUnit::L1Before(uint64_t now) const {
  L1Statistics statistics = cache_.statistics();
  const uint64_t ahead = HitsAhead(now);
  statistics.accesses -= ahead;
  statistics.loads -= ahead;
  statistics.hits -= ahead;
  return statistics;
}

uint64_t LoadStoreUnit::HitsAhead(uint64_t now) const {
  if (next_tick() <= now) return 0;
  const auto count = static_cast<uint32_t>(std::min<uint64_t>(ahead_, next_tick() - now));
  uint64_t hits = 0;
  for (uint32_t i = position_ - count; i < position_; ++i) {
    hits += cache_.Units(queue_.front().requests.sectors[i]);
  }
  return hits;
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
    outcome = sent(bypass ? cache_.Bypass(PacketKind::kWrite, line, sectors, head->tb_slot)
                          : cache_.Store(line, sectors, head->tb_slot));
  } else {
    if (load_of_head_ == kNoLoad) {
      if (free_loads_.empty()) return Outcome::kNoLoadSlot;
      load_of_head_ = free_loads_.back();
      free_loads_.pop_back();
      loads_[load_of_head_] = {head->warp, head->pc, 1, 0, head->issued};
    }
    if (bypass) {
      outcome = sent(cache_.Bypass(atomic ? PacketKind::kAtomic : PacketKind::kUncachedRead, line,
                                   sectors, load_of_head_));
    } else if (atomic) {
      outcome = sent(cache_.Atomic(line, sectors, load_of_head_));
    } else {
      outcome = Demand(*head, line, sectors);
    }
    if (outcome == Outcome::kPending && atomic) {
      cache_.miss_queue().back().conflicts = head->conflicts[position_];
    }
    if (outcome == Outcome::kPending) {
      // L2 answers what goes past the L1 by sectors, in one packet or several.
      loads_[load_of_head_].remaining += atomic || bypass ? SectorCount(sectors) : 1;
    }
    if (outcome == Outcome::kHit) loads_[load_of_head_].ready = now + hit_latency_ - 1;
  }
  if (!L1Cache::Failed(outcome) && SectorCount(sectors) > sectors_per_cycle_) {
    tags_free_ = now + (SectorCount(sectors) + sectors_per_cycle_ - 1) / sectors_per_cycle_;
    SleepUntil(tags_free_);
  }
  return outcome;
}

L1Cache::Outcome LoadStoreUnit::Demand(const MemoryInstruction& head, LineNumber line,
                                       SectorMask sectors) {
  const L1Statistics& l1 = cache_.statistics();
  const uint64_t accesses = l1.accesses, misses = l1.misses;
  const L1Cache::Outcome outcome = watchers_.empty() ? cache_.Load(line, sectors, load_of_head_)
                                                     : LoadWatched(head, line, sectors);
  if (counts_ != nullptr) {
    LoadCounts& counts = (*counts_)[head.pc];
    counts.accesses += l1.accesses - accesses;
    counts.misses += l1.misses - misses;
  }
  return outcome;
}

L1Cache::Outcome LoadStoreUnit::LoadWatched(const MemoryInstruction& head, LineNumber line,
                                            SectorMask sectors) {
  for (LoadWatcher* watcher : watchers_) watcher->Requesting(head.warp);
  const size_t misses = cache_.miss_queue().size();
  const L1Cache::Outcome outcome = cache_.Load(line, sectors, load_of_head_);
  if (head.watched && !L1Cache::Failed(outcome)) {
    const bool missed = cache_.miss_queue().size() > misses;
    for (LoadWatcher* watcher : watchers_) watcher->Requested(position_, line, missed);
  }
  return outcome;
}

void LoadStoreUnit::TakeReply(const Packet& reply, uint64_t now) {
  switch (reply.kind) {
    case PacketKind::kWrite:
      results_->StoreDone(reply.tag, SectorCount(reply.sectors));
      break;
    case PacketKind::kRead:
      cache_.Fill(reply, [&](uint16_t load) { Answered(load, 1, now); });
      break;
    case PacketKind::kUncachedRead:
    case PacketKind::kAtomic:
      Answered(reply.tag, SectorCount(reply.sectors), now);
      break;
  }
}

void LoadStoreUnit::Answered(uint16_t load, uint32_t answers, uint64_t now) {
  assert(loads_[load].remaining >= answers);  // each request is answered once
  loads_[load].remaining -= answers;
  if (loads_[load].remaining == 0) Finish(load, now);
}

void LoadStoreUnit::Finish(uint16_t load, uint64_t now) {
  const Load done = loads_[load];
  const uint64_t cycle = std::max(done.ready, now);
  cache_.statistics().load_latency.Add(cycle - done.issued);
  if (counts_ != nullptr) {
    LoadCounts& counts = (*counts_)[done.pc];
    ++counts.executed;
    counts.cycles += cycle - done.issued;
  }
  free_loads_.push_back(load);
  results_->LoadDone(done.warp, done.pc, cycle);
}

}  // namespace flagstone
