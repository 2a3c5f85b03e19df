// Which L2 slice, DRAM channel, bank and row a line lives in.
#ifndef FLAGSTONE_GPU_MODEL_MEMORY_ADDRESS_MAP_H_
#define FLAGSTONE_GPU_MODEL_MEMORY_ADDRESS_MAP_H_

#include <cstdint>

#include "gpu_model/machines/machine.h"
#include "gpu_model/memory/packet.h"

namespace flagstone {

// Slices take turns every 256 bytes; the turn's order is rotated by a hash of the upper bits, so
// that power-of-two strides use all slices. Each slice sees dense local line numbers (assumptions:
// the hash, the 256 bytes, and rows that run over the slices of one channel).
class AddressMap {
 public:
  explicit AddressMap(const MachineConfig& machine);

  struct SliceLine {
    uint32_t slice = 0;
    LineNumber local = 0;  // counts the slice's own lines
  };
  SliceLine Slice(LineNumber line) const;
  LineNumber Global(uint32_t slice, LineNumber local) const;  // the inverse

  struct DramPlace {
    uint32_t bank = 0;
    uint32_t row = 0;
  };
  uint32_t Channel(uint32_t slice) const { return slice / slices_per_channel_; }
  // Lines of a channel are dense too.
  LineNumber DramLine(uint32_t slice, LineNumber local) const;
  DramPlace Place(LineNumber dram_line) const;
  DramPlace Dram(uint32_t slice, LineNumber local) const { return Place(DramLine(slice, local)); }

 private:
  uint32_t slices_;
  uint32_t slices_per_channel_;
  uint32_t banks_;
  uint32_t lines_per_row_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_MEMORY_ADDRESS_MAP_H_
