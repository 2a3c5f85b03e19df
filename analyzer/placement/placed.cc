#include "analyzer/placement/placed.h"

namespace flagstone {

Placed WhatIsPlaced(const PlacementInput& input, const NodePlan& plan) {
  const uint32_t nodes = input.nodes.Nodes();
  Placed placed = {.tbs = plan.tbs,
                   .by_queue = !plan.queues.empty(),
                   .tbs_of_node = std::vector<uint64_t>(nodes, 0),
                   .once = plan.once,
                   .arrays = {}};
  for (const uint8_t node :
       NodesOfTbs(input.nodes, plan, input.launch->TbCount(), input.launch->grid.x)) {
    ++placed.tbs_of_node[node];
  }
  for (const DeviceMemory::Region& region : input.memory->regions()) {
    PlacedArray& array = placed.arrays.emplace_back();
    array.name = region.name;
    const auto owners = plan.owners.find(region.name);
    array.by_owner = owners != plan.owners.end();
    const auto units = plan.pages.find(region.name);
    if (units != plan.pages.end()) {
      array.units = units->second;
    } else if (!plan.first_touch) {
      array.units = Parts(input.nodes, region.size, input.page_bytes);
    } else {
      continue;
    }
    array.pages.assign(nodes, 0);
    for (uint64_t at = 0; at < region.size; at += input.page_bytes) {
      const uint8_t owner =
          array.by_owner ? owners->second[at / input.page_bytes] : NodePlan::kNoOwner;
      ++array.pages[owner != NodePlan::kNoOwner ? owner : Deal(input.nodes, *array.units, at)];
    }
  }
  return placed;
}

}  // namespace flagstone
