// CAPS's prefetcher, cycle by cycle: the model of rtl/caps/caps_prefetcher.sv.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_PREFETCHER_CAPS_CAPS_PREFETCHER_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_PREFETCHER_CAPS_CAPS_PREFETCHER_H_

#include <array>
#include <cstdint>

#include "gpu_model/blocks/prefetcher/caps/caps_config.h"
#include "gpu_model/blocks/prefetcher/caps/caps_tables.h"
#include "gpu_model/blocks/prefetcher/caps/prefetch_generator.h"
#include "gpu_model/blocks/prefetcher/descriptor.h"

namespace flagstone {

class CapsPrefetcher final : public CapsBlock {
 public:
  explicit CapsPrefetcher(const CapsConfig& config);

  void Reset() override;
  const CapsOut& Outputs() const override { return out_; }
  void Tick(const CapsIn& in) override;
  bool Idle(const CapsIn& in) const override { return out_.quiescent && !CapsHears(in); }

 private:
  enum class Use : uint8_t { kNone, kWrite, kTrain, kCheck };

  // One address of a load, and what is known of the load. It goes from stage to stage, one a cycle.
  struct Beat {
    bool valid = false;
    uint32_t number = 0;
    uint64_t pc = 0;
    uint32_t slot = 0;
    uint32_t warp = 0;
    uint32_t count = 0;  // of the load's addresses
    uint64_t addr = 0;   // that of this beat, if number < count
    // From T on: of the load's PerCTA entry.
    Use use = Use::kNone;
    uint32_t entry = 0;
    bool refresh = false;  // kWrite: the entry held this load before
    bool stale = false;    // it has been written since
    uint32_t lead = 0;
    uint32_t bases = 0;  // its number of bases
    uint32_t dist_entry = kNoEntry;
    uint32_t place = 0;  // kTrain: of its PC, in places_
    // From M on.
    uint64_t base = 0;
    // From A on.
    uint64_t value = 0;  // kTrain: the stride; kCheck: the predicted address

    bool Reads() const;  // a base, while in P
    bool Wants() const;  // uses a base
    bool Last() const;   // the last beat that trains
  };
  // The RTL's stages L, T, P, M, A and C, which its header describes; and three cycles in which a
  // beat can still be compared with.
  enum Stage : uint32_t {
    kLookUp,
    kTag,
    kBase,
    kMultiply,
    kAdd,
    kCompare,
    kPast1,
    kPast2,
    kPast3,
    kStages
  };

  // What the last beat of a load that trains decided in C.
  struct Decision {
    bool train = false;
    bool fall = false;  // of its PerCTA entry
    Beat beat;
  };

  Beat Look(const PrefetchGenerator::Events& events) const;  // what P gets of T's beat
  void DecideTag(const CapsIn& in, PrefetchGenerator::Events* events) const;
  void DecideBase(const CapsIn& in, PrefetchGenerator::Events* events) const;
  // `verdict`: what a check tells of its stride.
  struct Verdict {
    uint32_t wrong = kNoEntry;  // of DIST
    uint32_t right = kNoEntry;
  };
  Decision DecideCompare(const PrefetchGenerator::Events& events, Verdict* verdict);
  void DecideTable(PrefetchGenerator::Events* events) const;
  bool LineOfLoad(uint64_t address) const;
  void ReadOrWriteBase();
  void Compute();
  bool Renews(uint32_t entry) const;  // the load in T rewrites the bases of this entry of its slot
  bool Busy(uint32_t place) const;    // a load is under way that trains with its PC
  bool MayTrain() const;              // the load in T
  void Advance(const CapsIn& in, const Beat& looked, const PrefetchGenerator::Events& events);

  const CapsConfig config_;
  const uint64_t address_mask_;
  PerCtaTable percta_;
  DistTable dist_;
  PrefetchGenerator generator_;
  std::array<Beat, kStages> stages_;
  std::array<uint64_t, kCapsBases> load_addr_ = {};  // of the load in L
  uint32_t t_dist_entry_ = kNoEntry;                 // what L found in the DIST table
  // PCs of loads that train: a load gets a place in T, and keeps it if it trains.
  struct Place {
    uint64_t pc = 0;
    bool was_busy = false;  // in the cycle before
  };
  std::array<Place, 2> places_ = {};
  Decision decision_;    // D
  uint64_t stride_ = 0;  // of the first beat of the load in C
  bool unequal_ = false;
  bool wrong_ = false;
  CapsOut out_;
};

// Two names of one block: as published, and with what goes beyond it.
const PrefetcherDescriptor& CapsPrefetcherDescriptor();
const PrefetcherDescriptor& CapsPlusDescriptor();

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_PREFETCHER_CAPS_CAPS_PREFETCHER_H_
