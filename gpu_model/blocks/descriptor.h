// A hardware block, or a part of one, as all that lists, checks or synthesises RTL knows it: what
// is said of a block is said here, once.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_DESCRIPTOR_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_DESCRIPTOR_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gpu_model/blocks/block_type.h"

namespace flagstone {

struct BlockParameter {
  std::string_view name;  // the RTL's
  uint32_t standard = 0;  // fermi's, or another usual value
  uint32_t low = 0, high = 0;
  std::vector<uint32_t> only = {};  // not empty: the values there are in [low, high]
};

// What a block is synthesised with.
struct SynthSize {
  RtlParameters parameters;  // the others are the RTL's own
  double clock_mhz = 700;    // of its machine: what it is mapped for, and has to meet
};

// One run of the mutation test: tests/blocks/mutation/run says what the numbers are.
struct MutationRow {
  std::string_view name;           // of the row; empty: the block's
  std::string_view within = {};    // cells whose names hold this; empty: all
  std::string_view parameters;     // "NumSm=3 IdWidth=16"
  uint32_t seeds = 0, cycles = 0;  // random stimuli of small kernels
  uint32_t large = 0;              // random stimuli of large kernels
};

struct BlockDescriptor {
  std::string_view name;     // the RTL module's
  std::string_view summary;  // one line
  bool whole = false;        // a hardware block of its own; otherwise a part of one
  // What a user may choose where the block is driven alone; empty for what only stands in others.
  std::vector<BlockParameter> parameters = {};
  std::vector<SynthSize> synth = {};
  // What counts as an operation, for its energy: ports and operators; each bit set in a cycle is
  // one. Empty: nothing.
  std::string_view operation = {};

  // Tests of the RTL. Parameters as "NumSm=3 IdWidth=16".
  std::string_view coverage = {};  // of the body that counts lines and toggles; empty: none
  std::vector<MutationRow> mutation = {};
  std::string_view netlist = {};  // of the netlist that the contract tests run on; empty: none
  bool netlist_with_ram = false;  // its table storage is a RAM there, since that is made faster
};

// Those of the parts (parts.cc). Blocks and parts together: all/all_blocks.h.
const std::vector<BlockDescriptor>& PartDescriptors();

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_DESCRIPTOR_H_
