// The boundary between the L2 slices of a node and the fabric that connects the nodes.
#ifndef FLAGSTONE_GPU_MODEL_MEMORY_FABRIC_PORT_H_
#define FLAGSTONE_GPU_MODEL_MEMORY_FABRIC_PORT_H_

#include <cstddef>
#include <cstdint>

#include "gpu_model/memory/packet.h"

namespace flagstone {

// Requests and replies share links and nothing else: neither can hold back the other.
enum class Channel : uint8_t { kRequest, kReply };
inline constexpr size_t kChannels = 2;

// A slice's way to the same slice of other nodes, called in Commit of the slice. A request goes to
// its line's home, a reply to its origin. The tag is the requesting slice's.
class FabricPort {
 public:
  virtual ~FabricPort() = default;
  virtual bool CanSend(Channel channel) const = 0;
  virtual void Send(Channel channel, const Packet& packet) = 0;
};

// The slice's side, called in Commit of the fabric. Replies are always taken.
class FabricSink {
 public:
  virtual ~FabricSink() = default;
  virtual bool CanAccept(Channel channel) const = 0;
  virtual void Accept(Channel channel, const Packet& packet) = 0;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_MEMORY_FABRIC_PORT_H_
