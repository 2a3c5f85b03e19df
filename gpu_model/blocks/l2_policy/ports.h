// What crosses the ports of the L2 policy of a node: requests on their way into its slices, and
// what is to become of them.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_L2_POLICY_PORTS_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_L2_POLICY_PORTS_H_

#include <array>
#include <bit>
#include <cstdint>

#include "gpu_model/blocks/block.h"
#include "gpu_model/blocks/event_rule.h"

namespace flagstone {

// A lane is a way into a slice: its SMs', or that of other nodes.
inline constexpr uint32_t kMaxL2Lanes = 128;
using L2LaneMask = std::array<uint64_t, kMaxL2Lanes / 64>;
inline bool Any(const L2LaneMask& mask) { return (mask[0] | mask[1]) != 0; }
inline bool Test(const L2LaneMask& mask, uint32_t lane) {
  return (mask[lane / 64] >> (lane % 64) & 1) != 0;
}
inline void Put(L2LaneMask* mask, uint32_t lane, bool value) {
  const uint64_t bit = uint64_t{1} << (lane % 64);
  uint64_t& word = (*mask)[lane / 64];
  word = value ? word | bit : word & ~bit;
}
// Calls act(lane) for each lane of the mask.
template <class Act>
void ForEachLane(const L2LaneMask& mask, const Act& act) {
  for (uint32_t word = 0; word < mask.size(); ++word) {
    for (uint64_t left = mask[word]; left != 0; left &= left - 1) {
      act(64 * word + static_cast<uint32_t>(std::countr_zero(left)));
    }
  }
}

struct L2PolicyIn {
  bool cfg_valid = false;  // take the three below
  uint32_t cfg_node = 0;
  bool cfg_once = false;  // RONCE
  bool cfg_remote_caching = false;
  L2LaneMask req_valid = {};
  L2LaneMask req_from_fabric = {};
  std::array<uint8_t, kMaxL2Lanes> req_kind = {};  // L2RequestKind
  std::array<uint8_t, kMaxL2Lanes> req_home = {};  // node
};

// Of the requests of the cycle before (l2_decision.h).
struct L2PolicyOut {
  L2LaneMask dec_valid = {};
  std::array<uint8_t, kMaxL2Lanes> dec_class = {};  // L2Class
  L2LaneMask dec_probe = {};
  L2LaneMask dec_keep = {};
  L2LaneMask dec_forward = {};
  L2LaneMask dec_update = {};
  L2LaneMask dec_invalidate = {};
  L2LaneMask dec_fault = {};
  bool quiescent = true;
};

inline constexpr EventRule<L2PolicyIn, L2PolicyOut> kL2PolicyEvents = {
    [](const L2PolicyOut& out, const L2PolicyIn& in, const L2PolicyIn&) {
      return out.quiescent && !in.cfg_valid && !Any(in.req_valid);
    },
    /*compares_last=*/false};

using L2Policy = Block<L2PolicyIn, L2PolicyOut>;

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_L2_POLICY_PORTS_H_
