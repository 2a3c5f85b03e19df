#include "gpu_model/sm/sm_core.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace flagstone {
namespace {

constexpr size_t kReplyQueue = 8;  // assumption

std::vector<InstructionInfo> Infos(const Program& program) {
  std::vector<InstructionInfo> infos(program.size());
  for (uint32_t pc = 0; pc < program.size(); ++pc) infos[pc] = program.info(pc);
  return infos;
}

// One event per instruction in a pipe and one per load whose data has come, in each of the
// load/store units: of data, constants and textures.
uint32_t MostEvents(const SmConfig& config) {
  return (LongestLatency(config) + 2) * (config.schedulers * config.issue_width + 1) +
         3 * LoadStoreUnit::kMaxLoads;
}

// The load/store unit in front of a read-only cache; null where there is no cache.
std::unique_ptr<LoadStoreUnit> MakePart(const SmConfig& sm, const ReadOnlyCacheConfig& cache,
                                        uint32_t latency, uint16_t port) {
  if (cache.size_kib == 0) return nullptr;
  SmConfig part = sm;
  part.l1 = ReadOnlyL1(cache);
  part.l1.hit_latency = latency;
  return std::make_unique<LoadStoreUnit>(part, port);
}

}  // namespace

SmCore::SmCore(const SmSetup& setup, uint32_t id)
    : id_(id),
      setup_(&setup),
      warps_per_tb_(setup.program->launch().WarpsPerTb()),
      executor_(*setup.program, setup.memory, id, setup.machine->sm.count),
      tb_slots_(setup.tbs_per_sm),
      free_slots_(setup.tbs_per_sm),
      infos_(MakeIssueInfos(*setup.program, setup.machine->sm)),
      scoreboard_(Infos(*setup.program), setup.program->scoreboard_registers(), kMaxWarps),
      lsu_(setup.machine->sm, static_cast<uint16_t>(id)),
      wheel_(LongestLatency(setup.machine->sm) + 1, MostEvents(setup.machine->sm)),
      replies_(kReplyQueue),
      schedulers_(setup.machine->sm.schedulers),
      local_bytes_(setup.program->launch().kernel->local_bytes) {
  for (uint32_t i = 0; i < schedulers_.size(); ++i) {
    schedulers_[i].block = setup.make_warp_scheduler(id, i);
    schedulers_[i].out = schedulers_[i].block->Outputs();
  }
  for (uint32_t warp = 0; warp < kMaxWarps; ++warp) SchedulerOf(warp).warps |= Bit(warp);
  for (uint32_t i = 0; i < setup.tbs_per_sm; ++i) blocks_.emplace_back(*setup.program);
  const SmConfig& sm = setup.machine->sm;
  const auto port = static_cast<uint16_t>(id);
  if (sm.instruction_cache.size_kib > 0) fetch_ = std::make_unique<InstructionFetch>(sm, port);
  constants_ = MakePart(sm, sm.const_cache, sm.const_latency, port);
  textures_ = MakePart(sm, sm.texture_cache, sm.texture_latency, port);
  if (setup.victim_tags) {
    victim_tags_ =
        std::make_unique<VictimTags>(sm.scheduling, sm.l1.size_kib * 1024 / sm.l1.line_bytes);
    lsu_.Connect(victim_tags_.get());
  }
  if (setup.miss_classes) lsu_.l1().ClassifyMisses();
  if (setup.make_prefetcher) {
    prefetch_ = std::make_unique<PrefetchUnit>(setup.prefetch, setup.make_prefetcher(id),
                                               setup.tbs_per_sm, warps_per_tb_, sm, &lsu_.l1());
    lsu_.Connect(prefetch_.get());
  }
  SetBit(&setup.link->ready, id);
}

void SmCore::Accept(const Packet& packet) {
  replies_.Push(packet);
  Wake();
}

void SmCore::Sample(uint64_t now) {
  now_ = now;
  CountSkipped(now);
  started_ = finished_ = 0;
  if (prefetch_ != nullptr) prefetch_->Begin(now);
  const auto complete = [this, now](uint32_t warp, uint32_t pc, uint64_t cycle) {
    Complete(warp, pc, cycle, now);
  };
  if (!replies_.empty()) {
    TakeReply(replies_.front(), now);
    replies_.Pop();
    last_progress_ = now;
  }
  wheel_.Take(now, [this](const Event& event) {
    if (event.fetch) {
      --tb_slots_[warps_[event.warp].tb_slot].in_flight;
      waiting_ &= ~Bit(event.warp);
      Recheck(event.warp);
    } else {
      WriteBack(event.warp, event.pc);
    }
  });
  const bool offered = TestBit(setup_->link->valid, id_) && TestBit(setup_->link->ready, id_);
  lsu_.Tick(now, complete);
  if (constants_ != nullptr) constants_->Tick(now, complete);
  if (textures_ != nullptr) textures_->Tick(now, complete);
  if (fetch_ != nullptr) fetch_->Tick([this](uint32_t warp) { Fetched(warp); });
  IssueGrants(now);
  if (offered) StartTb(setup_->link->id[id_]);
  if (prefetch_ != nullptr) {
    const PrefetcherOut& asked = prefetch_->out();
    const bool passed = asked.prefetch_valid && asked.prefetch_warp < kMaxWarps &&
                        warps_[asked.prefetch_warp].pc > asked.prefetch_pc;
    prefetch_->Tick(live_, passed, lsu_.TagsFree(now), setup_->force_every_tick);
  }
  TickSchedulers(now);
}

void SmCore::TakeReply(const Packet& reply, uint64_t now) {
  const auto complete = [this, now](uint32_t warp, uint32_t pc, uint64_t cycle) {
    Complete(warp, pc, cycle, now);
  };
  if (reply.kind == PacketKind::kWrite) {
    EndStore(reply);
    return;
  }
  if (!IsReadOnly(reply)) {
    lsu_.TakeReply(reply, now, complete);
    return;
  }
  Packet own = reply;
  own.tag = OwnTag(reply);
  switch (PartOf(reply)) {
    case ReadOnlyPart::kInstructions:
      fetch_->Fill(own, [this](uint32_t warp) { Fetched(warp); });
      break;
    case ReadOnlyPart::kConstants:
      constants_->TakeReply(own, now, complete);
      break;
    case ReadOnlyPart::kTextures:
      textures_->TakeReply(own, now, complete);
      break;
  }
}

void SmCore::StartTb(uint32_t tb) {
  uint32_t slot = 0;
  while (tb_slots_[slot].busy) ++slot;
  tb_slots_[slot] = {true, warps_per_tb_, 0};
  --free_slots_;
  blocks_[slot].Start(tb);
  if (tb_log_ != nullptr) tb_log_->Start(slot, tb, now_);
  for (uint32_t i = 0; i < warps_per_tb_; ++i) {
    const uint32_t warp = slot * warps_per_tb_ + i;
    warps_[warp] = {};
    warps_[warp].tb_slot = static_cast<uint8_t>(slot);
    warps_[warp].in_tb = static_cast<uint8_t>(i);
    live_ |= Bit(warp);
    ++live_warps_;
    started_ |= Bit(warp);
    if (fetch_ != nullptr) fetch_->Started(warp);
    SetNext(warp);
  }
  leading_ |= Bit(slot * warps_per_tb_);
}

void SmCore::Complete(uint32_t warp, uint32_t pc, uint64_t cycle, uint64_t now) {
  if (warps_[warp].loads > 0) --warps_[warp].loads;
  if (cycle > now) {
    wheel_.Add(cycle, {pc, static_cast<uint8_t>(warp), false});
  } else {
    WriteBack(warp, pc);
  }
}

void SmCore::WriteBack(uint32_t warp, uint32_t pc) {
  scoreboard_.Release(warp, pc);
  Recheck(warp);
  const uint32_t tb_slot = warps_[warp].tb_slot;
  --tb_slots_[tb_slot].in_flight;
  FinishTbIfDone(tb_slot);
}

void SmCore::Fetched(uint32_t warp) {
  fetching_ &= ~Bit(warp);
  Recheck(warp);
}

void SmCore::EndStore(const Packet& store) {
  tb_slots_[store.tag].in_flight -= SectorCount(store.sectors);
  FinishTbIfDone(store.tag);
}

void SmCore::FinishTbIfDone(uint32_t tb_slot) {
  TbSlot& slot = tb_slots_[tb_slot];
  if (!slot.busy || slot.live_warps != 0 || slot.in_flight != 0) return;
  slot.busy = false;
  if (prefetch_ != nullptr) prefetch_->EndTb(tb_slot);
  if (tb_log_ != nullptr) tb_log_->End(tb_slot, now_);
  ++free_slots_;
  ++done_pending_;
  ++completed_;
}

void SmCore::Commit(uint64_t now) {
  now_ = now;
  if (to_commit_) {
    executor_.Commit();
    to_commit_ = false;
  }
  if (!MissQueuesEmpty() && requests_->CanSend()) {
    Packet packet;
    Ring<Packet>* misses = NextMiss(&packet);
    packet = FirstPart(packet, setup_->machine->sm.request_sectors);
    requests_->Send(packet, setup_->map->Slice(packet.line).slice, RequestBytes(packet));
    if (packet.kind == PacketKind::kWrite && setup_->machine->l2.write_reply == WriteReply::kNone) {
      EndStore(packet);
    }
    misses->front().sectors ^= packet.sectors;
    if (misses->front().sectors == 0) misses->Pop();
  }
  TbLink& link = *setup_->link;
  const bool ready = free_slots_ > 0;
  if (ready != TestBit(link.ready, id_) || done_pending_ > 0) {
    if (ready) {
      SetBit(&link.ready, id_);
    } else {
      ClearBit(&link.ready, id_);
    }
    // A completion that the TB scheduler has not sampled yet holds back the next one.
    if (done_pending_ > 0 && !TestBit(link.done, id_)) {
      SetBit(&link.done, id_);
      --done_pending_;
    }
    if (link.scheduler != nullptr) link.scheduler->Wake();
  }
}

bool SmCore::NothingToCommit() const {
  return !to_commit_ && done_pending_ == 0 && MissQueuesEmpty() &&
         (free_slots_ > 0) == TestBit(setup_->link->ready, id_);
}

void SmCore::PrefetchCommit() const {
  __builtin_prefetch(&to_commit_, 1);
  __builtin_prefetch(&free_slots_);
  __builtin_prefetch(&wheel_);
  __builtin_prefetch(&replies_);
  __builtin_prefetch(&ready_);
  lsu_.l1().miss_queue().PrefetchFront();
}

bool SmCore::MissQueuesEmpty() const {
  return lsu_.l1().miss_queue().empty() && (fetch_ == nullptr || fetch_->miss_queue().empty()) &&
         (constants_ == nullptr || constants_->l1().miss_queue().empty()) &&
         (textures_ == nullptr || textures_->l1().miss_queue().empty());
}

// The queue whose first packet goes next, and that packet: instructions before constants, textures
// and data (assumption).
Ring<Packet>* SmCore::NextMiss(Packet* packet) {
  const auto from = [&](Ring<Packet>* queue, ReadOnlyPart part) {
    if (queue->empty()) return false;
    *packet = queue->front();
    packet->tag = ReadOnlyTag(part, packet->tag);
    return true;
  };
  if (fetch_ != nullptr && from(&fetch_->miss_queue(), ReadOnlyPart::kInstructions)) {
    return &fetch_->miss_queue();
  }
  if (constants_ != nullptr && from(&constants_->l1().miss_queue(), ReadOnlyPart::kConstants)) {
    return &constants_->l1().miss_queue();
  }
  if (textures_ != nullptr && from(&textures_->l1().miss_queue(), ReadOnlyPart::kTextures)) {
    return &textures_->l1().miss_queue();
  }
  *packet = lsu_.l1().miss_queue().front();
  return &lsu_.l1().miss_queue();
}

uint64_t SmCore::NextWork(uint64_t now) const {
  // A request that waits for the miss queue is tried again while that queue drains.
  if (!replies_.empty() || lsu_.Active() || done_pending_ > 0 || !MissQueuesEmpty()) {
    return now + 1;
  }
  if ((fetch_ != nullptr && fetch_->Active()) || (constants_ != nullptr && constants_->Active()) ||
      (textures_ != nullptr && textures_->Active())) {
    return now + 1;
  }
  if (prefetch_ != nullptr && prefetch_->Active()) return now + 1;
  if (TestBit(setup_->link->valid, id_) && TestBit(setup_->link->ready, id_)) return now + 1;
  uint64_t next = wheel_.NextCycle(now);
  for (const Scheduler& scheduler : schedulers_) {
    if (scheduler.out.grant_valid || !scheduler.out.quiescent) return now + 1;
    const WarpMask held = ready_ & scheduler.warps & ~scheduler.in.eligible;
    if (held == 0) continue;
    for (uint32_t busy = scheduler.busy_units; busy != 0; busy &= busy - 1) {
      const auto unit = static_cast<uint32_t>(std::countr_zero(busy));
      if ((held & wants_[unit]) == 0) continue;
      // A cycle before the pipe is free, the scheduler can grant for it.
      next = std::min(next, std::max(scheduler.unit_free[unit] - 1, now + 1));
    }
  }
  return next;
}

bool SmCore::Drained() const {
  return live_ == 0 && replies_.empty() && wheel_.empty() && done_pending_ == 0 &&
         free_slots_ == tb_slots_.size() && lsu_.Drained() &&
         (fetch_ == nullptr || fetch_->Drained()) &&
         (constants_ == nullptr || constants_->Drained()) &&
         (textures_ == nullptr || textures_->Drained());
}

std::string SmCore::Leftover() const {
  return fmt::format("{} warps, {} TBs, {} loads, {} MSHRs, {} queued requests",
                     std::popcount(live_), tb_slots_.size() - free_slots_, lsu_.loads_in_flight(),
                     lsu_.l1().mshrs_used(), lsu_.l1().miss_queue().size());
}

void SmCore::DescribeWaiting(size_t room, std::vector<std::string>* lines) const {
  for (uint64_t left = live_; left != 0 && lines->size() < room; left &= left - 1) {
    const auto warp = static_cast<uint32_t>(std::countr_zero(left));
    const WarpSlot& slot = warps_[warp];
    const bool blocked = scoreboard_.Blocked(warp, slot.pc);
    const char* reason = (barrier_ & Bit(warp)) != 0                         ? "barrier"
                         : blocked && slot.loads > 0                         ? "memory"
                         : blocked                                           ? "scoreboard"
                         : (waiting_ & Bit(warp)) != 0                       ? "branch"
                         : (fetching_ & Bit(warp)) != 0                      ? "instruction fetch"
                         : slot.unit == Unit::kLoadStore && !lsu_.CanIssue() ? "load/store unit"
                                                                             : "issue";
    const std::string place = setup_->program->Describe(slot.pc);
    lines->push_back(fmt::format("sm{} warp {} (TB {}, {}): {}", id_, warp,
                                 blocks_[slot.tb_slot].tb(), place.substr(0, place.find(": ")),
                                 reason));
  }
}

}  // namespace flagstone
