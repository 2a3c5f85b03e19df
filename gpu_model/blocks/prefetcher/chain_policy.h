// The prefetcher that follows chains of strides from load to load.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_PREFETCHER_CHAIN_POLICY_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_PREFETCHER_CHAIN_POLICY_H_

#include <array>
#include <bit>
#include <cstdint>

#include "gpu_model/blocks/prefetcher/prefetcher_model.h"
#include "gpu_model/blocks/prefetcher/stride_policies.h"

namespace flagstone {

// SNAKE (Mostofi et al., MICRO 2023, sections 3.1 to 3.4), by what public notes on the paper say of
// it: a warp's loads that follow one another are links, each with the distance of their addresses.
// A link that three warps have shown serves all warps: a load brings the data of the loads that its
// links lead to, one after the other, and the same load's data for the next warps, as INTER does.
// A warp that goes elsewhere is served no more; when a third one does, the link is learnt anew.
// Without its L1, which keeps prefetched lines apart, and its throttling (the paper's Snake-DT).
//
// Assumptions: chains of three links, where the paper lets throttling decide; each warp's last load
// is known; the ten links' victim is, of the three used longest ago, the one of the fewest warps;
// a load in a loop is its own link, or its loop's are a chain, so that INTRA's stride needs no
// field.
class ChainedStrides {
 public:
  static constexpr uint32_t kLinks = 10;
  static constexpr uint32_t kOldest = 3;  // of which one gives way
  static constexpr int kWarpsToTrust = 3;
  static constexpr int kWarpsToDoubt = 3;
  static constexpr uint32_t kDepth = 3;

  explicit ChainedStrides(const PrefetcherConfig& config)
      : address_bits_(config.addr_bits), inter_(config) {}

  void Load(const PrefetcherIn& in, PrefetchQueue* queue);
  void Miss(const PrefetcherIn& /*in*/, PrefetchQueue* /*queue*/) {}
  void EndCtas(uint32_t slots);

 private:
  struct LastLoad {
    bool valid = false;
    uint64_t pc = 0;
    uint64_t addr = 0;
    uint32_t slot = 0;
  };
  struct Link {
    bool valid = false;
    uint64_t pc = 0;  // of the first load, and of the one that follows it
    uint64_t next = 0;
    int64_t bytes = 0;    // from the first one's address to the other's
    uint64_t warps = 0;   // a bit for each that has gone this way
    uint64_t strays = 0;  // and for each that went elsewhere since three had
    uint64_t used = 0;    // when, for the choice of a victim

    bool Trusted() const { return std::popcount(warps) >= kWarpsToTrust; }
    bool Serves(uint32_t warp) const { return Trusted() && (strays >> warp & 1) == 0; }
  };

  void Learn(uint32_t warp, const LastLoad& from, uint64_t pc, uint64_t addr);
  Link* Victim();
  const Link* Next(uint64_t pc, uint32_t warp) const;

  uint32_t address_bits_;
  std::array<LastLoad, 64> last_ = {};
  std::array<Link, kLinks> links_ = {};
  uint64_t uses_ = 0;
  InterWarpStride inter_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_PREFETCHER_CHAIN_POLICY_H_
