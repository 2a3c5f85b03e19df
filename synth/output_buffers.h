// Buffers for registers that drive many outputs of a block at once. abc sees gates and their nets
// alone, and leaves such a net as it is.
#ifndef FLAGSTONE_SYNTH_OUTPUT_BUFFERS_H_
#define FLAGSTONE_SYNTH_OUTPUT_BUFFERS_H_

#include "synth/cell_library.h"
#include "synth/netlist.h"

namespace flagstone {

// Bits of ports that a net may drive without, and that a buffer drives.
inline constexpr size_t kOutputsPerBuffer = 8;

// The load of an output port, fF: two of the smallest inverters.
double OutputLoad(const CellLibrary& library);

// Puts buffers between each net that drives more than kOutputsPerBuffer bits of output ports and
// these. The buffer is the strongest whose input is no heavier than a port. Nothing happens where
// the library has none.
void BufferOutputs(const CellLibrary& library, Netlist* netlist);

}  // namespace flagstone

#endif  // FLAGSTONE_SYNTH_OUTPUT_BUFFERS_H_
