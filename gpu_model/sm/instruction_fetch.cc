#include "gpu_model/sm/instruction_fetch.h"

#include <bit>

#include "gpu_model/sm/read_only_cache.h"

namespace flagstone {

InstructionFetch::InstructionFetch(const SmConfig& config, ResultSink* results)
    : MemoryClient(ReadOnlyL1(config.instruction_cache)),
      results_(results),
      instruction_bytes_(config.instruction_cache.size_kib > 0 ? config.instruction_bytes : 0),
      first_line_(config.instruction_cache.size_kib > 0 ? kNoLine : LineOf(kCodeBase)) {
  line_.fill(first_line_);
}

bool InstructionFetch::LookUp(uint32_t warp, LineNumber line) {
  line_[warp] = line;
  const L1Cache::Outcome outcome = cache_.Load(line, kAllSectors, static_cast<uint16_t>(warp));
  if (L1Cache::Failed(outcome)) {
    retry_ |= WarpMask{1} << warp;
    SetWork(Work::kActive);
  }
  return outcome == L1Cache::Outcome::kHit;
}

void InstructionFetch::Tick(uint64_t /*now*/) {
  if (retry_ == 0) return;
  const auto warp = static_cast<uint32_t>(std::countr_zero(retry_));
  const L1Cache::Outcome outcome =
      cache_.Load(line_[warp], kAllSectors, static_cast<uint16_t>(warp));
  if (L1Cache::Failed(outcome)) return;
  retry_ &= retry_ - 1;
  if (retry_ == 0) SetWork(Work::kNone);
  if (outcome == L1Cache::Outcome::kHit) results_->InstructionHere(warp);
}

void InstructionFetch::TakeReply(const Packet& reply, uint64_t /*now*/) {
  cache_.Fill(reply, [this](uint16_t warp) { results_->InstructionHere(warp); });
}

}  // namespace flagstone
