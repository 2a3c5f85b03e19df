// The RTL blocks that can be synthesised alone, and the parameters they are measured with.
#ifndef FLAGSTONE_SYNTH_BLOCKS_H_
#define FLAGSTONE_SYNTH_BLOCKS_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace flagstone {

struct SynthParameter {
  std::string_view name;  // the RTL's
  uint32_t value = 0;
};

struct SynthBlock {
  std::string_view name;  // the RTL module's
  bool top = false;       // a whole hardware block; otherwise a part of one
  std::string_view what;  // one line for `list blocks`
  std::vector<SynthParameter> parameters;
};

// Tops first. The parameters are those of the machine `fermi` (15 SMs, 16-bit TB ids).
std::span<const SynthBlock> SynthBlocks();

// The blocks of these names, in this order; all tops when `names` is empty. Throws kBadInput for an
// unknown name, listing the known ones.
std::vector<SynthBlock> SelectSynthBlocks(const std::vector<std::string>& names);

}  // namespace flagstone

#endif  // FLAGSTONE_SYNTH_BLOCKS_H_
