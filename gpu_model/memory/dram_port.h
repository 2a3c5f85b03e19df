// The boundary between L2 and DRAM: another memory model can take the place of ours behind it.
#ifndef FLAGSTONE_GPU_MODEL_MEMORY_DRAM_PORT_H_
#define FLAGSTONE_GPU_MODEL_MEMORY_DRAM_PORT_H_

#include <cstdint>

#include "gpu_model/memory/packet.h"

namespace flagstone {

struct DramRequest {
  uint32_t bank = 0;
  uint32_t row = 0;
  uint16_t client = 0;  // which of the channel's L2 slices, from 0
  uint16_t tag = 0;     // the slice's own: comes back with the data
  SectorMask sectors = 0;
  bool write = false;  // no reply
};

// The channel's side, called in Commit of an L2 slice.
class DramPort {
 public:
  virtual ~DramPort() = default;
  virtual bool CanRequest(uint32_t client) const = 0;
  virtual void Request(const DramRequest& request) = 0;
};

// The slice's side, called in Commit of the channel. A slice has a place for every read it made.
class DramClient {
 public:
  virtual ~DramClient() = default;
  virtual void DramReply(uint16_t tag, SectorMask sectors) = 0;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_MEMORY_DRAM_PORT_H_
