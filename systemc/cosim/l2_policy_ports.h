// The fast way between the structs of an L2 policy and its RTL's ports: it is ticked in most cycles
// of a simulation, for lanes of which few have a request.
#ifndef FLAGSTONE_SYSTEMC_COSIM_L2_POLICY_PORTS_H_
#define FLAGSTONE_SYSTEMC_COSIM_L2_POLICY_PORTS_H_

#include <cstdint>
#include <span>

#include "gpu_model/blocks/block_type.h"
#include "gpu_model/blocks/l2_policy/ports.h"
#include "systemc/cosim/port_access.h"

namespace flagstone {

class L2PolicyPorts {
 public:
  L2PolicyPorts(const BlockType<L2PolicyIn, L2PolicyOut>& type, std::span<const BlockPort> ports);

  void Drive(const L2PolicyIn& in);
  void Read(L2PolicyOut* out);

 private:
  void StoreMask(const BlockPort& port, const L2LaneMask& mask) const;
  void LoadMask(const BlockPort& port, L2LaneMask* mask) const;

  uint32_t lanes_, node_bits_;
  BlockPort cfg_valid_, cfg_node_, cfg_once_, cfg_remote_caching_;
  BlockPort req_valid_, req_from_fabric_, req_kind_, req_home_;
  BlockPort dec_valid_, dec_class_, dec_probe_, dec_keep_, dec_forward_, dec_update_;
  BlockPort dec_invalidate_, dec_fault_, quiescent_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_COSIM_L2_POLICY_PORTS_H_
