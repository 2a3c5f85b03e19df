#include "analyzer/replay/l1s.h"

#include <algorithm>

namespace flagstone::replay {

L1s::Sm::Sm(const SmConfig& config)
    : tags(config.l1.size_kib * 1024, config.l1.ways, config.l1.set_hash),
      there(size_t{tags.sets()} * config.l1.ways, 0),
      waiting(there.size(), 0),
      answers(config.l1.mshrs, 0),
      ends(config.lsu_queue, 0) {}

L1s::L1s(const MachineConfig& machine, MemoryLevels* levels)
    : cached_(machine.sm.l1.global == L1Global::kCached),
      sectored_(machine.sm.l1.sector_bytes < machine.sm.l1.line_bytes),
      by_sector_(machine.sm.l1.mshr_unit == MshrUnit::kSector),
      write_policy_(machine.sm.l1.write_policy),
      hit_latency_(machine.sm.l1.hit_latency),
      miss_latency_(machine.sm.l1.miss_latency),
      miss_queue_(machine.sm.l1.miss_queue),
      sectors_per_cycle_(machine.sm.l1.sectors_per_cycle),
      merges_(machine.sm.l1.mshr_merges),
      levels_(levels) {
  sms_.reserve(machine.sm.count);
  for (uint32_t sm = 0; sm < machine.sm.count; ++sm) sms_.emplace_back(machine.sm);
}

void L1s::EndInstruction(uint32_t index) {
  Sm& sm = sms_[index];
  sm.ends[sm.last_end] = sm.unit.free();
  sm.last_end = sm.last_end + 1 == sm.ends.size() ? 0 : sm.last_end + 1;
}

double L1s::Take(Sm* sm, SectorMask sectors, double now) {
  const uint32_t cycles = (SectorCount(sectors) + sectors_per_cycle_ - 1) / sectors_per_cycle_;
  busy_ += cycles;
  return sm->unit.Serve(now, cycles) - 1;
}

double L1s::Load(uint32_t index, LineNumber line, SectorMask sectors, double now) {
  Sm& sm = sms_[index];
  now = Take(&sm, sectors, now);
  if (!cached_) return levels_->Load(index, line, sectors, now + miss_latency_);
  if (!sectored_) sectors = kAllSectors;
  uint32_t way = sm.tags.Find(line);
  const SectorMask valid = way == TagArray::kNone ? SectorMask{0} : sm.tags.way(way).valid;
  const auto missing = static_cast<SectorMask>(sectors & ~valid);
  if (missing == 0) {
    sm.tags.Touch(way);
    if (sm.there[way] > now && ++sm.waiting[way] > merges_) {
      now = sm.unit.Serve(sm.there[way], 0);
    }
    return std::max(now + hit_latency_, sm.there[way]);
  }
  if (way == TagArray::kNone) {
    way = TakeWay(&sm, line, &now);
  } else {
    sm.tags.Touch(way);
  }
  double there = now;
  for (uint32_t of = by_sector_ ? SectorCount(missing) : 1; of > 0; --of) {
    double& answer = sm.answers[sm.next];
    now = std::max(now, answer);
    if (of == 1) answer = there = levels_->Load(index, line, missing, now + miss_latency_);
    sm.next = sm.next + 1 == sm.answers.size() ? 0 : sm.next + 1;
  }
  sm.unit.Serve(now, 0);
  sm.tags.way(way).valid |= missing;
  sm.waiting[way] = 1;
  sm.there[way] = std::max(sm.there[way], there);
  return there;
}

// The oldest one whose data have come.
uint32_t L1s::TakeWay(Sm* sm, LineNumber line, double* now) {
  uint32_t way = sm->tags.VictimBut(line, [&](uint32_t other) { return sm->there[other] > *now; });
  if (way == TagArray::kNone) {
    way = sm->tags.Victim(line);
    const uint32_t ways = sm->tags.associativity();
    for (uint32_t other = way / ways * ways; other < (way / ways + 1) * ways; ++other) {
      if (sm->there[other] < sm->there[way]) way = other;
    }
    *now = std::max(*now, sm->there[way]);
  }
  sm->tags.Assign(way, line);
  sm->there[way] = 0;
  return way;
}

// What goes to the L2 at `now` is in the stages behind the tags and in the miss queue until the
// port takes it.
void L1s::AwaitRoom(uint32_t index, double now) {
  const double places = miss_latency_ + miss_queue_;
  sms_[index].unit.Serve(levels_->Room(index, now + places) - places, 0);
}

double L1s::Store(uint32_t index, LineNumber line, SectorMask sectors, double now) {
  Sm& sm = sms_[index];
  now = Take(&sm, sectors, now);
  if (write_policy_ == WritePolicy::kWriteThroughEvict && cached_) Evict(&sm, line);
  if (write_policy_ == WritePolicy::kWriteThroughAllocate && cached_) {
    uint32_t way = sm.tags.Find(line);
    if (way == TagArray::kNone) {
      way = sm.tags.VictimBut(line, [&](uint32_t other) { return sm.there[other] > now; });
      if (way != TagArray::kNone) sm.tags.Assign(way, line);
    } else {
      sm.tags.Touch(way);
    }
    if (way != TagArray::kNone) sm.tags.way(way).valid |= sectors;
  }
  AwaitRoom(index, now);
  return levels_->Store(index, line, sectors, now + miss_latency_);
}

double L1s::Atomic(uint32_t index, LineNumber line, SectorMask sectors, double now) {
  Sm& sm = sms_[index];
  now = Take(&sm, sectors, now);
  if (cached_) Evict(&sm, line);
  AwaitRoom(index, now);
  return levels_->Atomic(index, line, sectors, now + miss_latency_);
}

double L1s::Copy(uint32_t index, LineNumber line, SectorMask sectors, double now) {
  return levels_->Load(index, line, sectors, Take(&sms_[index], sectors, now));
}

void L1s::Evict(Sm* sm, LineNumber line) {
  const uint32_t way = sm->tags.Find(line);
  if (way != TagArray::kNone && sm->tags.way(way).valid != 0) sm->tags.Invalidate(way);
}

}  // namespace flagstone::replay
