// The fast ways between the structs of an SM's blocks and the ports of their RTL: a machine has
// many of them, ticked in most cycles of a simulation.
#ifndef FLAGSTONE_SYSTEMC_COSIM_SM_BLOCK_PORTS_H_
#define FLAGSTONE_SYSTEMC_COSIM_SM_BLOCK_PORTS_H_

#include <array>
#include <cstdint>
#include <span>

#include "gpu_model/blocks/block_type.h"
#include "gpu_model/blocks/prefetcher/ports.h"
#include "gpu_model/blocks/warp_scheduler/ports.h"
#include "systemc/cosim/port_access.h"

namespace flagstone {

// Of CAPS's prefetcher, which has all ports but those of misses.
class PrefetcherPorts {
 public:
  // Throws kInternal when the RTL lacks a port of the type.
  PrefetcherPorts(const BlockType<PrefetcherIn, PrefetcherOut>& type,
                  std::span<const BlockPort> ports);

  void Drive(const PrefetcherIn& in);
  void Read(PrefetcherOut* out);

 private:
  uint32_t slots_, warps_, addr_bits_;
  BlockPort kernel_end_, cta_end_, live_warps_, load_valid_, load_pc_, load_slot_, load_warp_,
      load_indirect_, load_count_, load_addr_, probe_done_, probe_present_, prefetch_ready_;
  BlockPort probe_valid_, probe_addr_, prefetch_valid_, prefetch_addr_, prefetch_warp_,
      prefetch_slot_, prefetch_pc_, throttled_, quiescent_;
  std::array<uint64_t, kMaxCtaSlots> live_ = {};  // as last driven
};

class WarpSchedulerPorts {
 public:
  // Throws kInternal when the RTL lacks a port of the type.
  WarpSchedulerPorts(const BlockType<WarpSchedulerIn, WarpSchedulerOut>& type,
                     std::span<const BlockPort> ports);

  void Drive(const WarpSchedulerIn& in);
  void Read(WarpSchedulerOut* out);

 private:
  BlockPort eligible_, stalled_, barrier_, leading_, started_, finished_, issued_valid_,
      issued_warp_, wake_valid_, wake_warp_, epoch_;
  BlockPort grant_valid_, grant_warp_, quiescent_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_COSIM_SM_BLOCK_PORTS_H_
