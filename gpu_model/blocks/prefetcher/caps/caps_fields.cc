#include "gpu_model/blocks/prefetcher/caps/caps_fields.h"

#include <algorithm>
#include <bit>

#include "gpu_model/blocks/field_rows.h"

namespace flagstone {
namespace {

uint32_t SlotBits(const CapsConfig& config) {
  return config.cta_slots == 1 ? 1 : static_cast<uint32_t>(std::bit_width(config.cta_slots - 1));
}

// An address of a load that CAPS takes.
bool IsLookedAt(const CapsIn& in, uint32_t lane) {
  return in.load_valid && !in.load_indirect && in.load_count <= kCapsBases && lane < in.load_count;
}

}  // namespace

FieldTable<CapsIn> CapsInputs(const CapsConfig& config) {
  using In = CapsIn;
  return {
      Scalar<&In::kernel_end>("kernel_end", 1),
      Scalar<&In::cta_end>("cta_end", config.cta_slots),
      Lanes<&In::live_warps>("live_warps", config.num_warps, config.cta_slots),
      Scalar<&In::load_valid>("load_valid", 1),
      Scalar<&In::load_pc>("load_pc", config.pc_bits, "load_valid"),
      Scalar<&In::load_slot>("load_slot", SlotBits(config), "load_valid"),
      Scalar<&In::load_warp>("load_warp", config.warp_bits, "load_valid"),
      Scalar<&In::load_indirect>("load_indirect", 1, "load_valid"),
      Scalar<&In::load_count>("load_count", 6, "load_valid"),
      Lanes<&In::load_addr>("load_addr", config.addr_bits, kCapsBases).When(IsLookedAt),
      Scalar<&In::probe_done>("probe_done", 1),
      Scalar<&In::probe_present>("probe_present", 1, "probe_done"),
      Scalar<&In::prefetch_ready>("prefetch_ready", 1),
  };
}

FieldTable<CapsOut> CapsOutputs(const CapsConfig& config) {
  using Out = CapsOut;
  return {
      Scalar<&Out::probe_valid>("probe_valid", 1),
      Scalar<&Out::probe_addr>("probe_addr", config.addr_bits, "probe_valid"),
      Scalar<&Out::prefetch_valid>("prefetch_valid", 1),
      Scalar<&Out::prefetch_addr>("prefetch_addr", config.addr_bits, "prefetch_valid"),
      Scalar<&Out::prefetch_warp>("prefetch_warp", config.warp_bits, "prefetch_valid"),
      Scalar<&Out::prefetch_slot>("prefetch_slot", SlotBits(config), "prefetch_valid"),
      Scalar<&Out::prefetch_pc>("prefetch_pc", config.pc_bits, "prefetch_valid"),
      Scalar<&Out::throttled>("throttled", 4),
      Scalar<&Out::quiescent>("quiescent", 1),
  };
}

}  // namespace flagstone
