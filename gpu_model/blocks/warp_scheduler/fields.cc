#include "gpu_model/blocks/warp_scheduler/fields.h"

#include <bit>

#include "gpu_model/blocks/field_rows.h"

namespace flagstone {

FieldTable<WarpSchedulerIn> WarpSchedulerInputs(uint32_t num_warps) {
  using In = WarpSchedulerIn;
  const auto index_bits = static_cast<uint32_t>(std::bit_width(num_warps - 1));
  return {
      Scalar<&In::eligible>("eligible", num_warps),
      Scalar<&In::stalled>("stalled", num_warps),
      Scalar<&In::barrier>("barrier", num_warps),
      Scalar<&In::leading>("leading", num_warps),
      Scalar<&In::started>("started", num_warps),
      Scalar<&In::finished>("finished", num_warps),
      Scalar<&In::issued_valid>("issued_valid", 1),
      Scalar<&In::issued_warp>("issued_warp", index_bits, "issued_valid"),
      Scalar<&In::wake_valid>("wake_valid", 1),
      Scalar<&In::wake_warp>("wake_warp", index_bits, "wake_valid"),
      Scalar<&In::epoch>("epoch", 1),
  };
}

FieldTable<WarpSchedulerOut> WarpSchedulerOutputs(uint32_t num_warps) {
  using Out = WarpSchedulerOut;
  const auto index_bits = static_cast<uint32_t>(std::bit_width(num_warps - 1));
  return {
      Scalar<&Out::grant_valid>("grant_valid", 1),
      Scalar<&Out::grant_warp>("grant_warp", index_bits, "grant_valid"),
      Scalar<&Out::quiescent>("quiescent", 1),
  };
}

}  // namespace flagstone
