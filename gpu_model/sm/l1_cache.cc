#include "gpu_model/sm/l1_cache.h"

#include <algorithm>

namespace flagstone {
namespace {

Packet MissPacket(PacketKind kind, LineNumber line, SectorMask sectors, uint16_t tag) {
  Packet packet;
  packet.line = line;
  packet.tag = tag;
  packet.sectors = sectors;
  packet.kind = kind;
  return packet;
}

}  // namespace

L1Cache::L1Cache(const CacheConfig& config)
    : miss_queue_(MissPlaces(config)),
      sectored_(config.sector_bytes < config.line_bytes),
      write_policy_(config.write_policy),
      tags_(config.size_kib * 1024, config.ways, config.set_hash),
      mshrs_(config.mshrs, config.mshr_merges, config.mshr_unit) {}

L1Cache::Outcome L1Cache::Load(LineNumber line, SectorMask sectors, uint16_t load) {
  if (!sectored_) sectors = kAllSectors;
  uint32_t index = tags_.Find(line);
  const bool present = index != TagArray::kNone;
  const SectorMask valid = present ? tags_.way(index).valid : SectorMask{0};
  const SectorMask pending = present ? tags_.way(index).pending : SectorMask{0};
  const auto missing = static_cast<SectorMask>(sectors & ~valid);
  if (missing == 0) {
    tags_.Touch(index);
    if (marks_ != nullptr) marks_->Wanted(index, /*in_flight=*/false);
    CountHit(line, sectors);
    return Outcome::kHit;
  }
  const bool in_flight = present && tags_.way(index).mshr != TagArray::kNoMshr;
  const auto wanted = static_cast<SectorMask>(missing & ~pending);
  if (!mshrs_.HasFree(in_flight, wanted)) return Outcome::kNoMshr;
  if (in_flight && !mshrs_.HasRoom(tags_.way(index).mshr, missing)) return Outcome::kNoMerge;
  if (wanted != 0 && miss_queue_.full()) return Outcome::kMissQueueFull;
  if (!present) {
    index = DemandVictim(line);
    if (index == TagArray::kNone) return Outcome::kNoWay;
    if (victim_tags_ != nullptr) {
      if (!tags_.free(index)) victim_tags_->Replaced(tags_.line(index), index);
      victim_tags_->Miss(line, index);
    }
    if (marks_ != nullptr) {
      marks_->Replaced(index);
      marks_->Missed(line);
    }
    tags_.Assign(index, line);
  } else if (marks_ != nullptr) {
    marks_->Wanted(index, in_flight);
  }
  TagArray::Way& way = tags_.way(index);
  if (!in_flight) tags_.Reserve(index, mshrs_.Allocate(index));
  mshrs_.Add(way.mshr, {load, sectors}, missing);
  tags_.Touch(index);
  if (wanted != 0) {
    way.pending |= wanted;
    mshrs_.Sent(wanted);
    miss_queue_.Push(MissPacket(PacketKind::kRead, line, wanted, way.mshr));
  }
  statistics_.accesses += Units(sectors);
  statistics_.loads += Units(sectors);
  if (sectored_) {
    statistics_.hits += SectorCount(sectors) - SectorCount(missing);
    statistics_.mshr_hits += SectorCount(missing) - SectorCount(wanted);
    statistics_.misses += SectorCount(wanted);
  } else if (wanted != 0) {
    ++statistics_.misses;
  } else {
    ++statistics_.mshr_hits;
  }
  if (classes_ != nullptr) Classify(line, sectors, wanted);
  return Outcome::kPending;
}

uint32_t L1Cache::AwaitedIn(LineNumber line) const {
  const uint32_t first = tags_.SetOf(line) * tags_.associativity();
  uint32_t awaited = 0;
  for (uint32_t index = first; index < first + tags_.associativity(); ++index) {
    awaited += uint32_t{marks_->IsAwaited(index)};
  }
  return awaited;
}

uint32_t L1Cache::DemandVictim(LineNumber line) const {
  if (!keeps_awaited_) return tags_.Victim(line);
  const uint32_t index =
      tags_.VictimBut(line, [this](uint32_t way) { return marks_->IsAwaited(way); });
  return index != TagArray::kNone ? index : tags_.Victim(line);
}

bool L1Cache::Hit(LineNumber line, SectorMask sectors) {
  if (!sectored_) sectors = kAllSectors;
  const uint32_t index = tags_.Find(line);
  if (index == TagArray::kNone) return false;
  const TagArray::Way& way = tags_.way(index);
  if (way.mshr != TagArray::kNoMshr || (sectors & ~way.valid) != 0) return false;
  tags_.Touch(index);
  CountHit(line, sectors);
  return true;
}

void L1Cache::CountHit(LineNumber line, SectorMask sectors) {
  const uint64_t units = Units(sectors);
  statistics_.accesses += units;
  statistics_.loads += units;
  statistics_.hits += units;
  if (classes_ != nullptr) Classify(line, sectors, 0);
}

bool L1Cache::Store(LineNumber line, SectorMask sectors, uint16_t tag) {
  if (miss_queue_.full()) return false;
  if (write_policy_ == WritePolicy::kWriteThroughEvict) Evict(line);
  if (write_policy_ == WritePolicy::kWriteThroughAllocate) Allocate(line, sectors);
  miss_queue_.Push(MissPacket(PacketKind::kWrite, line, sectors, tag));
  statistics_.accesses += Units(sectors);
  statistics_.stores += Units(sectors);
  statistics_.misses += Units(sectors);
  return true;
}

bool L1Cache::Atomic(LineNumber line, SectorMask sectors, uint16_t tag) {
  if (miss_queue_.full()) return false;
  Evict(line);
  miss_queue_.Push(MissPacket(PacketKind::kAtomic, line, sectors, tag));
  statistics_.accesses += Units(sectors);
  statistics_.atomics += Units(sectors);
  statistics_.misses += Units(sectors);
  return true;
}

bool L1Cache::Bypass(PacketKind kind, LineNumber line, SectorMask sectors, uint16_t tag) {
  if (miss_queue_.full()) return false;
  miss_queue_.Push(MissPacket(kind, line, sectors, tag));
  statistics_.bypassed += SectorCount(sectors);
  return true;
}

void L1Cache::CountFail(Outcome outcome, uint64_t cycles) {
  statistics_.reservation_fails += cycles;
  L1Fails& fails = statistics_.fails;
  switch (outcome) {
    case Outcome::kNoMshr:
      fails.mshr += cycles;
      break;
    case Outcome::kNoMerge:
      fails.merge += cycles;
      break;
    case Outcome::kNoWay:
      fails.way += cycles;
      break;
    case Outcome::kMissQueueFull:
      fails.queue += cycles;
      break;
    case Outcome::kNoLoadSlot:
      fails.load_slot += cycles;
      break;
    case Outcome::kHit:
    case Outcome::kPending:
      break;
  }
}

// The sectors count as valid as a whole: byte masks would go along with them (assumption). Where
// all ways are reserved, the store only goes through.
void L1Cache::Allocate(LineNumber line, SectorMask sectors) {
  uint32_t index = tags_.Find(line);
  if (index == TagArray::kNone) {
    index = tags_.Victim(line);
    if (index == TagArray::kNone) return;
    if (marks_ != nullptr) marks_->Replaced(index);
    tags_.Assign(index, line);
  }
  tags_.way(index).valid |= sectors;
  tags_.Touch(index);
}

void L1Cache::ClassifyMisses() {
  classes_ = std::make_unique<MissClasses>(tags_.sets() * tags_.associativity());
}

void L1Cache::Classify(LineNumber line, SectorMask sectors, SectorMask wanted) {
  const auto mask = [&](SectorMask m) { return sectored_ ? m : SectorMask{m != 0}; };
  classes_->Load(line, mask(sectors), mask(wanted));
  statistics_.classes = classes_->counts();
}

void L1Cache::Evict(LineNumber line) {
  if (classes_ != nullptr) classes_->Evict(line);
  const uint32_t index = tags_.Find(line);
  if (index == TagArray::kNone) return;
  if (tags_.way(index).mshr != TagArray::kNoMshr) {
    tags_.way(index).evict_on_fill = true;
  } else {
    Invalidate(index);
  }
}

void L1Cache::Retire(uint16_t mshr, uint32_t index) {
  mshrs_.Free(mshr);
  tags_.Release(index);
  if (marks_ != nullptr) marks_->Filled(index);
  if (tags_.way(index).evict_on_fill) Invalidate(index);
}

void L1Cache::Invalidate(uint32_t index) {
  if (marks_ != nullptr) marks_->Overwritten(index);
  tags_.Invalidate(index);
}

L1Cache::Presence L1Cache::Find(LineNumber line) const {
  const uint32_t index = tags_.Find(line);
  if (index == TagArray::kNone) return Presence::kAbsent;
  if (tags_.way(index).mshr == TagArray::kNoMshr) return Presence::kHere;
  const bool unused = marks_ != nullptr && marks_->IsUnused(index);
  return unused ? Presence::kPrefetched : Presence::kDemanded;
}

L1Cache::Outcome L1Cache::Prefetch(LineNumber line, uint32_t mshr_reserve, uint32_t* way) {
  if (mshrs_.free() <= mshr_reserve) return Outcome::kNoMshr;
  if (miss_queue_.room() < 2) return Outcome::kMissQueueFull;
  if (keeps_awaited_) {
    if (AwaitedIn(line) >= std::max(1U, tags_.associativity() / 2)) return Outcome::kNoWay;
    *way = tags_.VictimBut(line, [this](uint32_t index) { return marks_->IsAwaited(index); });
  } else {
    *way = tags_.Victim(line);
  }
  if (*way == TagArray::kNone) return Outcome::kNoWay;
  if (marks_ != nullptr) marks_->Replaced(*way);
  if (victim_tags_ != nullptr && !tags_.free(*way)) victim_tags_->Replaced(tags_.line(*way), *way);
  tags_.Assign(*way, line);
  tags_.Reserve(*way, mshrs_.Allocate(*way));
  tags_.way(*way).pending = kAllSectors;
  mshrs_.Sent(kAllSectors);
  miss_queue_.Push(MissPacket(PacketKind::kRead, line, kAllSectors, tags_.way(*way).mshr));
  return Outcome::kPending;
}

}  // namespace flagstone
