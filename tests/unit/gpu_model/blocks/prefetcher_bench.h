// A rival of CAPS alone, given loads and misses made by hand.
#ifndef FLAGSTONE_TESTS_UNIT_GPU_MODEL_BLOCKS_PREFETCHER_BENCH_H_
#define FLAGSTONE_TESTS_UNIT_GPU_MODEL_BLOCKS_PREFETCHER_BENCH_H_

#include <memory>
#include <set>
#include <string_view>
#include <vector>

#include "gpu_model/blocks/prefetcher/descriptor.h"
#include "gpu_model/blocks/prefetcher/prefetcher_model.h"

namespace flagstone {

using Addresses = std::vector<uint64_t>;

// An SM of six TBs of eight warps, and an L1 that holds the lines in `present`.
class PrefetcherBench {
 public:
  explicit PrefetcherBench(std::string_view name, const PrefetcherConfig& config = {})
      : prefetcher_(MakePrefetcher(name, config)) {
    for (uint32_t slot = 0; slot < 6; ++slot) in.live_warps[slot] = uint64_t{0xff} << 8 * slot;
  }

  // A warp's load; what is prefetched because of it.
  Addresses Load(uint64_t pc, uint32_t warp, const Addresses& addresses) {
    in.load_valid = true;
    in.load_pc = pc;
    in.load_slot = warp / 8;
    in.load_warp = warp;
    in.load_count = static_cast<uint32_t>(addresses.size());
    for (size_t i = 0; i < addresses.size() && i < kLoadAddresses; ++i) {
      in.load_addr[i] = addresses[i];
    }
    Tick();
    return Drain();
  }
  Addresses Miss(uint64_t address) {
    in.miss_valid = true;
    in.miss_addr = address;
    Tick();
    return Drain();
  }
  void EndCta(uint32_t slot) {
    in.cta_end = 1U << slot;
    Tick();
  }
  void EndKernel() {
    in.kernel_end = true;
    Tick();
  }
  void Tick() {
    const PrefetcherOut& out = prefetcher_->Outputs();
    in.prefetch_ready = out.prefetch_valid && ready;
    if (in.prefetch_ready) {
      sent.push_back(out.prefetch_addr);
      warps.push_back(out.prefetch_warp);
    }
    in.probe_done = out.probe_valid;
    in.probe_present = present.contains(out.probe_addr / kPrefetchLineBytes);
    prefetcher_->Tick(in);
    in.load_valid = in.miss_valid = in.kernel_end = false;
    in.cta_end = 0;
  }
  Addresses Drain() {
    sent.clear();
    warps.clear();
    for (int i = 0; i < 200 && !prefetcher_->Outputs().quiescent; ++i) Tick();
    return sent;
  }
  bool Idle() const { return prefetcher_->Idle(in); }

  PrefetcherIn in;
  std::set<uint64_t> present;
  bool ready = true;
  Addresses sent;  // of the last Drain(), and for which warps
  std::vector<uint32_t> warps;

 private:
  std::unique_ptr<Prefetcher> prefetcher_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_TESTS_UNIT_GPU_MODEL_BLOCKS_PREFETCHER_BENCH_H_
