// The policies that LADM is compared with.
#include <algorithm>
#include <map>
#include <string>

#include "analyzer/placement/placement.h"

namespace flagstone {
namespace {

// The same rule for all buffers.
template <class Rule>
std::map<std::string, DealUnits> AllBuffers(const PlacementInput& input, const Rule& rule) {
  std::map<std::string, DealUnits> pages;
  for (const DeviceMemory::Region& region : input.memory->regions()) {
    pages[region.name] = rule(region.size);
  }
  return pages;
}

// Of an element of the largest array for which it is known; 0: of none.
uint64_t ElementOfLargestArray(const PlacementInput& input) {
  std::map<std::string, uint32_t> elements;
  for (const LadmAccess& access : input.ladm->table) {
    if (access.array == "?") continue;
    uint32_t& bytes = elements[access.array];
    bytes = std::max(bytes, access.bytes);
  }
  uint64_t largest = 0, element = 0;
  for (const DeviceMemory::Region& region : input.memory->regions()) {
    const auto known = elements.find(region.name);
    if (known == elements.end() || region.size <= largest) continue;
    largest = region.size;
    element = known->second;
  }
  return element;
}

}  // namespace

NodePlan PlanRoundRobin(const PlacementInput& input, uint32_t chunk) {
  NodePlan plan;
  plan.tbs.units = ChipletFirst(input.nodes, chunk);
  plan.pages =
      AllBuffers(input, [&](uint64_t) { return ChipletFirst(input.nodes, input.page_bytes); });
  return plan;
}

NodePlan PlanKernelWide(const PlacementInput& input) {
  NodePlan plan;
  plan.tbs.units = Parts(input.nodes, input.launch->TbCount());
  plan.pages = AllBuffers(
      input, [&](uint64_t bytes) { return Parts(input.nodes, bytes, input.page_bytes); });
  return plan;
}

NodePlan PlanBatches(const PlacementInput& input, uint32_t tbs) {
  NodePlan plan;
  plan.tbs.units = ChipletFirst(input.nodes, tbs);
  plan.first_touch = true;
  return plan;
}

NodePlan PlanCoda(const PlacementInput& input) {
  const uint64_t row = input.launch->block.x * ElementOfLargestArray(input);
  NodePlan plan;
  plan.tbs.units = GpuFirst(row == 0 ? 1 : std::max<uint64_t>(1, input.page_bytes / row));
  plan.pages = AllBuffers(input, [&](uint64_t) { return GpuFirst(input.page_bytes); });
  return plan;
}

}  // namespace flagstone
