// The instruction cache of an SM: warps that wait for the line of their next instruction.
#ifndef FLAGSTONE_GPU_MODEL_SM_INSTRUCTION_FETCH_H_
#define FLAGSTONE_GPU_MODEL_SM_INSTRUCTION_FETCH_H_

#include <array>
#include <bit>
#include <cstdint>

#include "gpu_model/blocks/warp_scheduler/ports.h"
#include "gpu_model/machines/machine.h"
#include "gpu_model/sm/l1_cache.h"

namespace flagstone {

// Assumptions: a PTX instruction is one machine instruction of `sm.instruction_bytes`; a warp keeps
// the line that it fetched last, and looks in the cache when it comes to another; a hit costs
// nothing; the cache is looked up as soon as the next pc is known, one waiting warp a cycle.
class InstructionFetch {
 public:
  InstructionFetch(const SmConfig& config, uint16_t port);

  void Started(uint32_t warp) { line_[warp] = kNoLine; }
  // Whether the instruction is there; else Tick() or Fill() will say so.
  bool Ready(uint32_t warp, uint32_t pc);

  // Tries again for a warp whose miss found no room. Calls `done(warp)`.
  template <class Done>
  void Tick(Done&& done) {
    if (retry_ == 0) return;
    const auto warp = static_cast<uint32_t>(std::countr_zero(retry_));
    const L1Cache::Outcome outcome =
        cache_.Load(line_[warp], kAllSectors, static_cast<uint16_t>(warp));
    if (L1Cache::Failed(outcome)) return;
    retry_ &= retry_ - 1;
    if (outcome == L1Cache::Outcome::kHit) done(warp);
  }
  template <class Done>
  void Fill(const Packet& reply, Done&& done) {
    cache_.Fill(reply, [&](uint16_t warp) { done(uint32_t{warp}); });
  }

  bool Active() const { return retry_ != 0; }
  bool Drained() const {
    return retry_ == 0 && cache_.mshrs_used() == 0 && cache_.miss_queue().empty();
  }
  Ring<Packet>& miss_queue() { return cache_.miss_queue(); }
  const L1Statistics& statistics() const { return cache_.statistics(); }

 private:
  static constexpr LineNumber kNoLine = ~LineNumber{0};

  uint32_t instruction_bytes_;
  L1Cache cache_;
  std::array<LineNumber, kMaxWarps> line_ = {};
  WarpMask retry_ = 0;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_SM_INSTRUCTION_FETCH_H_
