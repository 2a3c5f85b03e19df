#include "systemc/cosim/l2_policy_ports.h"

#include <cstring>

namespace flagstone {

L2PolicyPorts::L2PolicyPorts(const BlockType<L2PolicyIn, L2PolicyOut>& type,
                             std::span<const BlockPort> ports)
    : lanes_(type.Parameter("NumLanes")),
      node_bits_(type.Parameter("NodeWidth")),
      cfg_valid_(FindPort(ports, "cfg_valid", "_i", 1)),
      cfg_node_(FindPort(ports, "cfg_node", "_i", node_bits_)),
      cfg_once_(FindPort(ports, "cfg_once", "_i", 1)),
      cfg_remote_caching_(FindPort(ports, "cfg_remote_caching", "_i", 1)),
      req_valid_(FindPort(ports, "req_valid", "_i", lanes_)),
      req_from_fabric_(FindPort(ports, "req_from_fabric", "_i", lanes_)),
      req_kind_(FindPort(ports, "req_kind", "_i", 2 * lanes_)),
      req_home_(FindPort(ports, "req_home", "_i", node_bits_ * lanes_)),
      dec_valid_(FindPort(ports, "dec_valid", "_o", lanes_)),
      dec_class_(FindPort(ports, "dec_class", "_o", 2 * lanes_)),
      dec_probe_(FindPort(ports, "dec_probe", "_o", lanes_)),
      dec_keep_(FindPort(ports, "dec_keep", "_o", lanes_)),
      dec_forward_(FindPort(ports, "dec_forward", "_o", lanes_)),
      dec_update_(FindPort(ports, "dec_update", "_o", lanes_)),
      dec_invalidate_(FindPort(ports, "dec_invalidate", "_o", lanes_)),
      dec_fault_(FindPort(ports, "dec_fault", "_o", lanes_)),
      quiescent_(FindPort(ports, "quiescent", "_o", 1)) {}

void L2PolicyPorts::Drive(const L2PolicyIn& in) {
  StorePort(cfg_valid_, in.cfg_valid ? 1 : 0);
  if (in.cfg_valid) {
    StorePort(cfg_node_, in.cfg_node & LowBits(node_bits_));
    StorePort(cfg_once_, in.cfg_once ? 1 : 0);
    StorePort(cfg_remote_caching_, in.cfg_remote_caching ? 1 : 0);
  }
  StoreMask(req_valid_, in.req_valid);
  StoreMask(req_from_fabric_, in.req_from_fabric);
  ForEachLane(in.req_valid, [&](uint32_t lane) {
    StoreBits(req_kind_, 2 * lane, 2, {in.req_kind[lane], 0});
    StoreBits(req_home_, node_bits_ * lane, node_bits_, {in.req_home[lane], 0});
  });
}

void L2PolicyPorts::Read(L2PolicyOut* out) {
  out->quiescent = LoadPort(quiescent_) != 0;
  LoadMask(dec_valid_, &out->dec_valid);
  if (!Any(out->dec_valid)) return;  // the rest means nothing
  LoadMask(dec_probe_, &out->dec_probe);
  LoadMask(dec_keep_, &out->dec_keep);
  LoadMask(dec_forward_, &out->dec_forward);
  LoadMask(dec_update_, &out->dec_update);
  LoadMask(dec_invalidate_, &out->dec_invalidate);
  LoadMask(dec_fault_, &out->dec_fault);
  ForEachLane(out->dec_valid, [&](uint32_t lane) {
    out->dec_class[lane] = static_cast<uint8_t>(LoadBits(dec_class_, 2 * lane, 2)[0]);
  });
}

void L2PolicyPorts::StoreMask(const BlockPort& port, const L2LaneMask& mask) const {
  if (lanes_ <= 64) {
    StorePort(port, mask[0] & LowBits(lanes_));
  } else {  // 3 or 4 words of 32 bits
    const L2LaneMask value = {mask[0], mask[1] & LowBits(lanes_ - 64)};
    std::memcpy(port.data, value.data(), lanes_ <= 96 ? 12 : 16);
  }
}

void L2PolicyPorts::LoadMask(const BlockPort& port, L2LaneMask* mask) const {
  if (lanes_ <= 64) {
    (*mask)[0] = LoadPort(port);
  } else {
    std::memcpy(mask->data(), port.data, lanes_ <= 96 ? 12 : 16);
  }
}

}  // namespace flagstone
