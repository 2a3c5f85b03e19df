// The wires between the TB scheduler and the SMs, in one place.
#ifndef FLAGSTONE_GPU_MODEL_SM_TB_LINK_H_
#define FLAGSTONE_GPU_MODEL_SM_TB_LINK_H_

#include <array>
#include <cstdint>

#include "base/clocked.h"
#include "gpu_model/blocks/tb_scheduler/ports.h"

namespace flagstone {

// Written in Commit only, each wire by its owner; read in Sample. A TB goes over when valid and
// ready were both sampled in the same cycle, by both sides.
struct TbLink {
  SmMask valid = {};                      // TB scheduler: `id` is offered to this SM
  std::array<uint32_t, kMaxSms> id = {};  // TB scheduler
  SmMask ready = {};                      // SMs: a TB context is free
  SmMask done = {};  // SMs: one TB has completed; the TB scheduler takes it off when it samples
  Clocked* scheduler = nullptr;  // woken when an SM changes its wires
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_SM_TB_LINK_H_
