#include "systemc/cosim/block_factory.h"

#include <utility>

#include "systemc/cosim/verilate.h"

namespace flagstone {
namespace {

RtlSubstitute& Substitute() {
  static RtlSubstitute substitute;
  return substitute;
}

}  // namespace

void SubstituteRtl(RtlSubstitute substitute) { Substitute() = std::move(substitute); }

const BlockAbi& RtlOf(const std::string& top, const RtlParameters& parameters, bool wave) {
  const BlockAbi* abi = Substitute() ? Substitute()(top, parameters) : nullptr;
  return abi != nullptr ? *abi : VerilateBlock(top, parameters, {.wave = wave});
}

}  // namespace flagstone
