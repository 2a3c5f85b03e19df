// The prefetcher of one SM in its load path: what it sees of the loads, and how its prefetches
// enter the L1.
#ifndef FLAGSTONE_GPU_MODEL_SM_PREFETCH_UNIT_H_
#define FLAGSTONE_GPU_MODEL_SM_PREFETCH_UNIT_H_

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/ring.h"
#include "gpu_model/blocks/prefetcher/ports.h"
#include "gpu_model/sm/l1_cache.h"
#include "gpu_model/sm/load_watcher.h"
#include "gpu_model/sm/prefetch_marks.h"
#include "gpu_model/stats/prefetch_statistics.h"

namespace flagstone {

// What the prefetchers of all SMs of a launch share.
struct PrefetchSetup {
  std::vector<bool> indirect;   // by pc: a load whose address depends on loaded data
  uint32_t addr_bits = 32;      // of the addresses at the block's ports
  uint64_t address_window = 0;  // the bits above them, the same for all buffers
  uint32_t mshr_reserve = 0;    // MSHRs that are left to demand
  bool own_port = false;        // prefetches need not wait for a cycle without demand
  bool wake_up = true;          // the scheduler hears when a warp's prefetched data has come
  bool keep_awaited = false;    // as L1Cache::KeepAwaited
  bool trailing_only = false;   // a prefetch for a warp that has passed the load is dropped
};

// Assumptions: the L1's tags have one port (but for `own_port`). In a cycle in which demand does
// not use it, the oldest prefetch may enter, and a probe is answered, which sees that prefetch. A
// prefetch fetches a whole line; a line of which a sector is here or on its way counts as present.
// It leaves free the last place of the miss queue as well as `mshr_reserve` MSHRs.
class PrefetchUnit final : public LoadWatcher {
 public:
  // `every_tick`: the block ticks also where nothing can change.
  PrefetchUnit(const PrefetchSetup& setup, std::unique_ptr<Prefetcher> block, uint32_t tb_slots,
               uint32_t warps_per_tb, const SmConfig& config, bool every_tick, L1Cache* l1);

  void Begin(uint64_t now) override;
  // The first request of a load shows the load to the prefetcher.
  void Requested(uint32_t position, LineNumber line, bool missed) override;
  void Issued(const MemoryInstruction& load, const LaneAddresses& addresses,
              uint32_t lanes) override;
  // The block's cycle, and the warp whose prefetched data has come.
  void EndCycle(const WarpTable& warps, bool tags_free, WarpSignals* signals) override;
  // The block is told in the cycle after, before a new TB in the slot can load.
  void EndTb(uint32_t tb_slot) override;
  bool Active() const override { return ended_ != 0 || !block_->Outputs().quiescent; }

  const PrefetchStatistics& statistics() const { return statistics_; }
  uint64_t first_sent() const { return marks_.first_sent(); }              // as PrefetchMarks
  const std::vector<LoadPrefetches>& by_load() const { return by_load_; }  // by pc

 private:
  struct Load {
    uint32_t pc = 0;
    uint8_t warp = 0;
    uint8_t tb_slot = 0;
    uint8_t count = 0;
    std::array<uint64_t, kLoadAddresses> addresses = {};
  };

  uint64_t ToPort(uint64_t address) const { return address & address_mask_; }
  LineNumber LineAtPort(uint64_t address) const {
    return LineOf((address & address_mask_) | setup_->address_window);
  }
  // Whether the warp of the prefetch has passed its load.
  static bool Passed(const PrefetcherOut& asked, const WarpTable& warps);
  void Tick(WarpMask live, bool passed, bool tags_free);
  uint32_t TakeWoken(WarpMask live);
  void CountDrop(L1Cache::Presence presence);
  void Enter(const PrefetcherOut& out, bool passed, bool tags_free);
  void Probe(const PrefetcherOut& out);
  void ShowLive(WarpMask live);

  const PrefetchSetup* setup_;
  std::unique_ptr<Prefetcher> block_;
  L1Cache* l1_;
  bool every_tick_;
  uint64_t address_mask_;
  std::vector<WarpMask> slot_warps_;  // per TB slot
  Ring<Load> queue_;                  // of the loads in the load/store unit's queue
  Load current_;                      // its requests are being sent
  uint32_t ended_ = 0;                // TB slots: not told yet
  WarpMask shown_live_ = 0;
  PrefetcherIn in_;
  PrefetchStatistics statistics_;
  std::vector<LoadPrefetches> by_load_;
  PrefetchMarks marks_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_SM_PREFETCH_UNIT_H_
