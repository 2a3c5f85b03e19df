#include "gpu_model/sm/instruction_fetch.h"

#include "gpu_model/sm/read_only_cache.h"

namespace flagstone {

InstructionFetch::InstructionFetch(const SmConfig& config, uint16_t port)
    : instruction_bytes_(config.instruction_bytes),
      cache_(ReadOnlyL1(config.instruction_cache), port) {
  line_.fill(kNoLine);
}

bool InstructionFetch::Ready(uint32_t warp, uint32_t pc) {
  const LineNumber line = LineOf(kCodeBase + uint64_t{pc} * instruction_bytes_);
  if (line_[warp] == line) return true;
  line_[warp] = line;
  const L1Cache::Outcome outcome = cache_.Load(line, kAllSectors, static_cast<uint16_t>(warp));
  if (L1Cache::Failed(outcome)) retry_ |= WarpMask{1} << warp;
  return outcome == L1Cache::Outcome::kHit;
}

}  // namespace flagstone
