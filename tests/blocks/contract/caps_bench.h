// An SM around CAPS's prefetcher, or another one, for contract tests: CTAs with live warps, loads
// and their misses, an L1 that knows some lines and takes prefetches when it likes, and a record of
// what was prefetched.
#ifndef FLAGSTONE_TESTS_BLOCKS_CONTRACT_CAPS_BENCH_H_
#define FLAGSTONE_TESTS_BLOCKS_CONTRACT_CAPS_BENCH_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/random.h"
#include "gpu_model/blocks/prefetcher/caps/caps_config.h"
#include "tests/blocks/contract/caps_reference.h"

namespace flagstone {

class CapsBench {
 public:
  // `block` must be out of reset and outlive the bench.
  CapsBench(CapsBlock* block, const CapsConfig& config) : block_(block), config_(config) {}

  // Chances in percent that, in a cycle, a probe is not answered and a prefetch is not taken.
  void SetStalls(uint64_t seed, uint32_t probe, uint32_t prefetch) {
    random_ = SplitMix64(seed);
    probe_stall_ = probe;
    prefetch_stall_ = prefetch;
  }
  // Which addresses' lines the L1 has or fetches already.
  void SetPresent(std::function<bool(uint64_t)> present) { present_ = std::move(present); }
  // Whether each prefetch must be for a live warp of its CTA, as CAPS promises. Of others the SM
  // drops those whose CTA has ended.
  void SetForLiveWarps(bool for_live_warps) { for_live_warps_ = for_live_warps; }
  // Leave out ticks that the block says would change nothing.
  void SetGated(bool gated) { gated_ = gated; }

  // CTA slot `slot` gets `count` warps from `first` on, or none.
  void SetWarps(uint32_t slot, uint32_t first, uint32_t count);
  void SetLive(uint32_t slot, uint64_t warps) { in_.live_warps[slot] = warps; }
  const CapsReference::LiveWarps& live() const { return in_.live_warps; }

  // One cycle, with a load if given.
  void Step(const std::optional<CapsLoad>& load = std::nullopt);
  void Idle(uint32_t cycles) {
    for (uint32_t i = 0; i < cycles; ++i) Step();
  }
  // A load, then cycles until nothing is under way.
  void LoadAndDrain(const CapsLoad& load) {
    Step(load);
    Drain();
  }
  void Drain();
  // The CTA ends in the cycle of this call, with a load of any CTA if given; its warps are gone
  // from the next one on.
  void EndCta(uint32_t slot, const std::optional<CapsLoad>& load = std::nullopt);
  void EndKernel();

  // What was prefetched since the last call, in order.
  std::vector<CapsPrefetch> Take();
  uint64_t cycle() const { return cycle_; }
  uint64_t skipped() const { return skipped_; }
  const CapsOut& out() const { return block_->Outputs(); }
  // Cycles of the prefetches taken since the beginning.
  const std::vector<uint64_t>& cycles() const { return cycles_; }

 private:
  void Check(const CapsOut& out);
  void ShowMiss(const std::optional<CapsLoad>& load);

  CapsBlock* block_;
  const CapsConfig config_;
  CapsIn in_;
  SplitMix64 random_{1};
  uint32_t probe_stall_ = 0;
  uint32_t prefetch_stall_ = 0;
  bool gated_ = false;
  bool for_live_warps_ = true;
  std::function<bool(uint64_t)> present_ = [](uint64_t) { return false; };
  CapsLoad requesting_;   // the last load
  size_t requested_ = 0;  // its requests so far
  std::vector<CapsPrefetch> prefetches_;
  std::vector<uint64_t> cycles_;
  uint64_t cycle_ = 0;
  uint64_t skipped_ = 0;
  bool held_ = false;  // a prefetch was shown and not taken in the cycle before
  CapsOut before_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_TESTS_BLOCKS_CONTRACT_CAPS_BENCH_H_
