#include "gpu_model/blocks/tb_scheduler/numa/node_map_settings.h"

#include <algorithm>

#include "base/error.h"

namespace flagstone {
namespace {

// Equally long runs of elements at equal distances.
struct Runs {
  uint64_t first = 0, length = 0, step = 0;
  uint64_t end = 0;  // no element of the node from here on

  uint64_t Elements() const {
    if (first >= end) return 0;
    const uint64_t whole = (end - first) / step;
    return whole * length + std::min(length, end - first - whole * step);
  }
};

Runs RunsOfNode(const NodeShape& nodes, const DealUnits& units, uint64_t elements, uint32_t node) {
  const uint64_t gpu = node / nodes.chiplets;
  const uint64_t chiplet = node % nodes.chiplets;
  if (units.gpu * nodes.gpus >= elements) {
    const uint64_t part = gpu * units.gpu;
    return {part + chiplet * units.chiplet, units.chiplet, nodes.chiplets * units.chiplet,
            std::min(elements, part + units.gpu)};
  }
  const uint64_t step = nodes.Nodes() * units.chiplet;
  if (units.gpu == nodes.chiplets * units.chiplet) {
    return {node * units.chiplet, units.chiplet, step, elements};
  }
  if (units.gpu == units.chiplet) {
    return {(chiplet * nodes.gpus + gpu) * units.chiplet, units.chiplet, step, elements};
  }
  ThrowInternal("a map of TBs in units of {} to a GPU and {} to a chiplet", units.gpu,
                units.chiplet);
}

}  // namespace

NodeTbs TbsOfNode(const NodeShape& nodes, const TbMap& map, const TbLaunchShape& launch,
                  uint32_t node) {
  const uint32_t columns = launch.columns;
  const uint32_t rows = launch.rows;
  uint64_t elements = launch.Tbs();
  if (map.element == TbMap::Element::kRow) elements = rows;
  if (map.element == TbMap::Element::kColumn) elements = columns;
  Runs runs = RunsOfNode(nodes, map.units, elements, node);
  const uint64_t tbs_each = launch.Tbs() / elements;
  NodeTbs result;
  result.count = static_cast<uint32_t>(runs.Elements() * tbs_each);
  // A run that no grid is long enough for is as good as one that ends with the grid.
  runs.length = std::min(runs.length, elements);
  const auto word = [](uint64_t value) { return static_cast<uint32_t>(value); };
  const uint64_t gap = runs.step - runs.length;  // elements
  if (map.element == TbMap::Element::kColumn) {
    // From the foot of a column back to its head.
    const uint64_t back = uint64_t{rows - 1} * columns;
    result.settings = {word(runs.first), word(runs.length * rows), columns, rows,
                       word(1 - back),   word(gap + 1 - back)};
  } else {
    result.settings = {word(runs.first * tbs_each), word(runs.length * tbs_each), 1, 0, 0,
                       word(gap * tbs_each + 1)};
  }
  return result;
}

}  // namespace flagstone
