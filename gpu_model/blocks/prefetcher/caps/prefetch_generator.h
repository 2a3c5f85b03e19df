// CAPS's prefetch request generator (section V.C): the model of
// rtl/caps/caps_prefetch_generator.sv.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_PREFETCHER_CAPS_PREFETCH_GENERATOR_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_PREFETCHER_CAPS_PREFETCH_GENERATOR_H_

#include <array>
#include <cstdint>

#include "gpu_model/blocks/prefetcher/caps/caps_config.h"
#include "gpu_model/blocks/prefetcher/caps/caps_tables.h"

namespace flagstone {

class PrefetchGenerator {
 public:
  // What happens around the generator in a cycle; entries are kNoEntry where nothing does.
  struct Events {
    uint32_t case_a_entry = kNoEntry;  // this DIST entry gets a new stride, from case_a_slot
    uint32_t case_a_slot = 0;
    bool case_a_below = false;         // the warp that gave the stride is below its leading warp
    uint32_t case_b_entry = kNoEntry;  // case_b_slot got bases for the PC of this DIST entry
    uint32_t case_b_slot = 0;
    uint32_t pace_entry = kNoEntry;  // a trailing warp of pace_slot loads with this DIST entry
    uint32_t pace_slot = 0;
    int32_t pace_distance = 0;        // from its leading warp
    uint32_t write_entry = kNoEntry;  // this PerCTA entry of write_slot is written
    uint32_t write_slot = 0;
    uint32_t replaced_entry = kNoEntry;  // a cycle ago this one of replaced_slot got another load
    uint32_t replaced_slot = 0;
    uint32_t fall_entry = kNoEntry;  // this PerCTA entry of fall_slot becomes invalid
    uint32_t fall_slot = 0;
    bool look_grant = false;  // a look-up is taken, if it is wanted; the stride is read next
    bool word_grant = false;  // a base can be read
  };

  explicit PrefetchGenerator(const CapsConfig& config);

  void Reset();
  // The ports of this cycle.
  void Show(const DistTable& dist, CapsOut* out) const;
  // `throttled`: the DIST entries that are.
  bool Idle(uint32_t throttled) const {
    return state_ == State::kIdle && waiting_ == Rows{} && !prefetch_valid_ &&
           (!confidence_ || throttled_ == throttled);
  }
  // One cycle, on the tables as they are before its edge.
  void Tick(const CapsIn& in, const Events& events, const PerCtaTable& percta,
            const DistTable& dist);

 private:
  enum class State : uint8_t { kIdle, kLook, kFind, kAnswer, kDown, kWalk, kDrain };
  using Rows = std::array<uint32_t, kCapsEntries>;  // per DIST entry: a bit per CTA slot

  void UpdateWaiting(const CapsIn& in, const Events& events, const DistTable& dist, bool pick,
                     uint32_t pick_entry, uint32_t pick_slot);
  bool EntryGoes(const Events& events) const;
  bool Dropped(const CapsIn& in, const Events& events, const DistTable& dist) const;

  void Pace(const CapsIn& in, const Events& events, bool pick, uint32_t pick_entry,
            uint32_t pick_slot);

  const uint64_t address_mask_;
  const uint32_t all_slots_;
  const bool paced_;
  const bool confidence_;
  uint32_t throttled_ = 0;  // confidence: the DIST entries that were, a cycle ago
  State state_ = State::kIdle;
  Rows waiting_ = {};
  // case_a_paced: the jobs of `waiting_` that are for whole CTAs; per DIST entry the slot whose
  // warps set the pace, or kMaxCtaSlots, and the distance of its last one.
  Rows whole_ = {};
  std::array<uint32_t, kCapsEntries> pace_slot_ = {};
  std::array<int32_t, kCapsEntries> distance_ = {};
  bool job_whole_ = true;
  int32_t target_ = 0;  // the warp of a job that is not
  // The job at hand.
  uint32_t entry_ = 0;  // of DIST
  uint32_t slot_ = 0;
  uint32_t percta_entry_ = 0;
  uint32_t count_ = 0;
  uint32_t number_ = 0;  // of the base
  uint32_t lead_ = 0;
  uint32_t warp_ = 0;
  uint64_t stride_ = 0;
  uint64_t live_ = 0;  // live warps of the CTA, a cycle ago
  bool void_ = false;  // a cycle ago: gone before it began; no entry, or it got another load
  // A base that was read.
  bool base_valid_ = false;
  uint64_t base_ = 0;
  uint32_t base_warp_ = 0;
  // What stands at the outputs.
  bool probe_valid_ = false;
  uint64_t probe_addr_ = 0;
  uint32_t probe_warp_ = 0;
  bool prefetch_valid_ = false;
  uint64_t prefetch_addr_ = 0;
  uint32_t prefetch_warp_ = 0;
  uint32_t prefetch_slot_ = 0;
  uint32_t prefetch_entry_ = 0;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_PREFETCHER_CAPS_PREFETCH_GENERATOR_H_
