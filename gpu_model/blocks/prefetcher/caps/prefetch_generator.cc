#include "gpu_model/blocks/prefetcher/caps/prefetch_generator.h"

#include <bit>

#include "gpu_model/blocks/common/masks.h"

namespace flagstone {

PrefetchGenerator::PrefetchGenerator(const CapsConfig& config)
    : address_mask_(MaskOf(config.addr_bits)),
      all_slots_(static_cast<uint32_t>(MaskOf(config.cta_slots))),
      paced_(config.case_a_paced),
      confidence_(config.confidence) {}

void PrefetchGenerator::Reset() {
  state_ = State::kIdle;
  waiting_ = whole_ = {};
  pace_slot_.fill(kMaxCtaSlots);
  throttled_ = 0;
  void_ = false;
  base_valid_ = false;
  probe_valid_ = false;
  prefetch_valid_ = false;
}

void PrefetchGenerator::Show(const DistTable& dist, CapsOut* out) const {
  out->probe_valid = probe_valid_;
  out->probe_addr = probe_addr_;
  out->prefetch_valid = prefetch_valid_;
  out->prefetch_addr = prefetch_addr_;
  out->prefetch_warp = prefetch_warp_;
  out->prefetch_slot = prefetch_slot_;
  out->prefetch_pc = dist[prefetch_entry_].pc;
}

void PrefetchGenerator::UpdateWaiting(const CapsIn& in, const Events& events, const DistTable& dist,
                                      bool pick, uint32_t pick_entry, uint32_t pick_slot) {
  if (pick) waiting_[pick_entry] &= ~(1U << pick_slot);
  if (events.case_b_entry != kNoEntry) waiting_[events.case_b_entry] |= 1U << events.case_b_slot;
  if (events.pace_entry != kNoEntry && pace_slot_[events.pace_entry] == events.pace_slot) {
    waiting_[events.pace_entry] |= all_slots_ & ~(1U << events.pace_slot);
  }
  for (uint32_t e = 0; e < kCapsEntries; ++e) {
    // A stride that has proved itself is as a new one is without that: all slots wait for it.
    if (confidence_ && (throttled_ >> e & 1) != 0) waiting_[e] = all_slots_;
    if (dist.Throttled(e)) waiting_[e] = 0;
    if (e == events.case_a_entry) waiting_[e] = all_slots_ & ~(1U << events.case_a_slot);
    waiting_[e] &= ~in.cta_end;
    throttled_ = (throttled_ & ~(1U << e)) | uint32_t{dist.Throttled(e)} << e;
  }
}

// Whose warps set the pace, and how far they are.
void PrefetchGenerator::Pace(const CapsIn& in, const Events& events, bool pick, uint32_t pick_entry,
                             uint32_t pick_slot) {
  if (pick) whole_[pick_entry] &= ~(1U << pick_slot);
  if (events.case_b_entry != kNoEntry) whole_[events.case_b_entry] |= 1U << events.case_b_slot;
  if (events.pace_entry != kNoEntry && pace_slot_[events.pace_entry] == events.pace_slot) {
    distance_[events.pace_entry] = events.pace_distance;
  }
  if (events.case_a_entry != kNoEntry) {
    whole_[events.case_a_entry] = 0;
    pace_slot_[events.case_a_entry] = events.case_a_slot;
    distance_[events.case_a_entry] = events.case_a_below ? -1 : 1;
  }
  for (uint32_t e = 0; e < kCapsEntries; ++e) {
    whole_[e] &= ~in.cta_end;
    if (pace_slot_[e] < kMaxCtaSlots && ((in.cta_end >> pace_slot_[e]) & 1) != 0) {
      pace_slot_[e] = kMaxCtaSlots;
    }
  }
}

bool PrefetchGenerator::Dropped(const CapsIn& in, const Events& events,
                                const DistTable& dist) const {
  if (state_ == State::kIdle) return false;
  if (((in.cta_end >> slot_) & 1) != 0 || dist.Throttled(entry_) || events.case_a_entry == entry_) {
    return true;
  }
  // Case B for this very job, before it has found its entry: the new job will do.
  if (events.case_b_entry == entry_ && events.case_b_slot == slot_) return true;
  return void_;
}

bool PrefetchGenerator::EntryGoes(const Events& events) const {
  return (events.replaced_entry == percta_entry_ && events.replaced_slot == slot_) ||
         (events.fall_entry == percta_entry_ && events.fall_slot == slot_);
}

void PrefetchGenerator::Tick(const CapsIn& in, const Events& events, const PerCtaTable& percta,
                             const DistTable& dist) {
  if (in.kernel_end) {
    Reset();
    return;
  }
  // The next job: lowest DIST entry that has any, lowest slot.
  uint32_t pick_entry = 0;
  while (pick_entry < kCapsEntries && waiting_[pick_entry] == 0) ++pick_entry;
  const bool pick = state_ == State::kIdle && pick_entry != kCapsEntries;
  const uint32_t pick_slot =
      pick ? static_cast<uint32_t>(std::countr_zero(waiting_[pick_entry])) : 0;

  const bool dropped = Dropped(in, events, dist);
  const bool more_below = (live_ & MaskOf(warp_)) != 0;
  const bool more_above = (live_ & ~MaskOf(warp_ + 1)) != 0;
  const bool wanted = warp_ < 64 && ((live_ >> warp_) & 1) != 0 && warp_ != lead_ &&
                      (job_whole_ || static_cast<int32_t>(warp_) == target_);
  const bool room = !prefetch_valid_ || in.prefetch_ready;
  const bool probe_goes = probe_valid_ && in.probe_done && (in.probe_present || room);
  const bool emitted = probe_goes && !in.probe_present && !dropped;
  const bool probe_room = !probe_valid_ || probe_goes;
  const bool base_goes = base_valid_ && probe_room;
  const bool base_room = !base_valid_ || probe_room;
  const bool fetch = state_ == State::kWalk && wanted && base_room && events.word_grant && !dropped;
  const bool last_base = number_ + 1 == count_;
  const bool drained = !base_valid_ && probe_room;
  const bool goes = state_ >= State::kDown && EntryGoes(events);
  live_ = in.live_warps[slot_];

  // The prefetch at the output.
  const bool falls = ((in.cta_end >> prefetch_slot_) & 1) != 0 ||
                     events.case_a_entry == prefetch_entry_ || dist.Throttled(prefetch_entry_);
  prefetch_valid_ = emitted || (prefetch_valid_ && !in.prefetch_ready && !falls);
  if (emitted) {
    prefetch_addr_ = probe_addr_;
    prefetch_warp_ = probe_warp_;
    prefetch_slot_ = slot_;
    prefetch_entry_ = entry_;
  }
  // The probe, and the base before it.
  probe_valid_ = !dropped && (base_goes || (probe_valid_ && !probe_goes));
  if (base_goes) {
    probe_addr_ = (base_ + (uint64_t{base_warp_} - uint64_t{lead_}) * stride_) & address_mask_;
    probe_warp_ = base_warp_;
  }
  base_valid_ = !dropped && (fetch || (base_valid_ && !base_goes));
  if (fetch) {
    base_ = percta[slot_][percta_entry_].bases[number_];
    base_warp_ = warp_;
    number_ = last_base ? 0 : number_ + 1;
  }
  // The job.
  void_ = goes;
  UpdateWaiting(in, events, dist, pick, pick_entry, pick_slot);
  const bool pick_whole = !paced_ || (pick && ((whole_[pick_entry] >> pick_slot) & 1) != 0);
  const int32_t distance = distance_[entry_];
  if (paced_) Pace(in, events, pick, pick_entry, pick_slot);
  if (dropped) {
    state_ = State::kIdle;
    return;
  }
  switch (state_) {
    case State::kIdle: {
      if (!pick) break;
      entry_ = pick_entry;
      slot_ = pick_slot;
      job_whole_ = pick_whole;
      void_ = ((in.cta_end >> slot_) & 1) != 0 || dist.Throttled(entry_) ||
              events.case_a_entry == entry_ ||
              (events.case_b_entry == entry_ && events.case_b_slot == slot_);
      state_ = State::kLook;
      break;
    }
    case State::kLook:
      if (events.look_grant) state_ = State::kFind;
      break;
    case State::kFind:
      state_ = State::kAnswer;
      stride_ = dist[entry_].stride;
      break;
    case State::kAnswer: {
      state_ = State::kDown;
      percta_entry_ = FindEntry(percta[slot_], dist[entry_].pc);
      const bool fell = events.fall_slot == slot_ && events.fall_entry == percta_entry_;
      if (percta_entry_ == kNoEntry || fell) {
        void_ = true;
        percta_entry_ = 0;
        break;
      }
      lead_ = percta[slot_][percta_entry_].lead;
      count_ = percta[slot_][percta_entry_].count;
      warp_ = lead_;
      target_ = static_cast<int32_t>(lead_) + distance;
      number_ = 0;
      break;
    }
    case State::kDown:
      if (more_below) {
        --warp_;
      } else {
        state_ = State::kWalk;
      }
      break;
    case State::kWalk:
      if (!base_room || (wanted && !(fetch && last_base))) break;
      if (!more_above) state_ = State::kDrain;
      ++warp_;
      break;
    case State::kDrain:
      if (drained) state_ = State::kIdle;
      break;
  }
}

}  // namespace flagstone
