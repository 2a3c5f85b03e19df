// Which lines of an L1 were prefetched and not used so far, and what became of each prefetch.
#ifndef FLAGSTONE_GPU_MODEL_SM_PREFETCH_MARKS_H_
#define FLAGSTONE_GPU_MODEL_SM_PREFETCH_MARKS_H_

#include <cstdint>
#include <vector>

#include "gpu_model/blocks/warp_scheduler/ports.h"
#include "gpu_model/stats/prefetch_statistics.h"

namespace flagstone {

// A mark per way of the L1, set by a prefetch and taken off by the first demand load that wants the
// line, or when the line leaves. The L1 tells it what happens to a way.
class PrefetchMarks {
 public:
  // `by_load`: a row for each pc of the program.
  PrefetchMarks(uint32_t ways, PrefetchStatistics* statistics, std::vector<LoadPrefetches>* by_load)
      : marks_(ways), statistics_(statistics), by_load_(by_load) {}

  void SetCycle(uint64_t now) { now_ = now; }

  // A prefetch for a load of `warp` of the TB in `tb_slot` has reserved the way. kMaxWarps: no
  // warp.
  void Sent(uint32_t way, uint32_t pc, uint32_t warp, uint32_t tb_slot);
  // A demand load wants the line; it is still on its way, or here.
  void Wanted(uint32_t way, bool in_flight) {
    if (marks_[way].unused) Use(way, in_flight);
  }
  // The line gives way to another one; is written, and so leaves.
  void Replaced(uint32_t way) {
    if (marks_[way].unused) Lose(way, &statistics_->early_evicted);
  }
  void Overwritten(uint32_t way) {
    if (marks_[way].unused) Lose(way, &statistics_->overwritten);
  }
  // Its data has come.
  void Filled(uint32_t way) {
    if (marks_[way].warp == kMaxWarps) return;
    arrived_ = marks_[way].warp;
    marks_[way].warp = kMaxWarps;
  }
  // The TB has ended: its warps are not to be woken any more.
  void EndTb(uint32_t tb_slot);

  // The warp whose prefetched data has come since the last call; kMaxWarps if none. There is one
  // fill in a cycle.
  uint32_t TakeArrived() {
    const uint32_t warp = arrived_;
    arrived_ = kMaxWarps;
    return warp;
  }

 private:
  struct Mark {
    uint64_t sent = 0;
    uint32_t pc = 0;
    uint8_t warp = kMaxWarps;  // to wake when the data comes
    uint8_t tb_slot = 0;
    bool unused = false;
  };

  void Use(uint32_t way, bool in_flight);
  void Lose(uint32_t way, uint64_t* counter);

  std::vector<Mark> marks_;
  PrefetchStatistics* statistics_;
  std::vector<LoadPrefetches>* by_load_;
  uint64_t now_ = 0;
  uint32_t arrived_ = kMaxWarps;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_SM_PREFETCH_MARKS_H_
