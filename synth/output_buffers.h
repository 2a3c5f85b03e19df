// Buffers for nets that drive many registers or outputs of a block at once.
#ifndef FLAGSTONE_SYNTH_OUTPUT_BUFFERS_H_
#define FLAGSTONE_SYNTH_OUTPUT_BUFFERS_H_

#include "synth/cell_library.h"
#include "synth/netlist.h"

namespace flagstone {

// Bits of ports and registers that a net may drive without, and that a buffer drives.
inline constexpr size_t kOutputsPerBuffer = 8;

// The load of an output port, fF: two of the smallest inverters.
double OutputLoad(const CellLibrary& library);

// Yosys shows abc one output for a net, however many ports and registers it drives. Puts buffers
// between each net that drives more than kOutputsPerBuffer of these and them, in as many levels as
// it takes. The buffer is the strongest whose input is no heavier than a port. Nothing happens
// where the library has none.
void BufferOutputs(const CellLibrary& library, Netlist* netlist);

}  // namespace flagstone

#endif  // FLAGSTONE_SYNTH_OUTPUT_BUFFERS_H_
