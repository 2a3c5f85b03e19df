#include "gpu_model/memory/l2_slice.h"

#include <fmt/core.h>

#include <algorithm>

namespace flagstone {
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
      input_(config.input_queue),
      pipeline_(config.pipeline_latency + 1),  // one request a cycle
      // Each MSHR may have one DRAM read per sector under way: a reply always finds a place.
      fills_(size_t{config.cache.mshrs} * (kLineBytes / kSectorBytes)),
      replies_(size_t{merges_} + 8),
      misses_(config.cache.miss_queue) {}

void L2Slice::Warm(LineNumber local) {
  uint32_t index = tags_.Find(local);
  if (index == TagArray::kNone) {
    index = tags_.Victim(local);
    tags_.Assign(index, local);
  }
  tags_.way(index).valid = kAllSectors;
  tags_.Touch(index);
}

void L2Slice::Accept(const Packet& packet) {
  input_.Push(packet);
  if (ExpectsReply(packet)) ++unanswered_;
  Wake();
}

void L2Slice::DramReply(uint16_t tag, SectorMask sectors) {
  fills_.Push({tag, sectors});
  Wake();
}

void L2Slice::Sample(uint64_t now) {
  if (!fills_.empty() && replies_.room() >= merges_) ProcessFill(now);
  if (!pipeline_.empty() && pipeline_.front().ready <= now && port_free_ <= now) {
    Packet& packet = pipeline_.front().packet;
    if (const uint32_t turns = packet.conflicts * atomic_interval_; turns > 0) {
      port_free_ = now + turns;  // the lanes of one address, one after the other
      packet.conflicts = 0;
    } else if (LookUp({packet, pipeline_.front().ready - pipeline_latency_}, now)) {
      port_free_ = now + SectorCount(packet.sectors);
      CountAccess(packet);
      pipeline_.Pop();
    }
  }
  if (!input_.empty() && !pipeline_.full()) {
    pipeline_.Push({input_.front(), now + pipeline_latency_});
    input_.Pop();
  }
}

void L2Slice::CountAccess(const Packet& packet) {
  const uint32_t sectors = SectorCount(packet.sectors);
  statistics_.accesses += sectors;
  uint64_t& kind = packet.kind == PacketKind::kWrite    ? statistics_.writes
                   : packet.kind == PacketKind::kAtomic ? statistics_.atomics
                                                        : statistics_.reads;
  kind += sectors;
}

void L2Slice::ProcessFill(uint64_t now) {
  const Fill fill = fills_.front();
  fills_.Pop();
  TagArray::Way& way = tags_.way(mshrs_.way(fill.mshr));
  way.valid |= fill.sectors;
  way.pending = static_cast<SectorMask>(way.pending & ~fill.sectors);
  mshrs_.Came(fill.sectors);
  mshrs_.Release(
      fill.mshr, [&](const Waiter& waiter) { return (waiter.packet.sectors & ~way.valid) == 0; },
      [&](const Waiter& waiter) {
        if (waiter.packet.kind == PacketKind::kAtomic) way.dirty |= waiter.packet.sectors;
        replies_.Push(waiter.packet);
        statistics_.latency.Add(now - waiter.since);
      });
  if (way.pending == 0) {
    mshrs_.Free(fill.mshr);
    way.mshr = TagArray::kNoMshr;
  }
}

bool L2Slice::LookUp(const Waiter& request, uint64_t now) {
  const Packet& packet = request.packet;
  const LineNumber local = map_->Slice(packet.line).local;
  const uint32_t index = tags_.Find(local);
  if (packet.kind == PacketKind::kWrite) return Write(packet, local, index);
  if (index != TagArray::kNone && (packet.sectors & ~tags_.way(index).valid) == 0) {
    // Room for a fill's replies stays free: fills must never wait for ever behind a stream of hits.
    if (replies_.room() <= merges_) return Fail(&statistics_.fails.queue);
    if (packet.kind == PacketKind::kAtomic) tags_.way(index).dirty |= packet.sectors;
    tags_.Touch(index);
    replies_.Push(packet);
    statistics_.hits += SectorCount(packet.sectors);
    statistics_.latency.Add(now - request.since);
    return true;
  }
  return Miss(request, local, index);
}

bool L2Slice::Write(const Packet& packet, LineNumber local, uint32_t index) {
  if (acknowledges_ && replies_.room() <= merges_) return Fail(&statistics_.fails.queue);
  if (index == TagArray::kNone) {
    index = TakeWay(local, 0);
    if (index == TagArray::kNone) return false;
  }
  TagArray::Way& way = tags_.way(index);
  way.valid |= packet.sectors;
  way.dirty |= packet.sectors;
  tags_.Touch(index);
  if (acknowledges_) replies_.Push(packet);
  statistics_.hits += SectorCount(packet.sectors);
  return true;
}

bool L2Slice::Miss(const Waiter& request, LineNumber local, uint32_t index) {
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
  if (wanted != 0 && misses_.full()) return Fail(&statistics_.fails.queue);
  if (!present) {
    index = TakeWay(local, 1);
    if (index == TagArray::kNone) return false;
  }
  TagArray::Way& way = tags_.way(index);
  if (!in_flight) way.mshr = mshrs_.Allocate(index);
  mshrs_.Add(way.mshr, request, missing);
  tags_.Touch(index);
  if (wanted != 0) {
    way.pending |= wanted;
    mshrs_.Sent(wanted);
    misses_.Push({map_->DramLine(slice_, local), way.mshr, wanted, false});
  }
  const auto merged = static_cast<SectorMask>(packet.sectors & way.pending & ~wanted);
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
  if (!fills_.empty() || !replies_.empty() || !misses_.empty()) return now + 1;
  if (!input_.empty() && !pipeline_.full()) return now + 1;
  if (pipeline_.empty()) return kNever;
  return std::max({now + 1, pipeline_.front().ready, port_free_});
}

bool L2Slice::Drained() const {
  return input_.empty() && pipeline_.empty() && fills_.empty() && replies_.empty() &&
         misses_.empty() && mshrs_.used() == 0 && unanswered_ == 0 && dram_->Drained();
}

std::string L2Slice::Leftover() const {
  return fmt::format("{} requests, {} MSHRs, {} replies, {} misses, {} without an answer",
                     input_.size() + pipeline_.size(), mshrs_.used(), replies_.size(),
                     misses_.size(), unanswered_);
}

}  // namespace flagstone
