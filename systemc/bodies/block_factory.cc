#include "systemc/bodies/block_factory.h"

#include <utility>

#include "systemc/bodies/prebuilt_blocks.h"
#include "systemc/bodies/verilate_on_demand.h"

namespace flagstone {
namespace {

RtlSubstitute& Substitute() {
  static RtlSubstitute substitute;
  return substitute;
}

}  // namespace

void SubstituteRtl(RtlSubstitute substitute) { Substitute() = std::move(substitute); }

const BlockAbi* FindPrebuilt(const std::string& top, const RtlParameters& parameters) {
  const std::string text = ToString(parameters);
  for (const PrebuiltBlock& block : PrebuiltBlocks()) {
    if (block.top == top && block.parameters == text) return block.abi;
  }
  return nullptr;
}

const BlockAbi& RtlOf(const std::string& top, const RtlParameters& parameters) {
  const BlockAbi* abi = Substitute() ? Substitute()(top, parameters) : nullptr;
  if (abi == nullptr) abi = FindPrebuilt(top, parameters);
  return abi != nullptr ? *abi : VerilateBlock(top, parameters);
}

}  // namespace flagstone
