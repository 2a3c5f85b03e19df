// Which lines of an L1 were prefetched and not used so far, and what became of each prefetch.
#ifndef FLAGSTONE_GPU_MODEL_SM_PREFETCH_MARKS_H_
#define FLAGSTONE_GPU_MODEL_SM_PREFETCH_MARKS_H_

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/clocked.h"
#include "gpu_model/blocks/warp_scheduler/ports.h"
#include "gpu_model/memory/packet.h"
#include "gpu_model/stats/prefetch_statistics.h"

namespace flagstone {

// A mark per way of the L1, set by a prefetch and taken off by the first demand load that wants the
// line, or when the line leaves. The L1 tells it what happens to a way. Lines that gave way unused
// are remembered, since a later demand tells the early prefetch from the wrong one.
class PrefetchMarks {
 public:
  // `by_load`: a row for each pc of the program.
  PrefetchMarks(uint32_t ways, PrefetchStatistics* statistics, std::vector<LoadPrefetches>* by_load)
      : marks_(ways), statistics_(statistics), by_load_(by_load) {}

  void SetCycle(uint64_t now) { now_ = now; }
  // The cycle of the first prefetch that went to the L1; kNever: there was none.
  uint64_t first_sent() const { return first_sent_; }

  // A prefetch for a load of `warp` of the TB in `tb_slot` has reserved the way. kMaxWarps: no
  // warp.
  void Sent(uint32_t way, LineNumber line, uint32_t pc, uint32_t warp, uint32_t tb_slot);
  // A demand load wants the line; it is still on its way, or here.
  void Wanted(uint32_t way, bool in_flight) {
    if (marks_[way].unused) Use(way, in_flight);
  }
  // It was prefetched, and no demand load has wanted it yet.
  bool IsUnused(uint32_t way) const { return marks_[way].unused; }
  // The same, and the TB that it was prefetched for runs still.
  bool IsAwaited(uint32_t way) const { return marks_[way].unused && marks_[way].tb_runs; }
  // A demand load wants a line that is neither.
  void Missed(LineNumber line) {
    if (!evicted_.empty()) WantedLater(line);
  }
  // The line gives way to another one; is written, and so leaves.
  void Replaced(uint32_t way) {
    if (marks_[way].unused) Evict(way);
  }
  void Overwritten(uint32_t way) {
    if (!marks_[way].unused) return;
    marks_[way].unused = false;
    ++statistics_->overwritten;
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
    LineNumber line = 0;
    uint32_t pc = 0;
    uint8_t warp = kMaxWarps;  // to wake when the data comes
    uint8_t tb_slot = 0;
    bool unused = false;
    bool tb_runs = false;
  };

  struct Evicted {
    uint32_t pc = 0;     // of the last prefetch
    uint32_t times = 0;  // since a demand load wanted the line
  };

  void Use(uint32_t way, bool in_flight);
  void Evict(uint32_t way);
  void WantedLater(LineNumber line);

  std::vector<Mark> marks_;
  std::unordered_map<LineNumber, Evicted> evicted_;
  PrefetchStatistics* statistics_;
  std::vector<LoadPrefetches>* by_load_;
  uint64_t now_ = 0;
  uint64_t first_sent_ = kNever;
  uint32_t arrived_ = kMaxWarps;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_SM_PREFETCH_MARKS_H_
