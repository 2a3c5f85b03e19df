#include "analyzer/coalescing/warp.h"

#include <algorithm>

namespace flagstone {

void CountWarp(std::span<const uint64_t> addresses, double weight, LoadCoalescing& load) {
  const uint64_t start = addresses.front() / kSectorOfRequest * kSectorOfRequest;
  load.warps += weight;
  load.threads += weight * static_cast<double>(addresses.size());
  for (const uint64_t address : addresses) {
    const uint64_t location = (address - start) / 4;  // huge for addresses before the start
    if (location >= kRangeLocations) continue;
    load.counted += weight;
    load.graph[location] += weight;
  }
}

uint32_t SectorCount(std::span<const uint64_t> addresses, uint32_t bytes) {
  std::vector<uint64_t> sectors;
  sectors.reserve(2 * addresses.size());
  for (const uint64_t address : addresses) {
    const uint64_t last = (address + bytes - 1) / kSectorOfRequest;
    for (uint64_t sector = address / kSectorOfRequest; sector <= last; ++sector) {
      if (sectors.empty() || sectors.back() != sector) sectors.push_back(sector);
    }
  }
  std::sort(sectors.begin(), sectors.end());
  return static_cast<uint32_t>(std::unique(sectors.begin(), sectors.end()) - sectors.begin());
}

std::vector<uint64_t> ThreadOffsets(const std::array<int64_t, 3>& coefficients, const Dim3& block) {
  std::vector<uint64_t> offsets;
  offsets.reserve(block.Count());
  for (uint32_t z = 0; z < block.z; ++z) {
    for (uint32_t y = 0; y < block.y; ++y) {
      for (uint32_t x = 0; x < block.x; ++x) {
        offsets.push_back(static_cast<uint64_t>(coefficients[0]) * x +
                          static_cast<uint64_t>(coefficients[1]) * y +
                          static_cast<uint64_t>(coefficients[2]) * z);
      }
    }
  }
  return offsets;
}

}  // namespace flagstone
