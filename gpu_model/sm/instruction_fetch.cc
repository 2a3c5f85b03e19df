#include "gpu_model/sm/instruction_fetch.h"

#include <algorithm>
#include <bit>

#include "gpu_model/sm/read_only_cache.h"

namespace flagstone {

InstructionFetch::InstructionFetch(const SmConfig& config, uint64_t code_offset,
                                   ResultSink* results)
    : MemoryClient(ReadOnlyL1(config.instruction_cache)),
      results_(results),
      cached_(config.instruction_cache.size_kib > 0),
      instruction_bytes_(cached_ || config.fetch_warps > 0 ? config.instruction_bytes : 0),
      fetch_warps_(config.fetch_warps),
      fetch_bytes_(config.fetch_bytes),
      code_(kCodeBase + code_offset),
      first_line_(cached_ ? kNoLine : LineOf(code_)) {
  line_.fill(first_line_);
}

bool InstructionFetch::LookUp(uint32_t warp, LineNumber line) {
  line_[warp] = line;
  const L1Cache::Outcome outcome = cache_.Load(line, kAllSectors, static_cast<uint16_t>(warp));
  if (L1Cache::Failed(outcome)) {
    asking_ |= WarpMask{1} << warp;
    SetWork(Work::kActive);
  }
  return outcome == L1Cache::Outcome::kHit;
}

// Always false: the instruction comes in a later cycle.
bool InstructionFetch::Ask(uint32_t warp, uint32_t pc) {
  line_[warp] = LineOfPc(pc);
  buffers_[warp] = {.next = pc, .left = 0};
  asking_ |= WarpMask{1} << warp;
  SetWork(Work::kActive);
  return false;
}

// In turn where fetch is limited; else the lowest one.
uint32_t InstructionFetch::NextAsking() const {
  const WarpMask after = fetch_warps_ == 0 ? 0 : asking_ & ~((WarpMask{2} << last_) - 1);
  return static_cast<uint32_t>(std::countr_zero(after != 0 ? after : asking_));
}

void InstructionFetch::Tick(uint64_t /*now*/) {
  for (uint32_t i = std::max(1U, fetch_warps_); i > 0 && asking_ != 0; --i) {
    const uint32_t warp = NextAsking();
    last_ = warp;
    L1Cache::Outcome outcome = L1Cache::Outcome::kHit;
    if (cached_) outcome = cache_.Load(line_[warp], kAllSectors, static_cast<uint16_t>(warp));
    if (L1Cache::Failed(outcome)) continue;
    asking_ &= ~(WarpMask{1} << warp);
    if (asking_ == 0) SetWork(Work::kNone);
    if (outcome == L1Cache::Outcome::kHit) Deliver(warp);
  }
}

void InstructionFetch::Deliver(uint32_t warp) {
  if (fetch_warps_ != 0) {
    Buffer& buffer = buffers_[warp];
    const uint64_t at = code_ + uint64_t{buffer.next} * instruction_bytes_;
    const uint64_t bytes = std::min<uint64_t>(fetch_bytes_, kLineBytes - at % kLineBytes);
    buffer.left = static_cast<uint32_t>(std::max<uint64_t>(1, bytes / instruction_bytes_));
    buffer.Take(buffer.next);
  }
  results_->InstructionHere(warp);
}

void InstructionFetch::TakeReply(const Packet& reply, uint64_t /*now*/) {
  cache_.Fill(reply, [this](uint16_t warp) {
    if (fetch_warps_ == 0) return results_->InstructionHere(warp);
    asking_ |= WarpMask{1} << warp;  // in its turn, as those that hit
    SetWork(Work::kActive);
  });
}

}  // namespace flagstone
