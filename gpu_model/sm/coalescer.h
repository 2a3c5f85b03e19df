// A warp's addresses -> memory requests (lines with sectors), and shared-memory bank conflicts.
#ifndef FLAGSTONE_GPU_MODEL_SM_COALESCER_H_
#define FLAGSTONE_GPU_MODEL_SM_COALESCER_H_

#include <array>
#include <cstdint>

#include "gpu_model/memory/packet.h"

namespace flagstone {

using LaneAddresses = std::array<uint64_t, 32>;

// One request per line touched, in the order of the lowest lane that touches it. An aligned access
// of up to 32 bytes per lane never crosses a sector, so there are at most 32.
struct CoalescedRequests {
  uint32_t count = 0;
  std::array<LineNumber, 32> lines = {};
  std::array<SectorMask, 32> sectors = {};

  uint32_t TotalSectors() const {
    uint32_t total = 0;
    for (uint32_t i = 0; i < count; ++i) total += SectorCount(sectors[i]);
    return total;
  }
};
void Coalesce(const LaneAddresses& addresses, uint32_t lanes, CoalescedRequests* requests);

// Per request: how many lanes come after the first at the address that most lanes of the line
// share.
using AtomicConflicts = std::array<uint8_t, 32>;
void CountConflicts(const LaneAddresses& addresses, uint32_t lanes,
                    const CoalescedRequests& requests, AtomicConflicts* conflicts);

// Cycles a warp's shared-memory access takes at 32 banks of 4 bytes: the largest number of
// different words in one bank. Lanes that read the same word share it; atomics do not
// (`serialize`).
uint32_t BankCycles(const LaneAddresses& addresses, uint32_t lanes, uint32_t bytes, bool serialize);

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_SM_COALESCER_H_
