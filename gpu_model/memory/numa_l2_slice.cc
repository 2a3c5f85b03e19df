#include "gpu_model/memory/numa_l2_slice.h"

#include <algorithm>

namespace flagstone {
namespace {

bool Reads(PacketKind kind) {
  return kind == PacketKind::kRead || kind == PacketKind::kUncachedRead;
}

}  // namespace

NumaL2Slice::NumaL2Slice(const L2Config& config, const NumaConfig& numa, const AddressMap& map,
                         uint32_t slice, uint32_t node)
    : L2Slice(config, map, slice),
      node_(node),
      local_mshrs_(config.cache.mshrs - numa.remote_mshrs),
      lane_of_others_(config.input_queue, config.pipeline_latency),
      own_(&lane_, config.pipeline_latency),
      others_(&lane_of_others_, config.pipeline_latency),
      forwards_(config.cache.miss_queue),
      replies_to_others_(replies_.capacity()),
      fills_of_others_(fills_.capacity()),
      mshr_facts_(config.cache.mshrs) {
  remote_.traffic.assign(numa.Nodes(), 0);
}

void NumaL2Slice::ConnectPolicy(L2PolicyUnit* policy) {
  policy_ = policy;
  policy->Connect(this);
}

void NumaL2Slice::Accept(Channel channel, const Packet& packet) {
  if (channel == Channel::kRequest) {
    AcceptIn(&lane_of_others_, packet);
  } else {
    fills_of_others_.Push({packet.tag, packet.sectors});  // has a place for every sector asked for
    Wake();
  }
}

void NumaL2Slice::Sample(uint64_t now) {
  TakeFill(now);
  Serve(ChooseLane(now), now);
  AdvanceAndAsk(&others_, now);
  AdvanceAndAsk(&own_, now);
  if (flushing_) FlushNext();
}

// The DRAM and the other nodes take turns.
void NumaL2Slice::TakeFill(uint64_t now) {
  if (!HasRoomForFill() || replies_to_others_.room() < merges_) return;
  if (fills_.empty() && fills_of_others_.empty()) return;
  const bool from_others = !fills_of_others_.empty() && (fills_.empty() || fill_turn_);
  fill_turn_ = !from_others;
  Ring<Fill>& fills = from_others ? fills_of_others_ : fills_;
  if (mshrs_.way(fills.front().mshr) == TagArray::kNone) {
    ProcessFillWithoutWay(fills.front(), now);
  } else {
    ProcessFill(fills.front(), now);
  }
  fills.Pop();
}

void NumaL2Slice::Serve(DecidedLane* lane, uint64_t now) {
  if (!lane->Ready(now) || port_free_ > now) return;
  const L2Decision& decision = lane->decisions.front();
  // An atomic is done at its line's home.
  if (!decision.forward && TakesConflicts(lane->lane, now)) return;
  if (!LookUpCounted(WaiterOf(*lane->lane), decision, now)) return;
  Served(lane->lane, now);
  lane->decisions.Pop();
}

void NumaL2Slice::AdvanceAndAsk(DecidedLane* lane, uint64_t now) {
  if (!lane->lane->CanAdvance()) return;
  Advance(lane->lane, now);
  lane->asks = true;
}

void NumaL2Slice::AskPolicy(DecidedLane* lane) {
  if (!lane->asks) return;
  lane->asks = false;
  const Packet& packet = lane->lane->pipeline.back().packet;
  const bool from_fabric = lane == &others_;
  policy_->Ask(L2PolicyUnit::LaneOf(slice_, from_fabric), from_fabric, packet.kind,
               HomeOfLine(packet.line));
}

void NumaL2Slice::Decided(uint32_t lane, const L2Decision& decision) {
  (lane == L2PolicyUnit::LaneOf(slice_, false) ? own_ : others_).decisions.Push(decision);
}

// The lanes take turns, where both want the tags; but other nodes do not wait behind a full queue.
NumaL2Slice::DecidedLane* NumaL2Slice::ChooseLane(uint64_t now) {
  if (!others_.Ready(now) || port_free_ > now) return &own_;
  if (!own_.Ready(now)) return &others_;
  others_turn_ = !others_turn_;
  return others_turn_ || others_.lane->input.full() ? &others_ : &own_;
}

// All that a request may count is counted in `statistics_`; the difference is its class's.
bool NumaL2Slice::LookUpCounted(const Waiter& request, const L2Decision& decision, uint64_t now) {
  const L2ClassStatistics before = {0, statistics_.hits, statistics_.mshr_hits, statistics_.misses};
  if (!LookUpDecided(request, decision, now)) return false;
  L2ClassStatistics& counts = remote_.classes[static_cast<size_t>(decision.request)];
  const uint64_t misses = statistics_.misses - before.misses;
  counts.accesses += SectorCount(request.packet.sectors);
  counts.hits += statistics_.hits - before.hits;
  counts.mshr_hits += statistics_.mshr_hits - before.mshr_hits;
  counts.misses += misses;
  if (decision.request != L2Class::kRemoteLocal) {
    remote_.traffic[HomeOfLine(request.packet.line)] += misses;
  }
  return true;
}

bool NumaL2Slice::LookUpDecided(const Waiter& request, const L2Decision& decision, uint64_t now) {
  const Packet& packet = request.packet;
  const LineNumber local = map_->Slice(packet.line).local;
  const uint32_t index = decision.probe ? tags_.Find(local) : TagArray::kNone;
  if (packet.kind == PacketKind::kWrite) return WriteDecided(request, decision, local, index);
  if (decision.invalidate) {
    if (index != TagArray::kNone) Drop(index);
  } else if (Holds(index, packet.sectors)) {
    return Hit(request, index, decision.keep, now);
  }
  if (!decision.keep) return FetchWithoutWay(request, decision.forward, local);
  if (decision.request == L2Class::kRemoteLocal) {
    const bool present = index != TagArray::kNone;
    const bool in_flight = present && tags_.way(index).mshr != TagArray::kNoMshr;
    const bool way = present || tags_.Victim(local) != TagArray::kNone;
    const bool merge = !in_flight || mshrs_.HasRoom(tags_.way(index).mshr, packet.sectors);
    if (!way || !merge) return FetchWithoutWay(request, decision.forward, local);
  }
  return Miss(request, local, index, decision.forward);
}

bool NumaL2Slice::WriteDecided(const Waiter& request, const L2Decision& decision, LineNumber local,
                               uint32_t index) {
  if (decision.forward) return WriteThrough(request, decision.update, index);
  const Packet& packet = request.packet;
  const bool waits = decision.request == L2Class::kLocalLocal;  // for a way, where none is free
  if (waits || index != TagArray::kNone || tags_.Victim(local) != TagArray::kNone) {
    return Write(packet, local, index);
  }
  // No way is free: it goes past the L2.
  if (misses_.full() || (acknowledges_ && replies_to_others_.room() <= merges_)) {
    return Fail(&statistics_.fails.queue);
  }
  misses_.Push({map_->DramLine(slice_, local), 0, packet.sectors, true});
  if (acknowledges_) replies_to_others_.Push(packet);
  statistics_.hits += SectorCount(packet.sectors);
  remote_.bypassed += SectorCount(packet.sectors);
  return true;
}

// To the home, and into the line where it is here, which stays clean.
bool NumaL2Slice::WriteThrough(const Waiter& request, bool update, uint32_t index) {
  const Packet& packet = request.packet;
  if (acknowledges_) {
    if (!FetchWithoutWay(request, /*elsewhere=*/true, 0)) return false;
  } else {
    if (forwards_.full()) return Fail(&statistics_.fails.queue);
    Forward(packet, packet.sectors, 0);
    statistics_.misses += SectorCount(packet.sectors);
  }
  if (update && index != TagArray::kNone) tags_.way(index).valid |= packet.sectors;
  return true;
}

void NumaL2Slice::Drop(uint32_t index) {
  if (tags_.way(index).mshr == TagArray::kNoMshr) {
    tags_.Invalidate(index);
  } else {
    tags_.way(index).evict_on_fill = true;
  }
}

void NumaL2Slice::TookMshr(const Packet& packet, uint16_t mshr) {
  const bool local = packet.origin == node_;
  mshr_facts_[mshr] = {.local = local};
  if (local) ++local_used_;
}

void NumaL2Slice::Forward(const Packet& packet, SectorMask sectors, uint16_t mshr) {
  Packet forward = packet;
  forward.sectors = sectors;
  forward.tag = mshr;
  forward.port = static_cast<uint16_t>(slice_);
  forwards_.Push(forward);
}

bool NumaL2Slice::MergeWithoutWay(const Waiter& request, LineNumber local) {
  const SectorMask sectors = request.packet.sectors;
  for (const uint16_t mshr : mergeable_) {
    const Mshr& known = mshr_facts_[mshr];
    if (known.local_number != local || (sectors & ~known.wanted) != 0) continue;
    if (!mshrs_.HasRoom(mshr, sectors)) continue;
    mshrs_.Add(mshr, request, sectors);
    statistics_.mshr_hits += SectorCount(sectors);
    statistics_.hits += SectorCount(sectors);
    return true;
  }
  return false;
}

bool NumaL2Slice::FetchWithoutWay(const Waiter& request, bool elsewhere, LineNumber local) {
  const Packet& packet = request.packet;
  const bool merges = !elsewhere && Reads(packet.kind);
  if (merges && MergeWithoutWay(request, local)) return true;
  if (!mshrs_.HasFree(false, packet.sectors) || !MayTakeMshr(packet)) {
    return Fail(&statistics_.fails.mshr);
  }
  const bool atomic_here = !elsewhere && packet.kind == PacketKind::kAtomic;
  if (elsewhere ? forwards_.full() : misses_.room() < (atomic_here ? 2U : 1U)) {
    return Fail(&statistics_.fails.queue);
  }
  const uint16_t mshr = mshrs_.Allocate(TagArray::kNone);
  TookMshr(packet, mshr);
  Mshr& known = mshr_facts_[mshr];
  known.local_number = local;
  known.wanted = packet.sectors;
  known.merges = merges;
  if (merges) mergeable_.push_back(mshr);
  mshrs_.Add(mshr, request, packet.sectors);
  mshrs_.Sent(packet.sectors);
  statistics_.misses += SectorCount(packet.sectors);
  if (elsewhere) {
    Forward(packet, packet.sectors, mshr);
    return true;
  }
  remote_.bypassed += SectorCount(packet.sectors);
  const LineNumber dram_line = map_->DramLine(slice_, local);
  misses_.Push({dram_line, mshr, packet.sectors, false});
  if (atomic_here) misses_.Push({dram_line, 0, packet.sectors, true});
  return true;
}

void NumaL2Slice::ProcessFillWithoutWay(const Fill& fill, uint64_t now) {
  Mshr& known = mshr_facts_[fill.mshr];
  known.here |= fill.sectors;
  mshrs_.Came(fill.sectors);
  mshrs_.Release(
      fill.mshr, [&](const Waiter& waiter) { return (waiter.packet.sectors & ~known.here) == 0; },
      [&](const Waiter& waiter) {
        RepliesFor(waiter.packet).Push(waiter.packet);
        statistics_.latency.Add(now - waiter.since);
      });
  if (known.here != known.wanted) return;
  if (known.merges) std::erase(mergeable_, fill.mshr);
  FreeMshr(fill.mshr);
}

void NumaL2Slice::Commit(uint64_t now) {
  L2Slice::Commit(now);
  AskPolicy(&own_);
  AskPolicy(&others_);
  SendToOthers();
}

void NumaL2Slice::SendToOthers() {
  if (!forwards_.empty() && fabric_->CanSend(Channel::kRequest)) {
    fabric_->Send(Channel::kRequest, forwards_.front());
    forwards_.Pop();
  }
  if (!replies_to_others_.empty() && fabric_->CanSend(Channel::kReply)) {
    fabric_->Send(Channel::kReply, replies_to_others_.front());
    replies_to_others_.Pop();
    --unanswered_;
  }
}

uint64_t NumaL2Slice::NextWork(uint64_t now) const {
  if (!forwards_.empty() || !replies_to_others_.empty() || !fills_of_others_.empty()) {
    return now + 1;
  }
  if (lane_of_others_.CanAdvance()) return now + 1;
  const uint64_t own = L2Slice::NextWork(now);
  if (lane_of_others_.pipeline.empty()) return own;
  return std::min(own, std::max({now + 1, lane_of_others_.pipeline.front().ready, port_free_}));
}

bool NumaL2Slice::Drained() const {
  return L2Slice::Drained() && lane_of_others_.input.empty() && lane_of_others_.pipeline.empty() &&
         forwards_.empty() && replies_to_others_.empty() && fills_of_others_.empty();
}

std::string NumaL2Slice::Leftover() const {
  return LeftoverWith({lane_.input.size() + lane_.pipeline.size() + lane_of_others_.input.size() +
                           lane_of_others_.pipeline.size() + forwards_.size(),
                       replies_.size() + replies_to_others_.size()});
}

}  // namespace flagstone
