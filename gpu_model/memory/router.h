// The ports of a chip's interconnect by name, and by which of them a packet leaves.
#ifndef FLAGSTONE_GPU_MODEL_MEMORY_ROUTER_H_
#define FLAGSTONE_GPU_MODEL_MEMORY_ROUTER_H_

#include <cstdint>

#include "gpu_model/memory/address_map.h"
#include "gpu_model/memory/packet.h"

namespace flagstone {

// A packet crosses from the side of those who ask (SMs, TB scheduler) to that of the L2 slices, or
// back.
enum class Direction : uint8_t { kRequest, kReply };

class Router {
 public:
  Router(const AddressMap& map, uint32_t sms) : map_(&map), sms_(sms) {}

  // Ports on the side of those who ask.
  uint32_t Sm(uint32_t sm) const { return sm; }  // of the chip
  uint32_t TbScheduler() const { return sms_; }
  uint32_t sms() const { return sms_; }
  uint32_t askers() const { return sms_ + 1; }
  // Ports on the side of the L2.
  uint32_t Slice(uint32_t slice) const { return slice; }
  uint32_t slices() const { return map_->slices(); }

  uint32_t Sources(Direction direction) const {
    return direction == Direction::kRequest ? askers() : slices();
  }
  uint32_t Destinations(Direction direction) const {
    return direction == Direction::kRequest ? slices() : askers();
  }

  // By which port `packet` leaves, which has come in by port `source`. A request goes where its
  // line belongs, and notes where its reply goes.
  uint32_t Route(Direction direction, uint32_t source, Packet* packet) const {
    if (direction == Direction::kReply) return packet->port;
    packet->port = static_cast<uint16_t>(source);
    return Slice(map_->Slice(packet->line).slice);
  }

 private:
  const AddressMap* map_;
  uint32_t sms_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_MEMORY_ROUTER_H_
