// A drawing of a block's RTL, by Yosys and Graphviz.
#ifndef FLAGSTONE_SYNTH_SCHEMATIC_H_
#define FLAGSTONE_SYNTH_SCHEMATIC_H_

#include <filesystem>

#include "synth/blocks.h"

namespace flagstone {

// Writes FOLDER/<block>.svg: word-wide cells as the RTL has them, instances as boxes. Throws
// kInternal when Graphviz is missing, naming the package.
void DrawSchematic(const SynthBlock& block, const std::filesystem::path& folder);

}  // namespace flagstone

#endif  // FLAGSTONE_SYNTH_SCHEMATIC_H_
