// The RTL blocks that can be synthesised alone, and the parameters they are measured with.
#ifndef FLAGSTONE_SYNTH_BLOCKS_H_
#define FLAGSTONE_SYNTH_BLOCKS_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpu_model/blocks/tb_scheduler_size.h"

namespace flagstone {

struct SynthParameter {
  std::string name;  // the RTL's
  uint32_t value = 0;
};

struct SynthBlock {
  std::string_view name;  // the RTL module's
  bool top = false;       // a whole hardware block; otherwise a part of one
  std::string_view what;  // one line for `list blocks`
  std::vector<SynthParameter> parameters;
  double clock_mhz = 700;  // of its machine: what it is mapped for, and has to meet
  // What counts as an operation: ports and operators; each bit set in a cycle is one. "": nothing.
  std::string_view operation = {};
};

// All blocks and parts that have a descriptor (gpu_model/blocks), blocks first. A name may stand in
// several rows, with other parameters.
std::span<const SynthBlock> SynthBlocks();

// The rows of these names, in the order of `names`; all rows when it is empty. Throws kBadInput for
// an unknown name, listing the known ones.
std::vector<SynthBlock> SelectSynthBlocks(const std::vector<std::string>& names);

// The same blocks on a machine whose TB scheduler has this size, at this clock, each once.
std::vector<SynthBlock> ForMachine(std::vector<SynthBlock> blocks, const TbSchedulerSize& size,
                                   double clock_mhz);
// Each block with the same parameters and clock once.
std::vector<SynthBlock> WithoutRepeats(const std::vector<SynthBlock>& blocks);

// Sets a parameter of every block that has it in its row, or, where none has, in its RTL. Throws
// kBadInput when none has, or for a value outside the parameter's range.
void SetParameter(std::vector<SynthBlock>* blocks, std::string_view name, uint32_t value);

}  // namespace flagstone

#endif  // FLAGSTONE_SYNTH_BLOCKS_H_
