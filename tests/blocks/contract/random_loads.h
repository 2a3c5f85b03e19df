// Random streams of loads for CAPS's prefetcher.
#ifndef FLAGSTONE_TESTS_BLOCKS_CONTRACT_RANDOM_LOADS_H_
#define FLAGSTONE_TESTS_BLOCKS_CONTRACT_RANDOM_LOADS_H_

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <set>
#include <vector>

#include "base/random.h"
#include "tests/blocks/contract/caps_bench.h"

namespace flagstone {

// A kernel whose loads have strides between warps, some with exceptions.
class RandomLoads {
 public:
  // `exceptions`: percent of loads whose addresses are anything.
  RandomLoads(uint64_t seed, const CapsConfig& config, uint32_t pcs, uint32_t exceptions)
      : random_(seed), config_(config), exceptions_(exceptions) {
    const uint64_t first_pc = random_.Next();
    const uint64_t pc_mask = ~uint64_t{0} >> (64 - config.pc_bits);
    for (uint32_t i = 0; i < pcs; ++i) {
      const uint64_t sign = random_.Below(3) == 0 ? ~uint64_t{0} : 1;
      pcs_.push_back({(first_pc + 8 * i) & pc_mask,
                      sign * random_.Below(uint64_t{1} << random_.Below(20)), 1 + random_.Below(4),
                      random_.Below(10) == 0});
    }
    // A few to a CTA, or now and then all of the SM.
    const uint32_t ctas = random_.Below(8) == 0 ? 1 : std::min(4u, config.cta_slots);
    warps_per_cta_ = 1 + Below(config.num_warps / ctas);
  }

  uint32_t Below(uint64_t bound) { return static_cast<uint32_t>(random_.Below(bound)); }
  SplitMix64& random() { return random_; }

  // Warps of a new CTA: a row of them, with gaps now and then.
  uint64_t NewCta(uint32_t slot) {
    base_[slot] = random_.Next();
    const uint32_t first = Below(config_.num_warps);
    const uint32_t count = std::min(warps_per_cta_, config_.num_warps - first);
    uint64_t warps = 0;
    for (uint32_t w = first; w < first + count; ++w) warps |= uint64_t{1} << w;
    if (Below(8) == 0) warps &= random_.Next() | (uint64_t{1} << first);
    return warps;
  }

  CapsLoad Load(uint32_t slot, uint64_t warps) {
    pc_ = Below(pcs_.size());
    do {
      warp_ = Below(config_.num_warps);
    } while (((warps >> warp_) & 1) == 0);
    return LoadOf(slot);
  }

  // By the leading warp.
  CapsLoad Lead(uint32_t slot, uint64_t warps) {
    pc_ = Below(pcs_.size());
    warp_ = static_cast<uint32_t>(std::countr_zero(warps));
    return LoadOf(slot);
  }

  // The load of the call before, by the warp above; by any warp if that is not of the CTA.
  CapsLoad Follow(uint32_t slot, uint64_t warps) {
    ++warp_;
    if (warp_ >= config_.num_warps || ((warps >> warp_) & 1) == 0) return Load(slot, warps);
    return LoadOf(slot);
  }

 private:
  struct Pc {
    uint64_t pc;
    uint64_t stride;
    uint64_t count;
    bool indirect;
  };

  CapsLoad LoadOf(uint32_t slot) {
    const Pc& pc = pcs_[pc_];
    CapsLoad load;
    load.pc = pc.pc;
    load.slot = slot;
    load.warp = warp_;
    load.indirect = pc.indirect;
    uint64_t count = pc.count;
    uint64_t address = base_[slot] + pc.pc * 0x10000 + load.warp * pc.stride;
    if (random_.Below(100) < exceptions_) {
      count = random_.Below(random_.Below(4) == 0 ? 33 : 7);
      if (random_.Below(2) == 0) address += random_.Below(300);
    }
    const uint64_t mask =
        config_.addr_bits == 64 ? ~uint64_t{0} : (uint64_t{1} << config_.addr_bits) - 1;
    for (uint64_t k = 0; k < count; ++k) {
      load.addrs.push_back(address & mask);
      address += 128;
      if (random_.Below(100) < exceptions_) address += random_.Below(200);
    }
    if (count > 1 && random_.Below(100) < exceptions_) {
      load.addrs[random_.Below(count)] ^= uint64_t{1} << random_.Below(config_.addr_bits);
    }
    if (count > 1 && exceptions_ > 0 && random_.Below(4) == 0) {
      std::rotate(load.addrs.begin(), load.addrs.begin() + Below(count), load.addrs.end());
    }
    return load;
  }

  SplitMix64 random_;
  const CapsConfig config_;
  const uint32_t exceptions_;
  uint32_t warps_per_cta_;
  std::vector<Pc> pcs_;
  uint32_t pc_ = 0;  // of the last load, and its warp
  uint32_t warp_ = 0;
  std::array<uint64_t, kMaxCtaSlots> base_ = {};
};

// Whether an L1 that holds `percent` of all lines holds this address.
inline bool InL1(uint64_t salt, uint64_t address, uint32_t percent) {
  return SplitMix64(salt ^ (address / 128)).Below(100) < percent;
}

// A kernel of so many loads is not cut short, and most of its loads are anything: counters reach
// their ends.
inline constexpr uint32_t kLongKernel = 4000;

// Loads, ends of CTAs and of kernels in any cycle that the port allows, with an L1 that stalls.
// Returns the PCs of the loads that are not indirect.
std::set<uint64_t> RunRandomLoads(uint64_t seed, const CapsConfig& config, uint32_t loads,
                                  CapsBench* bench);

}  // namespace flagstone

#endif  // FLAGSTONE_TESTS_BLOCKS_CONTRACT_RANDOM_LOADS_H_
