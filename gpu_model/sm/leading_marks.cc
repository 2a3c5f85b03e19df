#include "gpu_model/sm/leading_marks.h"

#include <cassert>

#include "gpu_model/blocks/prefetcher/ports.h"

namespace flagstone {

LeadingMarks::LeadingMarks(LeadingMark mark, const std::vector<bool>& indirect,
                           const SmConfig& config)
    : mark_(mark),
      indirect_(indirect),
      bypass_(config.l1.global == L1Global::kBypass),
      last_(static_cast<uint32_t>(indirect.size())),
      queue_(LoadStoreUnit::Places(config)) {
  assert(mark != LeadingMark::kPermanent);
  for (uint32_t pc = 0; pc < indirect.size(); ++pc) {
    if (!indirect[pc]) last_ = pc;
  }
}

bool LeadingMarks::EndsMark(const MemoryInstruction& load) const {
  if (mark_ == LeadingMark::kAllBases) return load.pc >= last_;
  const uint32_t requests = load.requests.count;
  return !indirect_[load.pc] && requests > 0 && requests <= kLoadAddresses;
}

void LeadingMarks::Issued(const MemoryInstruction& load, const LaneAddresses& /*addresses*/,
                          uint32_t /*lanes*/) {
  const bool ends = EndsMark(load);
  if (!bypass_) {
    queue_.Push({load.warp, ends});
  } else if (ends) {
    based_ |= WarpMask{1} << load.warp;
  }
}

void LeadingMarks::Requested(uint32_t position, LineNumber /*line*/, bool /*missed*/) {
  if (position != 0) return;
  const Load load = queue_.front();
  queue_.Pop();
  if (load.ends_mark) based_ |= WarpMask{1} << load.warp;
}

void LeadingMarks::EndCycle(const WarpTable& /*warps*/, bool /*tags_free*/, WarpSignals* signals) {
  signals->based = based_;
  based_ = 0;
}

}  // namespace flagstone
