// The boundary between L2 and DRAM: another memory model can take the place of ours behind it.
#ifndef FLAGSTONE_GPU_MODEL_MEMORY_DRAM_PORT_H_
#define FLAGSTONE_GPU_MODEL_MEMORY_DRAM_PORT_H_

#include <cstdint>

#include "gpu_model/memory/packet.h"

namespace flagstone {

struct DramRequest {
  LineNumber line = 0;  // counts the channel's own lines
  uint16_t tag = 0;     // the slice's own: comes back with the data
  SectorMask sectors = 0;
  bool write = false;  // no reply
};

// A slice's way to its channel, called in the slice's Commit.
class DramPort {
 public:
  virtual ~DramPort() = default;
  virtual bool CanRequest() const = 0;
  virtual void Request(const DramRequest& request) = 0;
  virtual bool Drained() const = 0;  // every request has been completed
};

// The slice's side, called in Commit of the channel. A slice has a place for every read it made.
class DramClient {
 public:
  virtual ~DramClient() = default;
  virtual void DramReply(uint16_t tag, SectorMask sectors) = 0;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_MEMORY_DRAM_PORT_H_
