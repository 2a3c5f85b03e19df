// Persistent kernels: a loop whose index begins at the TB's id and goes on by the number of TBs, so
// that each TB does many tiles. The order of these stands in the loop, not in the hand-out of TBs.
#ifndef FLAGSTONE_APP_ORDER_TILE_LOOP_H_
#define FLAGSTONE_APP_ORDER_TILE_LOOP_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/launch/kernel_launch.h"
#include "kernels/ptx/kernel.h"

namespace flagstone {

struct TileLoop {
  int line = 0;  // where the index goes on
  ptx::RegisterId index = 0;
  uint32_t header = 0;             // pc at which each turn begins
  uint32_t step = 0;               // pc of the addition that makes the next index
  ptx::Operand bound;              // the number of tiles, as the loop's end compares with it
  std::vector<uint32_t> reads;     // pcs in the loop that make a tile of the index
  std::vector<uint32_t> accesses;  // pcs in the loop of loads and stores
  std::string hidden;              // why an order cannot be written into it; empty: it can
};

// Of a launch on a grid of one axis, whose number of TBs the step may also have as a number or in a
// parameter. Nothing where there is no such loop, or where the TB's id places data of its own
// beside it or the work is divided by the number of TBs.
std::optional<TileLoop> FindTileLoop(const KernelLaunch& launch);

// `text`, the module's, with an index that ends the loop after one turn in the place of the next.
// On as many TBs as there are tiles, each does the tile of its id.
std::string WithOneTurn(const std::string& text, const ptx::Kernel& kernel, const TileLoop& loop);

// `text` with a loop that does tile order[i] where it would do tile i, on launches of as many
// tiles. Throws kBadInput with `hidden` where it cannot be written.
std::string WithTileOrder(const std::string& text, const std::string& file,
                          const ptx::Kernel& kernel, const TileLoop& loop, const std::string& name,
                          const std::vector<uint32_t>& order);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_ORDER_TILE_LOOP_H_
