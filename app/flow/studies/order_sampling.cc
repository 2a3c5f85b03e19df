#include "app/flow/studies/order_sampling.h"

#include <algorithm>

namespace flagstone {
namespace {

// Of all TBs under one order. Where there are few, each has no more than it would among sixteen.
uint64_t StepsOfOrder(size_t orders) {
  constexpr uint64_t kSteps = 500'000;  // under all orders
  constexpr size_t kFewest = 16;
  return kSteps / std::max(orders, kFewest);
}

}  // namespace

OrderSampling SampleLaunch(uint64_t tbs, uint64_t window, size_t orders, uint32_t most_parts,
                           uint32_t loops, uint64_t steps) {
  constexpr uint32_t kFewest = 4, kMost = 256, kMostParts = 8, kFewestOfParts = 8;
  OrderSampling sampling = {1, kFewest, tbs};
  const uint64_t of_order = StepsOfOrder(orders) / loops, of_tb = of_order / tbs;
  if (of_tb >= kFewest) {
    sampling.parts = static_cast<uint32_t>(std::clamp<uint64_t>(
        of_tb / std::min<uint64_t>(steps, kFewestOfParts), 1, std::min(most_parts, kMostParts)));
    sampling.steps = static_cast<uint32_t>(std::min<uint64_t>(of_tb / sampling.parts, kMost));
  } else {
    sampling.tbs = std::min(tbs, std::max(of_order / kFewest, 2 * window));
  }
  return sampling;
}

std::vector<uint32_t> TbsOfAny(const std::vector<std::vector<uint32_t>>& tables, uint64_t tbs) {
  std::vector<bool> in_one(tbs, false);
  for (const std::vector<uint32_t>& table : tables) {
    for (const uint32_t tb : table) in_one[tb] = true;
  }
  std::vector<uint32_t> all;
  for (uint32_t tb = 0; tb < tbs; ++tb) {
    if (in_one[tb]) all.push_back(tb);
  }
  return all;
}

uint64_t MostUnits(uint64_t tbs_of_any, uint64_t tbs, size_t orders) {
  constexpr uint64_t kTouches = 2'000'000;  // of all TBs under all orders
  return std::max(kTouches * tbs_of_any / (tbs * orders), uint64_t{1});
}

uint64_t WarmFrom(const DeviceMemory& memory, uint64_t l2_bytes) {
  uint64_t left = l2_bytes;
  for (auto region = memory.regions().rbegin(); region != memory.regions().rend(); ++region) {
    if (region->size >= left) return region->address + region->size - left;
    left -= region->size;
  }
  return 0;
}

}  // namespace flagstone
