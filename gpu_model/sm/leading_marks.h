// When the mark of a TB's leading warp ends (CAPS, section V.A): once its loads have told the base
// addresses of the TB.
#ifndef FLAGSTONE_GPU_MODEL_SM_LEADING_MARKS_H_
#define FLAGSTONE_GPU_MODEL_SM_LEADING_MARKS_H_

#include <cstdint>
#include <vector>

#include "base/ring.h"
#include "gpu_model/blocks/warp_scheduler/config.h"
#include "gpu_model/machines/machine.h"
#include "gpu_model/sm/load_watcher.h"

namespace flagstone {

// A load has told its base when its first request has got through the L1's tags, which is when a
// prefetcher sees it; where the L1 is off for global memory, when it is issued. Assumptions: under
// kAllBases the mark ends with the kernel's last load that prefetches are for, in the order of the
// code, or one behind it; a kernel without such a load keeps its marks.
class LeadingMarks final : public LoadWatcher {
 public:
  // `indirect`: by pc, false for the loads that prefetches are for. kPermanent needs no marks to
  // end and is not taken.
  LeadingMarks(LeadingMark mark, const std::vector<bool>& indirect, const SmConfig& config);

  void Issued(const MemoryInstruction& load, const LaneAddresses& addresses,
              uint32_t lanes) override;
  void Requested(uint32_t position, LineNumber line, bool missed) override;
  void EndCycle(const WarpTable& warps, bool tags_free, WarpSignals* signals) override;

 private:
  struct Load {
    uint32_t warp = 0;
    bool ends_mark = false;
  };

  bool EndsMark(const MemoryInstruction& load) const;

  LeadingMark mark_;
  const std::vector<bool>& indirect_;
  bool bypass_;       // the L1 is off: there are no requests to wait for
  uint32_t last_;     // the pc of the last load that prefetches are for
  Ring<Load> queue_;  // of the loads in the load/store unit's queue
  WarpMask based_ = 0;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_SM_LEADING_MARKS_H_
