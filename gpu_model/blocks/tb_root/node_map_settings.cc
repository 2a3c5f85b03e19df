#include "gpu_model/blocks/tb_root/node_map_settings.h"

#include <algorithm>

#include "base/error.h"

namespace flagstone {
namespace {

uint32_t Word(uint64_t value) { return static_cast<uint32_t>(value); }

// How `elements` in units of `unit` fall on ranks in turn, each element being `tbs_each` TBs.
void ShareOut(uint64_t elements, uint64_t unit, uint64_t ranks, uint64_t tbs_each, TbRootWord first,
              TbRootSettings* settings) {
  const uint64_t units = (elements + unit - 1) / unit;
  uint32_t* const words = &(*settings)[first];  // TBs, ranks with a unit more, the short one's
  words[0] = Word(units / ranks * unit * tbs_each);
  words[1] = Word(units % ranks);
  words[2] = Word((units + ranks - 1) % ranks);
  words[3] = Word((units * unit - elements) * tbs_each);
}

}  // namespace

TbRootSettings NodeMapSettings(const NodeShape& nodes, const TbMap& map,
                               const TbLaunchShape& launch) {
  uint64_t elements = launch.Tbs();
  if (map.element == TbMap::Element::kRow) elements = launch.rows;
  if (map.element == TbMap::Element::kColumn) elements = launch.columns;
  const uint64_t tbs_each = launch.Tbs() / elements;
  const bool columns = map.element == TbMap::Element::kColumn;
  const uint64_t id_each = columns ? 1 : tbs_each;  // from an element's first TB to the next one's
  // A unit that no grid is long enough for is as good as the grid.
  const uint64_t of_gpu = std::min(map.units.gpu, elements);
  const uint64_t unit = std::min(map.units.chiplet, of_gpu);

  TbRootSettings words = {};
  uint64_t distance = 0;                  // of a node's runs, in elements
  if (of_gpu * nodes.gpus >= elements) {  // a part for each GPU, by chiplets in turn
    words[kGpuStep] = Word(of_gpu * id_each);
    words[kChipletStep] = Word(unit * id_each);
    words[kChipletRank] = 1;
    words[kLastGpu] = Word(elements / of_gpu);
    distance = nodes.chiplets * unit;
    ShareOut(of_gpu, unit, nodes.chiplets, tbs_each, kFullTbs, &words);
    ShareOut(elements % of_gpu, unit, nodes.chiplets, tbs_each, kLastTbs, &words);
  } else {  // units in turn, as if all were one GPU's
    const bool chiplet_first = map.units.gpu == nodes.chiplets * unit;
    if (!chiplet_first && map.units.gpu != unit) {
      ThrowInternal("a map of TBs in units of {} to a GPU and {} to a chiplet", map.units.gpu,
                    map.units.chiplet);
    }
    words[kGpuRank] = chiplet_first ? nodes.chiplets : 1;
    words[kChipletRank] = chiplet_first ? 1 : nodes.gpus;
    words[kGpuStep] = Word(words[kGpuRank] * unit * id_each);
    words[kChipletStep] = Word(words[kChipletRank] * unit * id_each);
    words[kLastGpu] = nodes.gpus;
    distance = nodes.Nodes() * unit;
    ShareOut(elements, unit, nodes.Nodes(), tbs_each, kFullTbs, &words);
  }
  const uint64_t gap = (distance - unit) * id_each;
  words[kRunTbs] = Word(unit * tbs_each);
  if (columns) {
    // From the foot of a column back to its head.
    const uint64_t back = uint64_t{launch.rows - 1} * launch.columns;
    words[kStep] = launch.columns;
    words[kLineTbs] = launch.rows;
    words[kLineJump] = Word(1 - back);
    words[kRunJump] = Word(gap + 1 - back);
  } else {
    words[kStep] = 1;
    words[kRunJump] = Word(gap + 1);
  }
  return words;
}

}  // namespace flagstone
