#include "gpu_model/memory/l2_slice.h"

#include <fmt/core.h>

#include <algorithm>

namespace flagstone {
namespace {

constexpr size_t kHitReplies = 8;  // that may wait beside those of a fill (assumption)

}  // namespace

L2Slice::L2Slice(const L2Config& config, const AddressMap& map, uint32_t slice)
    : map_(&map),
      slice_(slice),
      acknowledges_(config.write_reply == WriteReply::kAcknowledge),
      pipeline_latency_(config.pipeline_latency),
      atomic_interval_(config.atomic_interval),
      reply_sectors_(config.reply_sectors),
      tags_(config.cache.size_kib * 1024, config.cache.ways),
      mshrs_(config.cache.mshrs, config.cache.mshr_merges, config.cache.mshr_unit),
      merges_(mshrs_.most_waiters()),
      lane_(config.input_queue, config.pipeline_latency),
      // Each MSHR may have one DRAM read per sector under way: a reply always finds a place.
      fills_(size_t{config.cache.mshrs} * (kLineBytes / kSectorBytes)),
      replies_(merges_ + kHitReplies),
      misses_(config.cache.miss_queue) {}

void L2Slice::ClassifyMisses() {
  classes_ = std::make_unique<MissClasses>(tags_.sets() * tags_.associativity());
}

void L2Slice::AcceptIn(Lane* lane, const Packet& packet) {
  lane->input.Push(packet);
  if (ExpectsReply(packet)) ++unanswered_;
  Wake();
}

void L2Slice::DramReply(uint16_t tag, SectorMask sectors) {
  fills_.Push({tag, sectors});
  Wake();
}

void L2Slice::Sample(uint64_t now) {
  if (!fills_.empty() && HasRoomForFill()) {
    ProcessFill(fills_.front(), now);
    fills_.Pop();
  }
  if (lane_.Ready(now) && port_free_ <= now && !TakesConflicts(&lane_, now) &&
      LookUp(WaiterOf(lane_), now)) {
    Served(&lane_, now);
  }
  if (lane_.CanAdvance()) Advance(&lane_, now);
  if (flushing_) FlushNext();
}

bool L2Slice::TakesConflicts(Lane* lane, uint64_t now) {
  Packet& packet = lane->pipeline.front().packet;
  const uint32_t cycles = packet.conflicts * atomic_interval_;
  if (cycles == 0) return false;
  port_free_ = now + cycles;
  packet.conflicts = 0;
  return true;
}

void L2Slice::Served(Lane* lane, uint64_t now) {
  const Packet& packet = lane->pipeline.front().packet;
  port_free_ = now + SectorCount(packet.sectors);
  CountAccess(packet);
  lane->pipeline.Pop();
}

void L2Slice::CountAccess(const Packet& packet) {
  const uint32_t sectors = SectorCount(packet.sectors);
  statistics_.accesses += sectors;
  uint64_t& kind = packet.kind == PacketKind::kWrite    ? statistics_.writes
                   : packet.kind == PacketKind::kAtomic ? statistics_.atomics
                                                        : statistics_.reads;
  kind += sectors;
}

void L2Slice::ProcessFill(const Fill& fill, uint64_t now) {
  const uint32_t index = mshrs_.way(fill.mshr);
  TagArray::Way& way = tags_.way(index);
  way.valid |= fill.sectors;
  way.pending = static_cast<SectorMask>(way.pending & ~fill.sectors);
  mshrs_.Came(fill.sectors);
  mshrs_.Release(
      fill.mshr, [&](const Waiter& waiter) { return (waiter.packet.sectors & ~way.valid) == 0; },
      [&](const Waiter& waiter) {
        if (waiter.packet.kind == PacketKind::kAtomic) way.dirty |= waiter.packet.sectors;
        RepliesFor(waiter.packet).Push(waiter.packet);
        statistics_.latency.Add(now - waiter.since);
      });
  if (way.pending == 0) {
    FreeMshr(fill.mshr);
    tags_.Release(index);
    if (way.evict_on_fill) tags_.Invalidate(index);
  }
}

bool L2Slice::LookUp(const Waiter& request, uint64_t now) {
  const Packet& packet = request.packet;
  const LineNumber local = map_->Slice(packet.line).local;
  const uint32_t index = tags_.Find(local);
  if (packet.kind == PacketKind::kWrite) return Write(packet, local, index);
  if (Holds(index, packet.sectors)) return Hit(request, index, /*touch=*/true, now);
  return Miss(request, local, index, /*elsewhere=*/false);
}

bool L2Slice::Hit(const Waiter& request, uint32_t index, bool touch, uint64_t now) {
  const Packet& packet = request.packet;
  Ring<Packet>& replies = RepliesFor(packet);
  // Room for a fill's replies stays free: fills must never wait for ever behind a stream of hits.
  if (replies.room() <= merges_) return Fail(&statistics_.fails.queue);
  if (packet.kind == PacketKind::kAtomic) tags_.way(index).dirty |= packet.sectors;
  if (touch) tags_.Touch(index);
  Classify(tags_.line(index), packet.sectors, 0);
  replies.Push(packet);
  statistics_.hits += SectorCount(packet.sectors);
  statistics_.latency.Add(now - request.since);
  return true;
}

bool L2Slice::Write(const Packet& packet, LineNumber local, uint32_t index) {
  if (acknowledges_ && RepliesFor(packet).room() <= merges_) {
    return Fail(&statistics_.fails.queue);
  }
  if (index == TagArray::kNone) {
    index = TakeWay(local, 0);
    if (index == TagArray::kNone) return false;
  }
  TagArray::Way& way = tags_.way(index);
  way.valid |= packet.sectors;
  way.dirty |= packet.sectors;
  tags_.Touch(index);
  if (acknowledges_) RepliesFor(packet).Push(packet);
  Classify(local, packet.sectors, 0);
  statistics_.hits += SectorCount(packet.sectors);
  return true;
}

bool L2Slice::Miss(const Waiter& request, LineNumber local, uint32_t index, bool elsewhere) {
  const Packet& packet = request.packet;
  const bool present = index != TagArray::kNone;
  const bool in_flight = present && tags_.way(index).mshr != TagArray::kNoMshr;
  const SectorMask held = present ? tags_.way(index).valid | tags_.way(index).pending : 0;
  const auto wanted = static_cast<SectorMask>(packet.sectors & ~held);
  const SectorMask valid = present ? tags_.way(index).valid : SectorMask{0};
  const auto missing = static_cast<SectorMask>(packet.sectors & ~valid);
  if (in_flight && !mshrs_.HasRoom(tags_.way(index).mshr, missing)) {
    return Fail(&statistics_.fails.merge);
  }
  if (!mshrs_.HasFree(in_flight, wanted)) return Fail(&statistics_.fails.mshr);
  if (!in_flight && !MayTakeMshr(packet)) return Fail(&statistics_.fails.mshr);
  if (wanted != 0 && (elsewhere ? ForwardsFull() : misses_.full())) {
    return Fail(&statistics_.fails.queue);
  }
  if (!present) {
    index = TakeWay(local, elsewhere ? 0 : 1);
    if (index == TagArray::kNone) return false;
  }
  TagArray::Way& way = tags_.way(index);
  if (!in_flight) {
    tags_.Reserve(index, mshrs_.Allocate(index));
    TookMshr(packet, way.mshr);
  }
  mshrs_.Add(way.mshr, request, missing);
  tags_.Touch(index);
  if (wanted != 0) {
    way.pending |= wanted;
    mshrs_.Sent(wanted);
    if (elsewhere) {
      Forward(packet, wanted, way.mshr);
    } else {
      misses_.Push({map_->DramLine(slice_, local), way.mshr, wanted, false});
    }
  }
  const auto merged = static_cast<SectorMask>(packet.sectors & way.pending & ~wanted);
  Classify(local, packet.sectors, wanted);
  statistics_.mshr_hits += SectorCount(merged);
  statistics_.misses += SectorCount(wanted);
  statistics_.hits += SectorCount(packet.sectors) - SectorCount(wanted);
  return true;
}

uint32_t L2Slice::TakeWay(LineNumber local, size_t queue_room_needed) {
  const uint32_t index = tags_.Victim(local);
  if (index == TagArray::kNone) {
    ++statistics_.fails.way;
    return index;
  }
  const SectorMask dirty = tags_.free(index) ? SectorMask{0} : tags_.way(index).dirty;
  if (misses_.room() < queue_room_needed + (dirty != 0 ? 1 : 0)) {
    ++statistics_.fails.queue;
    return TagArray::kNone;
  }
  if (dirty != 0) {
    statistics_.write_backs += SectorCount(dirty);
    misses_.Push({map_->DramLine(slice_, tags_.line(index)), 0, dirty, true});
  }
  tags_.Assign(index, local);
  return index;
}

void L2Slice::Commit(uint64_t) {
  if (!replies_.empty() && reply_port_->CanSend()) {
    const Packet part = FirstPart(replies_.front(), reply_sectors_);
    reply_port_->Send(part, ReplyBytes(part));
    replies_.front().sectors ^= part.sectors;
    if (replies_.front().sectors == 0) {
      replies_.Pop();
      --unanswered_;
    }
  }
  if (!misses_.empty() && dram_->CanRequest()) {
    dram_->Request(misses_.front());
    misses_.Pop();
  }
}

uint64_t L2Slice::NextWork(uint64_t now) const {
  if (!fills_.empty() || !replies_.empty() || !misses_.empty() || flushing_) return now + 1;
  if (lane_.CanAdvance()) return now + 1;
  if (lane_.pipeline.empty()) return kNever;
  return std::max({now + 1, lane_.pipeline.front().ready, port_free_});
}

bool L2Slice::Drained() const {
  return lane_.input.empty() && lane_.pipeline.empty() && fills_.empty() && replies_.empty() &&
         misses_.empty() && mshrs_.used() == 0 && unanswered_ == 0 && !flushing_ &&
         dram_->Drained();
}

std::string L2Slice::Leftover() const {
  return LeftoverWith({lane_.input.size() + lane_.pipeline.size(), replies_.size()});
}

std::string L2Slice::LeftoverWith(const Held& held) const {
  return fmt::format("{} requests, {} MSHRs, {} replies, {} misses, {} without an answer",
                     held.requests, mshrs_.used(), held.replies, misses_.size(), unanswered_);
}

}  // namespace flagstone
