// The hardware blocks that can be driven alone, one row each: what `flagstone block` and
// `list blocks` know, and what the tests of all blocks go through. Rows follow from descriptors.
#ifndef FLAGSTONE_SYSTEMC_COSIM_BLOCK_REGISTRY_H_
#define FLAGSTONE_SYSTEMC_COSIM_BLOCK_REGISTRY_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpu_model/blocks/descriptor.h"
#include "systemc/cosim/any_block.h"
#include "systemc/cosim/block_factory.h"

namespace flagstone {

struct BlockRow {
  std::string_view name;     // the RTL module's
  std::string_view summary;  // one line
  std::vector<BlockParameter> parameters;
  // `values`: of all parameters, in their order, in range.
  std::function<std::unique_ptr<AnyBlock>(const RtlParameters& values, Engine engine,
                                          const BodyOptions& options)>
      make;
};

std::span<const BlockRow> BlockRows();

// Throws kBadInput for an unknown name, listing the known ones.
const BlockRow& FindBlock(std::string_view name);

// All parameters of the row: those of `wanted` ("NumSm=3"), the others at their standard values.
// Throws kBadInput for what is no parameter, no number, or out of range.
RtlParameters ChooseParameters(const BlockRow& row, const std::vector<std::string>& wanted);

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_COSIM_BLOCK_REGISTRY_H_
