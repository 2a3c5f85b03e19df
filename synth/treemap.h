// The area of a block, module by module, as a picture.
#ifndef FLAGSTONE_SYNTH_TREEMAP_H_
#define FLAGSTONE_SYNTH_TREEMAP_H_

#include <string>
#include <vector>

#include "synth/synth.h"

namespace flagstone {

struct TreemapTile {
  std::string label;
  double area = 0;
  uint64_t flip_flops = 0;
};

// An SVG of one rectangle for each tile, its area to scale, the largest first (squarified: Bruls,
// Huizing, van Wijk, 2000). Tiles without area are left out.
std::string TreemapSvg(const std::string& title, std::vector<TreemapTile> tiles);

// A block's registers, by the instance that holds them ("u_queues.gen_sm[3].u_queue"), and its
// logic, which the mapping has mixed: one tile.
std::vector<TreemapTile> AreaByInstance(const MappedBlock& mapped, const std::string& top);

}  // namespace flagstone

#endif  // FLAGSTONE_SYNTH_TREEMAP_H_
