#include "gpu_model/blocks/prefetcher/caps/caps_prefetcher.h"

#include <algorithm>

#include "gpu_model/blocks/common/masks.h"

namespace flagstone {
namespace {

constexpr uint64_t kLineBytes = 128;

bool Accepts(const CapsIn& in) {
  return in.load_valid && !in.load_indirect && in.load_count >= 1 && in.load_count <= kCapsBases;
}

bool Ends(const CapsIn& in, uint32_t slot) { return ((in.cta_end >> slot) & 1) != 0; }

uint32_t Distance(uint32_t a, uint32_t b) { return a > b ? a - b : b - a; }

}  // namespace

bool CapsPrefetcher::Beat::Last() const { return number + 1 == std::min(count, bases); }

bool CapsPrefetcher::Beat::Reads() const { return valid && use != Use::kWrite && number < bases; }

bool CapsPrefetcher::Beat::Wants() const {
  if (!valid) return false;
  if (use == Use::kTrain) return number < std::min(count, bases);
  return use == Use::kCheck && number < bases;
}

CapsPrefetcher::CapsPrefetcher(const CapsConfig& config)
    : config_(config),
      address_mask_(MaskOf(config.addr_bits)),
      percta_(config.cta_slots),
      dist_(config),
      generator_(config) {
  Reset();
}

void CapsPrefetcher::Reset() {
  percta_.Clear();
  dist_.Clear();
  generator_.Reset();
  for (Beat& beat : stages_) beat.valid = false;
  decision_ = {};
  out_ = {};
}

// A first beat finds its entry or the one to fill; the others of its load do as the first.
void CapsPrefetcher::DecideTag(const CapsIn& in, PrefetchGenerator::Events* events) const {
  const Beat& t = stages_[kTag];
  if (!t.valid || t.number != 0 || Ends(in, t.slot) || in.kernel_end) return;
  const uint32_t found = FindEntry(percta_[t.slot], t.pc);
  events->write_slot = t.slot;
  if (found == kNoEntry) {
    events->write_entry = EntryToFill(percta_[t.slot]);
  } else if (Renews(found)) {
    events->write_entry = found;
  }
}

bool CapsPrefetcher::Renews(uint32_t entry) const {
  const Beat& t = stages_[kTag];
  return percta_[t.slot][entry].lead == t.warp && config_.refresh_base;
}

// What the generator learns of a load's first beat.
void CapsPrefetcher::DecideBase(const CapsIn& in, PrefetchGenerator::Events* events) const {
  const Beat& p = stages_[kBase];
  if (!p.valid || p.number != 0) return;
  if (p.use == Use::kWrite) {
    if (!p.refresh) {
      events->replaced_entry = p.entry;
      events->replaced_slot = p.slot;
    }
    if (p.dist_entry != kNoEntry && !dist_.Throttled(p.dist_entry)) {
      events->case_b_entry = p.dist_entry;
      events->case_b_slot = p.slot;
    }
  } else if (config_.case_a_paced && p.use == Use::kCheck && !Ends(in, p.slot) &&
             p.dist_entry != events->case_a_entry) {
    events->pace_entry = p.dist_entry;
    events->pace_slot = p.slot;
    events->pace_distance = static_cast<int32_t>(p.warp) - static_cast<int32_t>(p.lead);
  }
}

CapsPrefetcher::Beat CapsPrefetcher::Look(const PrefetchGenerator::Events& events) const {
  Beat beat = stages_[kTag];
  if (!beat.valid) return beat;
  if (beat.number != 0) {
    const Beat& before = stages_[kBase];
    beat.use = before.use;
    beat.entry = before.entry;
    beat.lead = before.lead;
    beat.bases = before.bases;
    beat.dist_entry = before.dist_entry;
    beat.place = before.place;
    return beat;
  }
  beat.dist_entry = t_dist_entry_;
  if (events.write_entry != kNoEntry) {
    beat.use = Use::kWrite;
    beat.entry = events.write_entry;
    beat.refresh = FindEntry(percta_[beat.slot], beat.pc) != kNoEntry;
    beat.lead = beat.warp;
    beat.bases = beat.count;
    if (beat.dist_entry == events.case_a_entry) beat.dist_entry = kNoEntry;  // it is replaced
    return beat;
  }
  beat.entry = FindEntry(percta_[beat.slot], beat.pc);
  if (beat.entry == kNoEntry) return beat;  // its CTA ends in this cycle
  const PerCtaEntry& entry = percta_[beat.slot][beat.entry];
  beat.lead = entry.lead;
  beat.bases = entry.count;
  beat.place = Busy(0) ? 1 : 0;
  if (beat.warp == entry.lead) {
    beat.use = Use::kNone;
  } else if (t_dist_entry_ != kNoEntry) {
    beat.use = Use::kCheck;
  } else {
    const bool trains = Distance(beat.warp, entry.lead) == 1 && MayTrain();
    beat.use = trains ? Use::kTrain : Use::kNone;
  }
  return beat;
}

bool CapsPrefetcher::Busy(uint32_t place) const {
  for (uint32_t s = kBase; s <= kCompare; ++s) {
    const Beat& beat = stages_[s];
    if (beat.use == Use::kTrain && beat.Wants() && beat.place == place) return true;
  }
  return decision_.train && decision_.beat.place == place;
}

bool CapsPrefetcher::MayTrain() const {
  if (Busy(0) && Busy(1)) return false;
  for (uint32_t k = 0; k < places_.size(); ++k) {
    if (places_[k].pc == stages_[kTag].pc && (Busy(k) || places_[k].was_busy)) return false;
  }
  return true;
}

// P: a base is written or read.
void CapsPrefetcher::ReadOrWriteBase() {
  Beat& p = stages_[kBase];
  if (!p.valid) return;
  PerCtaEntry& entry = percta_[p.slot][p.entry];
  if (p.Wants()) p.base = entry.bases[p.number];
  if (p.use == Use::kWrite && p.number < p.count) entry.bases[p.number] = p.addr;
}

// M and A: the arithmetic, with the stride as M finds it.
void CapsPrefetcher::Compute() {
  Beat& m = stages_[kMultiply];
  if (!m.Wants()) return;
  if (m.use == Use::kTrain) {
    m.value = (m.warp >= m.lead ? m.addr - m.base : m.base - m.addr) & address_mask_;
  } else {
    const uint64_t delta = uint64_t{m.warp} - uint64_t{m.lead};
    m.value = (m.base + delta * dist_[m.dist_entry].stride) & address_mask_;
  }
}

// Whether one of the addresses of C's load lies in this line.
bool CapsPrefetcher::LineOfLoad(uint64_t address) const {
  const auto matches = [address](const Beat& beat) {
    return beat.number < beat.count && beat.addr / kLineBytes == address / kLineBytes;
  };
  // The load's other beats are up to three stages behind and ahead.
  if (matches(stages_[kCompare])) return true;
  for (uint32_t s = kCompare; s > kBase && stages_[s - 1].valid && stages_[s - 1].number != 0;
       --s) {
    if (matches(stages_[s - 1])) return true;
  }
  for (uint32_t s = kCompare; s < kPast3 && stages_[s].number != 0; ++s) {
    if (matches(stages_[s + 1])) return true;
  }
  return false;
}

CapsPrefetcher::Decision CapsPrefetcher::DecideCompare(const PrefetchGenerator::Events& events,
                                                       Verdict* verdict) {
  Decision decision;
  const Beat& c = stages_[kCompare];
  if (!c.valid) return decision;
  const bool first = c.number == 0;
  if (first) {
    unequal_ = false;
    wrong_ = false;
  }
  if (!c.Wants()) return decision;
  const bool replaced = c.dist_entry == events.case_a_entry;
  if (c.use == Use::kTrain) {
    if (first) stride_ = c.value;
    unequal_ = unequal_ || c.value != stride_;
    if (!c.Last()) return decision;
    const bool stale = c.stale || (events.write_entry == c.entry && events.write_slot == c.slot);
    decision = {.train = !unequal_, .fall = unequal_ && !stale, .beat = c};
    decision.beat.value = stride_;
  } else if (!LineOfLoad(c.value)) {
    if (!wrong_ && !replaced) verdict->wrong = c.dist_entry;
    wrong_ = true;
  } else if (first && !replaced) {
    verdict->right = c.dist_entry;
  }
  return decision;
}

// The load's CTA may have ended since C: its stride holds for the others.
void CapsPrefetcher::DecideTable(PrefetchGenerator::Events* events) const {
  const Beat& load = decision_.beat;
  if (decision_.train) {
    events->case_a_entry = dist_.ToFill();
    events->case_a_slot = load.slot;
    events->case_a_below = load.warp < load.lead;
  } else if (decision_.fall) {
    events->fall_entry = load.entry;
    events->fall_slot = load.slot;
  }
}

void CapsPrefetcher::Advance(const CapsIn& in, const Beat& looked,
                             const PrefetchGenerator::Events& events) {
  const Beat l = stages_[kLookUp];
  for (uint32_t s = kStages - 1; s > kBase; --s) {
    const Beat& from = stages_[s - 1];
    Beat next = from;
    if (s <= kCompare) {
      next.stale =
          from.stale || (events.write_entry == from.entry && events.write_slot == from.slot);
      next.valid = from.valid && !(s == kMultiply && Ends(in, from.slot));
    }
    stages_[s] = next;
  }
  stages_[kBase] = looked;
  stages_[kBase].valid = looked.valid && !Ends(in, looked.slot);
  stages_[kTag] = l;
  stages_[kTag].valid = l.valid && !Ends(in, l.slot);
  // A stride that is replaced is lost to the beats that would use it.
  for (uint32_t s = kBase; s <= kCompare && events.case_a_entry != kNoEntry; ++s) {
    if (stages_[s].dist_entry != events.case_a_entry) continue;
    if (stages_[s].use == Use::kCheck) stages_[s].use = Use::kNone;
  }
  if (l.valid) stages_[kTag].addr = load_addr_[l.number];

  Beat& load = stages_[kLookUp];
  if (Accepts(in)) {
    load = Beat{};
    load.valid = !Ends(in, in.load_slot);
    load.pc = in.load_pc & MaskOf(config_.pc_bits);
    load.slot = in.load_slot;
    load.warp = in.load_warp;
    load.count = in.load_count;
    for (uint32_t k = 0; k < kCapsBases; ++k) load_addr_[k] = in.load_addr[k] & address_mask_;
  } else if (load.valid) {
    load.valid = !Ends(in, load.slot) && load.number + 1 < kCapsBases;
    ++load.number;
  }
}

void CapsPrefetcher::Tick(const CapsIn& in) {
  // What happens at this edge follows from the state before it.
  PrefetchGenerator::Events events;
  Verdict verdict;
  DecideTag(in, &events);
  DecideTable(&events);
  const Decision decision = DecideCompare(events, &verdict);
  const Beat& l = stages_[kLookUp];
  const Beat& p = stages_[kBase];
  const bool needs_stride = p.use == Use::kCheck && p.Wants() && p.dist_entry != kNoEntry &&
                            p.dist_entry != events.case_a_entry;
  events.look_grant = !Accepts(in) && !needs_stride;
  events.word_grant = !p.Reads();
  DecideBase(in, &events);
  const Beat looked = Look(events);
  uint32_t found = dist_.Find(l.pc);
  if (found == events.case_a_entry) found = kNoEntry;  // it is being replaced

  generator_.Tick(in, events, percta_, dist_);
  // T takes a place for its PC, which it keeps if it trains.
  const Beat& t = stages_[kTag];
  const bool busy[2] = {Busy(0), Busy(1)};
  if (t.valid && t.number == 0 && !Ends(in, t.slot) && !(busy[0] && busy[1])) {
    places_[busy[0] ? 1 : 0].pc = t.pc;
  }
  places_[0].was_busy = busy[0];
  places_[1].was_busy = busy[1];
  ReadOrWriteBase();
  Compute();
  t_dist_entry_ = found;
  if (events.fall_entry != kNoEntry) percta_[events.fall_slot][events.fall_entry].valid = false;
  if (events.write_entry != kNoEntry) {
    PerCtaEntry& entry = percta_[events.write_slot][events.write_entry];
    entry.valid = true;
    entry.pc = stages_[kTag].pc;
    entry.lead = stages_[kTag].warp;
    entry.count = stages_[kTag].count;
    percta_.Touch(&entry);
  }
  if (events.case_a_entry != kNoEntry) dist_.Train(decision_.beat.pc, decision_.beat.value);
  if (verdict.wrong != kNoEntry) dist_.Predicted(verdict.wrong, false);
  if (verdict.right != kNoEntry) dist_.Predicted(verdict.right, true);
  for (uint32_t slot = 0; slot < config_.cta_slots; ++slot) {
    if (Ends(in, slot)) percta_.ClearSlot(slot);
  }
  if (in.kernel_end) {
    Reset();
    return;
  }
  Advance(in, looked, events);
  decision_ = decision;

  generator_.Show(dist_, &out_);
  out_.throttled = 0;
  for (uint32_t e = 0; e < kCapsEntries; ++e) {
    if (dist_.Throttled(e)) out_.throttled |= 1U << e;
  }
  out_.quiescent = generator_.Idle(out_.throttled) && !decision_.train && !decision_.fall;
  for (uint32_t s = kLookUp; s <= kCompare; ++s)
    out_.quiescent = out_.quiescent && !stages_[s].valid;
}

}  // namespace flagstone
