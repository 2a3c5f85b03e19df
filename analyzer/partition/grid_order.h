// Orders of TBs that follow from their place in the grid alone, without a look at what they share.
#ifndef FLAGSTONE_ANALYZER_PARTITION_GRID_ORDER_H_
#define FLAGSTONE_ANALYZER_PARTITION_GRID_ORDER_H_

#include <cstdint>
#include <vector>

#include "kernels/launch/kernel_launch.h"

namespace flagstone::partition {

// All TBs along a Hilbert curve, plane by plane (z). The curve is the one for rectangles of any
// size: each step goes to a neighbour, with at most one diagonal step in a plane of odd extents.
std::vector<uint32_t> HilbertOrder(const Dim3& grid);

// Extents of the tile of at most `capacity` TBs, no larger than the grid, whose row and column
// sharers read least per TB: 1/x + 1/y + 1/z is lowest. Ties: the larger tile, then the wider one.
Dim3 TileShape(const Dim3& grid, uint32_t capacity);

}  // namespace flagstone::partition

#endif  // FLAGSTONE_ANALYZER_PARTITION_GRID_ORDER_H_
