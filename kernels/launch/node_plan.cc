#include "kernels/launch/node_plan.h"

#include <algorithm>

#include "base/error.h"

namespace flagstone {

uint32_t Deal(const NodeShape& shape, const DealUnits& units, uint64_t index) {
  const uint64_t gpu = index / units.gpu % shape.gpus;
  // Its place among all that the GPU gets.
  const uint64_t of_gpu = index / (units.gpu * shape.gpus) * units.gpu + index % units.gpu;
  const uint64_t chiplet = of_gpu / units.chiplet % shape.chiplets;
  return static_cast<uint32_t>(gpu * shape.chiplets + chiplet);
}

DealUnits ChipletFirst(const NodeShape& shape, uint64_t unit) {
  return {unit * shape.chiplets, unit};
}

DealUnits GpuFirst(uint64_t unit) { return {unit, unit}; }

DealUnits Parts(const NodeShape& shape, uint64_t count, uint64_t unit) {
  const uint64_t units = (count + unit - 1) / unit;
  const uint64_t of_node = std::max<uint64_t>(1, (units + shape.Nodes() - 1) / shape.Nodes());
  return ChipletFirst(shape, of_node * unit);
}

uint64_t TbMap::ElementOf(uint64_t tb, uint32_t columns) const {
  switch (element) {
    case Element::kRow:
      return tb / columns;
    case Element::kColumn:
      return tb % columns;
    case Element::kTb:
      break;
  }
  return tb;
}

uint32_t NodeOfTb(const NodeShape& shape, const TbMap& map, uint64_t tb, uint32_t columns) {
  return Deal(shape, map.units, map.ElementOf(tb, columns));
}

std::vector<uint8_t> NodesOfTbs(const NodeShape& shape, const NodePlan& plan, uint64_t tbs,
                                uint32_t columns) {
  constexpr uint8_t kNowhere = 0xff;
  std::vector<uint8_t> nodes(tbs, kNowhere);
  if (plan.queues.empty()) {
    for (uint64_t tb = 0; tb < tbs; ++tb) {
      nodes[tb] = static_cast<uint8_t>(NodeOfTb(shape, plan.tbs, tb, columns));
    }
    return nodes;
  }
  uint64_t queued = 0;
  for (size_t node = 0; node < plan.queues.size(); ++node) {
    for (const std::vector<uint32_t>& group : plan.queues[node].groups) {
      for (const uint32_t tb : group) {
        if (tb >= tbs || nodes[tb] != kNowhere) ThrowInternal("TB {} is in two nodes' queues", tb);
        nodes[tb] = static_cast<uint8_t>(node);
        ++queued;
      }
    }
  }
  if (queued != tbs) ThrowInternal("{} of {} TBs are in nodes' queues", queued, tbs);
  return nodes;
}

}  // namespace flagstone
