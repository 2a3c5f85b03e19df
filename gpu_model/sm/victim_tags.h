// Victim tags beside the L1, which tell CCWS when a warp misses on a line that others took from it.
#ifndef FLAGSTONE_GPU_MODEL_SM_VICTIM_TAGS_H_
#define FLAGSTONE_GPU_MODEL_SM_VICTIM_TAGS_H_

#include <cstdint>
#include <vector>

#include "gpu_model/blocks/warp_scheduler/config.h"
#include "gpu_model/blocks/warp_scheduler/ports.h"
#include "gpu_model/memory/packet.h"
#include "gpu_model/sm/load_watcher.h"

namespace flagstone {

// Rogers et al., MICRO 2012: each warp has a small set-associative array of the lines that it
// brought into the L1 and that have been replaced. Assumptions: least recently inserted goes first;
// a tag that was hit is taken out, since its line comes back.
class VictimTags final : public LoadWatcher {
 public:
  VictimTags(const WarpSchedulerConfig& config, uint32_t l1_lines);

  // The next misses are of this warp.
  void SetRequester(uint32_t warp) { requester_ = warp; }
  void Requesting(uint32_t warp) override { SetRequester(warp); }
  void EndCycle(const WarpTable& /*warps*/, bool /*tags_free*/, WarpSignals* signals) override {
    signals->lost = TakeLost();
  }
  // The requester missed on `line`, which takes way `way` of the L1.
  void Miss(LineNumber line, uint32_t way);
  // The line in `way` is replaced; before the Miss() that takes its place.
  void Replaced(LineNumber line, uint32_t way);

  // The warp that has missed on a line of its victims since the last call; kMaxWarps if none.
  uint32_t TakeLost() {
    const uint32_t lost = lost_;
    lost_ = kMaxWarps;
    return lost;
  }

 private:
  static constexpr LineNumber kFree = ~LineNumber{0};

  LineNumber* SetOf(uint32_t warp, LineNumber line) {
    return &tags_[(size_t{warp} * sets_ + line % sets_) * ways_];
  }

  uint32_t ways_;
  uint32_t sets_;
  std::vector<LineNumber> tags_;  // of a set: the latest first
  std::vector<uint8_t> owner_;    // per way of the L1: the warp that brought its line
  uint32_t requester_ = 0;
  uint32_t lost_ = kMaxWarps;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_SM_VICTIM_TAGS_H_
