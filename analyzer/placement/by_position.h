// Pages by what lies in them: where the periods of an array are no multiple of the units that
// equation 1 rounds to whole pages. Internal to this folder.
#ifndef FLAGSTONE_ANALYZER_PLACEMENT_BY_POSITION_H_
#define FLAGSTONE_ANALYZER_PLACEMENT_BY_POSITION_H_

#include <cstdint>
#include <vector>

#include "kernels/launch/node_plan.h"

namespace flagstone {

// Elements (TBs, rows or columns of them) share a period of `period` bytes: the byte at offset o is
// that of element floor((o mod period) * elements / bytes).
struct BytesOfElements {
  uint64_t period = 1;
  uint64_t elements = 1;
  uint64_t bytes = 1;  // of that many elements
};

// By page of an array of `array_bytes`: its node where units of elements are dealt out. The GPU
// whose elements have most of the page, and of that GPU's chiplets the one that has; several
// that have as much get such pages in turn.
std::vector<uint8_t> OwnersByPosition(const NodeShape& nodes, const BytesOfElements& of,
                                      const DealUnits& units, uint64_t array_bytes,
                                      uint64_t page_bytes);

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_PLACEMENT_BY_POSITION_H_
