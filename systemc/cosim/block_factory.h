// Makes a block's body: model, RTL, or both in lockstep.
#ifndef FLAGSTONE_SYSTEMC_COSIM_BLOCK_FACTORY_H_
#define FLAGSTONE_SYSTEMC_COSIM_BLOCK_FACTORY_H_

#include <functional>
#include <memory>
#include <string>

#include "base/error.h"
#include "gpu_model/blocks/block_type.h"
#include "systemc/cosim/engine.h"
#include "systemc/cosim/lockstep_body.h"
#include "systemc/cosim/rtl_body.h"

namespace flagstone {

struct BodyOptions {
  RtlBodyOptions rtl;                  // path, cycle counter, wave, reset seed
  LockstepReport* lockstep = nullptr;  // counts compared cycles; must outlive the body
};

// The interface of module `top` with these parameters, Verilated on first use (verilate.h).
const BlockAbi& RtlOf(const std::string& top, const RtlParameters& parameters, bool wave = false);

// What stands in the RTL's place, or null where nothing does: netlists, in tests. Asked at each
// RtlOf from now on; the interface must outlive the bodies.
using RtlSubstitute =
    std::function<const BlockAbi*(const std::string& top, const RtlParameters& parameters)>;
void SubstituteRtl(RtlSubstitute substitute);

// The body comes out of reset. Throws kBadInput for a wave of a body that is only a model;
// kInternal when Verilating is needed and fails.
template <class In, class Out, class Ports = TablePorts<In, Out>>
std::unique_ptr<Block<In, Out>> MakeBody(const BlockType<In, Out>& type, Engine engine,
                                         const BodyOptions& options = {}) {
  std::unique_ptr<Block<In, Out>> model;
  if (engine != Engine::kRtl) {
    model = type.model();
    model->Reset();
  }
  if (engine == Engine::kModel) {
    if (!options.rtl.wave.file.empty()) {
      ThrowBadInput("a wave of {} needs its RTL: expected --engine rtl or lockstep",
                    options.rtl.path);
    }
    return model;
  }
  auto rtl = std::make_unique<RtlBody<In, Out, Ports>>(
      type, RtlOf(type.name, type.parameters, !options.rtl.wave.file.empty()), options.rtl);
  if (engine == Engine::kRtl) return rtl;
  return std::make_unique<LockstepBody<In, Out>>(options.rtl.path, std::move(model), std::move(rtl),
                                                 type.outputs, options.rtl.cycle, options.lockstep,
                                                 type.settles);
}

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_COSIM_BLOCK_FACTORY_H_
