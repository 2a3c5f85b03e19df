// The half of an L2 slice that knows of other nodes.
#include "gpu_model/memory/l2_remote.h"

#include <algorithm>

#include "gpu_model/memory/l2_slice.h"

namespace flagstone {
namespace {

bool Reads(PacketKind kind) {
  return kind == PacketKind::kRead || kind == PacketKind::kUncachedRead;
}

}  // namespace

void L2Slice::JoinNodes(const L2Config& config, const NumaConfig& numa, uint32_t node) {
  remote_ = std::make_unique<L2Remote>(config, numa, node, merges_);
}

void L2Slice::ConnectPolicy(L2PolicyUnit* policy) {
  remote_->policy = policy;
  policy->Connect(this);
}

void L2Slice::Accept(Channel channel, const Packet& packet) {
  if (channel == Channel::kRequest) {
    AcceptIn(&remote_->lane, packet);
  } else {
    remote_->fills.Push({packet.tag, packet.sectors});  // has a place for every sector asked for
    Wake();
  }
}

void L2Slice::AskPolicy(L2Lane* lane) {
  if (!lane->asks) return;
  lane->asks = false;
  const Packet& packet = lane->pipeline.back().packet;
  const bool from_fabric = lane != &lane_;
  remote_->policy->Ask(L2PolicyUnit::LaneOf(slice_, from_fabric), from_fabric, packet.kind,
                       remote_->HomeOfLine(packet.line));
}

void L2Slice::Decided(uint32_t lane, const L2Decision& decision) {
  L2Lane& of = lane == L2PolicyUnit::LaneOf(slice_, false) ? lane_ : remote_->lane;
  of.pipeline[of.pipeline.size() - of.undecided--].decision = decision;
}

// The lanes take turns, where both want the tags; but other nodes do not wait behind a full queue.
L2Lane* L2Slice::ChooseLane(uint64_t now) {
  L2Lane* remote = &remote_->lane;
  if (!remote->Ready(now) || port_free_ > now) return &lane_;
  if (!lane_.Ready(now)) return remote;
  remote_->remote_turn = !remote_->remote_turn;
  return remote_->remote_turn || remote->input.full() ? remote : &lane_;
}

// All that a request may count is counted in `statistics_`; the difference is its class's.
bool L2Slice::LookUpCounted(const Waiter& request, const L2Decision& decision, uint64_t now) {
  const L2ClassStatistics before = {0, statistics_.hits, statistics_.mshr_hits, statistics_.misses};
  if (!LookUpDecided(request, decision, now)) return false;
  L2ClassStatistics& counts = remote_->Of(decision.request);
  const uint64_t misses = statistics_.misses - before.misses;
  counts.accesses += SectorCount(request.packet.sectors);
  counts.hits += statistics_.hits - before.hits;
  counts.mshr_hits += statistics_.mshr_hits - before.mshr_hits;
  counts.misses += misses;
  if (decision.request != L2Class::kRemoteLocal) {
    remote_->traffic[remote_->HomeOfLine(request.packet.line)] += misses;
  }
  return true;
}

bool L2Slice::LookUpDecided(const Waiter& request, const L2Decision& decision, uint64_t now) {
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

bool L2Slice::WriteDecided(const Waiter& request, const L2Decision& decision, LineNumber local,
                           uint32_t index) {
  if (decision.forward) return WriteThrough(request, decision.update, index);
  const Packet& packet = request.packet;
  const bool waits = decision.request == L2Class::kLocalLocal;  // for a way, where none is free
  if (waits || index != TagArray::kNone || tags_.Victim(local) != TagArray::kNone) {
    return Write(packet, local, index);
  }
  // No way is free: it goes past the L2.
  if (misses_.full() || (acknowledges_ && remote_->replies.room() <= merges_)) {
    return Fail(&statistics_.fails.queue);
  }
  misses_.Push({map_->DramLine(slice_, local), 0, packet.sectors, true});
  if (acknowledges_) remote_->replies.Push(packet);
  statistics_.hits += SectorCount(packet.sectors);
  remote_->bypassed += SectorCount(packet.sectors);
  return true;
}

// To the home, and into the line where it is here, which stays clean.
bool L2Slice::WriteThrough(const Waiter& request, bool update, uint32_t index) {
  const Packet& packet = request.packet;
  if (acknowledges_) {
    if (!FetchWithoutWay(request, /*elsewhere=*/true, 0)) return false;
  } else {
    if (remote_->forwards.full()) return Fail(&statistics_.fails.queue);
    Forward(packet, packet.sectors, 0);
    statistics_.misses += SectorCount(packet.sectors);
  }
  if (update && index != TagArray::kNone) tags_.way(index).valid |= packet.sectors;
  return true;
}

void L2Slice::Drop(uint32_t index) {
  if (tags_.way(index).mshr == TagArray::kNoMshr) {
    tags_.Invalidate(index);
  } else {
    tags_.way(index).evict_on_fill = true;
  }
}

bool L2Slice::HasMshr(const Packet& packet) const {
  return packet.origin != remote_->node || remote_->local_used < remote_->local_mshrs;
}

void L2Slice::NoteMshr(const Packet& packet, uint16_t mshr) {
  const bool local = packet.origin == remote_->node;
  remote_->mshrs[mshr] = {.local = local};
  if (local) ++remote_->local_used;
}

void L2Slice::Forward(const Packet& packet, SectorMask sectors, uint16_t mshr) {
  Packet forward = packet;
  forward.sectors = sectors;
  forward.tag = mshr;
  forward.port = static_cast<uint16_t>(slice_);
  remote_->forwards.Push(forward);
}

bool L2Slice::MergeWithoutWay(const Waiter& request, LineNumber local) {
  const SectorMask sectors = request.packet.sectors;
  for (const uint16_t mshr : remote_->mergeable) {
    const L2Remote::Mshr& known = remote_->mshrs[mshr];
    if (known.local_number != local || (sectors & ~known.wanted) != 0) continue;
    if (!mshrs_.HasRoom(mshr, sectors)) continue;
    mshrs_.Add(mshr, request, sectors);
    statistics_.mshr_hits += SectorCount(sectors);
    statistics_.hits += SectorCount(sectors);
    return true;
  }
  return false;
}

bool L2Slice::FetchWithoutWay(const Waiter& request, bool elsewhere, LineNumber local) {
  const Packet& packet = request.packet;
  const bool merges = !elsewhere && Reads(packet.kind);
  if (merges && MergeWithoutWay(request, local)) return true;
  if (!mshrs_.HasFree(false, packet.sectors) || !HasMshr(packet)) {
    return Fail(&statistics_.fails.mshr);
  }
  const bool atomic_here = !elsewhere && packet.kind == PacketKind::kAtomic;
  if (elsewhere ? remote_->forwards.full() : misses_.room() < (atomic_here ? 2U : 1U)) {
    return Fail(&statistics_.fails.queue);
  }
  const uint16_t mshr = mshrs_.Allocate(TagArray::kNone);
  NoteMshr(packet, mshr);
  L2Remote::Mshr& known = remote_->mshrs[mshr];
  known.local_number = local;
  known.wanted = packet.sectors;
  known.merges = merges;
  if (merges) remote_->mergeable.push_back(mshr);
  mshrs_.Add(mshr, request, packet.sectors);
  mshrs_.Sent(packet.sectors);
  statistics_.misses += SectorCount(packet.sectors);
  if (elsewhere) {
    Forward(packet, packet.sectors, mshr);
    return true;
  }
  remote_->bypassed += SectorCount(packet.sectors);
  const LineNumber dram_line = map_->DramLine(slice_, local);
  misses_.Push({dram_line, mshr, packet.sectors, false});
  if (atomic_here) misses_.Push({dram_line, 0, packet.sectors, true});
  return true;
}

void L2Slice::ProcessFillWithoutWay(const L2Fill& fill, uint64_t now) {
  L2Remote::Mshr& known = remote_->mshrs[fill.mshr];
  known.here |= fill.sectors;
  mshrs_.Came(fill.sectors);
  mshrs_.Release(
      fill.mshr, [&](const Waiter& waiter) { return (waiter.packet.sectors & ~known.here) == 0; },
      [&](const Waiter& waiter) {
        RepliesFor(waiter.packet).Push(waiter.packet);
        statistics_.latency.Add(now - waiter.since);
      });
  if (known.here != known.wanted) return;
  if (known.merges) std::erase(remote_->mergeable, fill.mshr);
  FreeMshr(fill.mshr);
}

void L2Slice::SendRemote() {
  L2Remote& remote = *remote_;
  if (!remote.forwards.empty() && remote.fabric->CanSend(Channel::kRequest)) {
    remote.fabric->Send(Channel::kRequest, remote.forwards.front());
    remote.forwards.Pop();
  }
  if (!remote.replies.empty() && remote.fabric->CanSend(Channel::kReply)) {
    remote.fabric->Send(Channel::kReply, remote.replies.front());
    remote.replies.Pop();
    --unanswered_;
  }
}

bool L2Slice::DrainedRemote() const {
  return remote_->lane.input.empty() && remote_->lane.pipeline.empty() &&
         remote_->forwards.empty() && remote_->replies.empty() && remote_->fills.empty();
}

}  // namespace flagstone
